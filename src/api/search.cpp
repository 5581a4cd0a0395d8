#include "warpseed/search.hpp"

#include <utility>

#include "api/context_state.hpp"
#include "api/index_state.hpp"
#include "api/sequences.hpp"
#include "approximate/exact_patterns.hpp"

namespace warpseed {

struct Searcher::State {
  Context context;
  Index index;
  approximate::ExactPatterns search;

  void find(const std::vector<std::string_view>& patterns);
  std::vector<Occurrence> occurrences(std::span<const index::Occurrence> found) const;
};

void Searcher::State::find(const std::vector<std::string_view>& patterns) {
  approximate::SetBatch batch;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    api::require_letters(patterns[i], "pattern", i);
    batch.add_iupac(patterns[i]);
  }
  search.find(batch);
}

std::vector<Occurrence> Searcher::State::occurrences(std::span<const index::Occurrence> found) const {
  const text::GenomeView& genome = index.state().index.genome();
  std::vector<Occurrence> result;
  result.reserve(found.size());
  for (const index::Occurrence& occurrence : found) {
    const GenomePos position = text::to_genome(genome, occurrence.position());
    const std::uint64_t contig = text::contig_at(genome, position);
    result.push_back({contig, position - genome.contig_begins[contig], occurrence.reverse()});
  }
  return result;
}

Searcher::Searcher(const Index& index, const Context& context, Strands strands)
    : state_(api::run(context, [&] {
        const Backend& backend = context.state().backend;
        const approximate::Target target = {index.state().index.genome(), index.state().index.fm()};
        return std::make_unique<State>(State{context, index, approximate::ExactPatterns(target, backend, strands)});
      })) {}
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

std::vector<std::uint64_t> Searcher::count_batch(const std::vector<std::string_view>& patterns) {
  return api::run(state_->context, [&] {
    std::vector<std::uint64_t> counts;
    state_->find(patterns);
    for (const auto& found : state_->search.counts()) counts.push_back(found.total());
    return counts;
  });
}

std::vector<StrandCounts> Searcher::count_strands_batch(const std::vector<std::string_view>& patterns) {
  return api::run(state_->context, [&] {
    std::vector<StrandCounts> counts;
    counts.reserve(patterns.size());
    state_->find(patterns);
    for (const auto& found : state_->search.counts()) counts.push_back({found.forward, found.reverse});
    return counts;
  });
}

std::uint64_t Searcher::count(std::string_view pattern) {
  return count_batch({pattern}).front();
}

std::vector<std::vector<Occurrence>> Searcher::locate_batch(const std::vector<std::string_view>& patterns,
                                                            std::uint64_t max_hits) {
  return api::run(state_->context, [&] {
    state_->find(patterns);
    const index::OccurrenceBatch found = state_->search.locate(0, patterns.size(), max_hits);
    std::vector<std::vector<Occurrence>> result(patterns.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const std::uint64_t count = found.offsets[i + 1] - found.offsets[i];
      result[i] = state_->occurrences(std::span(found.hits).subspan(found.offsets[i], count));
    }
    return result;
  });
}

std::vector<Occurrence> Searcher::locate(std::string_view pattern, std::uint64_t max_hits) {
  return locate_batch({pattern}, max_hits).front();
}

}  // namespace warpseed
