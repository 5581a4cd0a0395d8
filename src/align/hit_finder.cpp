#include "align/hit_finder.hpp"

#include <algorithm>
#include <utility>

#include "align/seeder.hpp"
#include "entry.hpp"

namespace warpseed {

void note_traits(std::span<PlacedRead> reads, std::vector<FrequentSeed> frequent) {
  for (PlacedRead& placed : reads) placed.traits = {placed.read.length(), 0};
  note_frequent(reads, std::move(frequent));
}

void note_frequent(std::span<PlacedRead> reads, std::vector<FrequentSeed> frequent) {
  const auto read_of = [](const FrequentSeed& seed) { return seed.search / 2; };
  std::sort(frequent.begin(), frequent.end(),
            [](const FrequentSeed& a, const FrequentSeed& b) { return a.search < b.search; });
  std::vector<bool> repetitive;
  for (std::size_t i = 0; i < frequent.size();) {
    const std::uint32_t read = read_of(frequent[i]);
    ReadTraits& traits = reads[read].traits;
    repetitive.assign(traits.length, false);
    for (; i < frequent.size() && read_of(frequent[i]) == read; ++i) {
      const FrequentSeed& seed = frequent[i];
      const std::uint32_t begin = read_begin(seed.search % 2 != 0, seed.begin, seed.end, traits.length);
      std::fill_n(repetitive.begin() + begin, seed.end - seed.begin, true);
    }
    traits.repetitive = static_cast<std::uint32_t>(std::count(repetitive.begin(), repetitive.end(), true));
  }
}

std::unique_ptr<HitFinder> make_hit_finder(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                           const Backend& backend) {
  if (backend.kind == BackendKind::cuda) return cuda::make_hit_finder(fm, genome, options, backend);
  return std::make_unique<Seeder>(fm, genome, options);
}

}  // namespace warpseed
