#include "warpseed/aligner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

#include "align/pipeline/aligner.hpp"
#include "align/select/alt_contigs.hpp"
#include "api/alignments.hpp"
#include "api/context_state.hpp"
#include "api/index_state.hpp"
#include "api/sequences.hpp"
#include "core/quoted.hpp"
#include "records/sam_header.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

static_assert(Aligner::reads_to_learn_from == align::Aligner::slice_reads);

namespace {

/// [contigs] 1 for those named, as the modules take them; empty without names.
std::vector<std::uint8_t> alt_flags(const index::Index& index, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const auto numbers = align::contig_numbers(index);
  std::vector<std::uint8_t> flags(index.contig_count());
  for (const std::string& name : names) {
    const auto found = numbers.find(name);
    if (found == numbers.end())
      throw InputError(fmt::format("ALT contig {}: the index has no contig of this name", quoted(name)));
    flags[found->second] = 1;
  }
  return flags;
}

/// A part of the reads on its way through an aligner.
struct BatchInFlight {
  std::span<Alignments> result;  // of these reads
  reads::ReadBatch reads;
  align::AlignmentBatch memory;
  std::optional<align::BegunBatch> begun;
};

reads::ReadBatch batch_of(std::span<const std::string_view> reads, std::size_t first) {
  reads::ReadBatch batch;
  for (std::size_t i = 0; i < reads.size(); ++i) batch.add(std::to_string(first + i), {}, reads[i], {});
  return batch;
}

/// Waits for a batch and fills its result.
void finish(align::Aligner& aligner, const std::string& read_group, BatchInFlight& batch) {
  aligner.for_each_records(
      aligner.finish(aligner.learn(*batch.begun)),
      [&](std::size_t i, align::ReadRecords&& records) { batch.result[i] = api::alignments_of(records, read_group); });
}

/// Aligns all reads, as many batches at a time as the backend works on.
std::vector<Alignments> align_all(align::Aligner& aligner, const std::string& read_group,
                                  std::span<const std::string_view> reads) {
  for (std::size_t i = 0; i < reads.size(); ++i) api::require_letters(reads[i], "read", i);
  std::vector<Alignments> all(reads.size());
  std::deque<BatchInFlight> batches;
  const auto finish_first = [&] {
    finish(aligner, read_group, batches.front());
    batches.pop_front();
  };
  const std::size_t batch_reads = aligner.batch_reads();
  for (std::size_t begin = 0; begin < reads.size(); begin += batch_reads) {
    if (batches.size() == aligner.concurrent_batches()) finish_first();
    const std::size_t count = std::min(batch_reads, reads.size() - begin);
    BatchInFlight& batch = batches.emplace_back();
    batch.result = std::span(all).subspan(begin, count);
    batch.reads = batch_of(reads.subspan(begin, count), begin);
    batch.begun = aligner.begin(aligner.prepare(batch.reads, batch.memory));
  }
  while (!batches.empty()) finish_first();
  return all;
}

const AlignOptions& checked(const AlignOptions& options) {
  align::require_valid(options);
  return options;
}

}  // namespace

/// Single reads and pairs are numbered apart and share what finds their alignments.
struct Aligner::State {
  State(const Index& shared_index, const Context& shared_context, const AlignOptions& wanted)
      : context(shared_context),
        index(shared_index),
        alt_contigs(alt_flags(index.state().index, wanted.alt_contigs)),
        read_group_line(wanted.read_group.empty() ? "" : records::parse_read_group(wanted.read_group)),
        read_group(records::read_group_id(read_group_line)),
        options{wanted, std::span<const std::uint8_t>(alt_contigs)},
        batch_aligner(
            align::ready(align::make_batch_aligner(shared_index.state().index.fm(), shared_index.state().index.genome(),
                                                   options, context.state().backend, {wanted.device_memory}))),
        single(index.state().index, options, false, batch_aligner, batch_aligner.get()->concurrent_batches()),
        paired(index.state().index, options, true, batch_aligner, batch_aligner.get()->concurrent_batches()) {}

  const Context context;
  const Index index;
  const std::vector<std::uint8_t> alt_contigs;
  const std::string read_group_line, read_group;
  const align::AlignOptions options;
  const align::FutureBatchAligner batch_aligner;
  align::Aligner single, paired;
};

Aligner::Aligner(const Index& index, const Context& context, const AlignOptions& options)
    : state_(api::run(context, [&] { return std::make_unique<State>(index, context, checked(options)); })) {}
Aligner::Aligner(Aligner&&) noexcept = default;
Aligner& Aligner::operator=(Aligner&&) noexcept = default;
Aligner::~Aligner() = default;

std::string_view Aligner::read_group_line() const {
  return state_->read_group_line;
}

std::vector<Alignments> Aligner::align_batch(const std::vector<std::string_view>& reads) {
  return api::run(state_->context, [&] { return align_all(state_->single, state_->read_group, reads); });
}

Alignments Aligner::align(std::string_view read) {
  return align_batch({read}).front();
}

std::vector<Alignments> Aligner::align_pairs(const std::vector<std::string_view>& reads) {
  if (reads.size() % 2 != 0) throw std::invalid_argument("Aligner::align_pairs: an odd number of reads");
  return api::run(state_->context, [&] { return align_all(state_->paired, state_->read_group, reads); });
}

void Aligner::set_fragment_length(const FragmentLength& length) {
  constexpr auto most = static_cast<double>(align::max_insert_size);
  const double deviation = length.deviation > 0 ? length.deviation : 0.1 * length.mean;
  const bool possible = length.mean > 0 && length.mean + 4 * deviation <= most && length.low >= 0 && length.high >= 0 &&
                        length.low <= align::max_insert_size && length.high <= align::max_insert_size;
  if (!possible)
    throw InputError(fmt::format("a fragment length is above 0 and up to {} bases", align::max_insert_size));
  align::InsertSizeDistributions distributions =
      align::given_insert_sizes(length.mean, deviation, length.high, length.low, state_->options.scoring);
  const align::InsertSizeDistribution& fr = distributions[align::Orientation::fr];
  if (fr.low > fr.high)
    throw InputError(fmt::format("the shortest fragment, {}, is longer than the longest, {}", fr.low, fr.high));
  state_->paired.set_insert_sizes(std::move(distributions));
}

}  // namespace warpseed
