#include "suffix/separator_map.hpp"

namespace warpseed::suffix {

SeparatorMap::SeparatorMap(const text::GenomeView& genome) : bits_(genome.text.size / 32 + 2) {
  blocks_.resize(SeparatorView::block_count(genome.text.size) / 32 + 1);
  for (std::uint64_t i = 0; i < genome.segment_count(); ++i) {
    const TextPos at = genome.separator_of(i);
    bits_[at / 32] |= 1U << (at % 32);
    const std::uint64_t last = at >> SeparatorView::block_bits;
    for (std::uint64_t block = SeparatorView::first_block_near(at); block <= last; ++block) {
      blocks_[block / 32] |= 1U << (block % 32);
    }
  }
}

}  // namespace warpseed::suffix
