#include "align/hit_finder.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "align/seeder.hpp"
#include "entry.hpp"

namespace warpseed {

namespace {

std::uint32_t read_of(const FrequentSeed& seed) {
  return seed.search / 2;
}

/// Fills traits.repetitive of the reads whose first seed is one of [begin, end). frequent: by read.
void note_repetitive(std::span<PlacedRead> reads, std::span<const FrequentSeed> frequent, std::size_t begin,
                     std::size_t end) {
  std::vector<bool> repetitive;
  for (std::size_t i = begin; i < end;) {
    const std::uint32_t read = read_of(frequent[i]);
    const bool begun = i > 0 && read_of(frequent[i - 1]) == read;
    ReadTraits& traits = reads[read].traits;
    repetitive.assign(traits.length, false);
    for (; i < frequent.size() && read_of(frequent[i]) == read; ++i) {
      const FrequentSeed& seed = frequent[i];
      const std::uint32_t from = read_begin(seed.search % 2 != 0, seed.begin, seed.end, traits.length);
      std::fill_n(repetitive.begin() + from, seed.end - seed.begin, true);
    }
    if (begun) continue;
    traits.repetitive = static_cast<std::uint32_t>(std::count(repetitive.begin(), repetitive.end(), true));
  }
}

}  // namespace

void note_traits(std::span<PlacedRead> reads, std::vector<FrequentSeed> frequent) {
  for (PlacedRead& placed : reads) placed.traits = {placed.read.length(), 0};
  note_frequent(reads, std::move(frequent));
}

void note_frequent(std::span<PlacedRead> reads, std::vector<FrequentSeed> frequent) {
  const auto by_search = [](const FrequentSeed& a, const FrequentSeed& b) { return a.search < b.search; };
  if (!std::is_sorted(frequent.begin(), frequent.end(), by_search))
    std::sort(frequent.begin(), frequent.end(), by_search);
  constexpr std::size_t seeds_a_task = 2048;
  if (frequent.size() <= seeds_a_task) return note_repetitive(reads, frequent, 0, frequent.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, frequent.size(), seeds_a_task),
                    [&](const auto& part) { note_repetitive(reads, frequent, part.begin(), part.end()); });
}

std::unique_ptr<HitFinder> make_hit_finder(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                           const Backend& backend, std::uint64_t narrow_rows) {
  if (backend.kind == BackendKind::cuda) return cuda::make_hit_finder(fm, genome, options, backend, narrow_rows);
  return std::make_unique<Seeder>(fm, genome, options);
}

}  // namespace warpseed
