#include "warpseed/index.hpp"

#include <bit>
#include <stdexcept>
#include <utility>

#include "api/context_state.hpp"
#include "api/index_state.hpp"
#include "api/sequences.hpp"
#include "index/fm_index.hpp"
#include "text/alphabet.hpp"
#include "text/fasta.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

std::shared_ptr<const Index::State> built(text::Genome genome, const Context& context, const IndexOptions& options) {
  index::BuildOptions build;
  build.sample_step = options.sample_step;
  index::FmIndex fm = index::build_fm_index(genome.view(), context.state().backend, build, context.state().progress);
  return std::make_shared<const Index::State>(std::move(genome), std::move(fm));
}

}  // namespace

Index Index::build(const std::vector<Sequence>& contigs, const Context& context, const IndexOptions& options) {
  if (contigs.empty()) throw InputError("an index needs at least one contig; none was given");
  api::require_names(contigs, "contig");
  return Index(api::run(context, [&] { return built(api::genome_of(contigs, "contig"), context, options); }));
}

Index Index::build_from_fasta(const std::vector<std::string>& paths, const Context& context,
                              const IndexOptions& options) {
  if (paths.empty()) throw InputError("an index needs at least one FASTA file; none was given");
  return Index(
      api::run(context, [&] { return built(text::read_fasta(paths, context.state().progress), context, options); }));
}

Index Index::open(const std::string& path, const Context& context) {
  return Index(api::run(context, [&] { return std::make_shared<const State>(path); }));
}

void Index::save(const std::string& path) const {
  index::write_index(path, state_->index);
}

std::size_t Index::contig_count() const {
  return state_->index.contig_count();
}

Contig Index::contig(std::size_t i) const {
  if (i >= contig_count()) throw std::invalid_argument("Index::contig: the index has fewer contigs");
  return {state_->index.contig_name(i), state_->index.contig_length(i)};
}

std::string Index::bases(std::size_t contig, std::uint64_t begin, std::uint64_t end) const {
  if (begin > end || end > this->contig(contig).length)
    throw std::invalid_argument("Index::bases: the range is outside the contig");
  const text::GenomeView& genome = state_->index.genome();
  const GenomePos first = genome.contig_begins[contig];
  std::vector<std::uint8_t> codes(end - begin);
  text::fetch_codes(genome, first + begin, first + end, codes.data());
  std::string bases;
  for (const std::uint8_t code : codes) bases += text::base_of_code(code);
  return bases;
}

}  // namespace warpseed
