#include "suffix/separator_map.hpp"

namespace warpseed::suffix {

SeparatorMap::SeparatorMap(const text::GenomeView& genome) : bits_(genome.text.size / 32 + 2) {
  for (std::uint64_t i = 0; i < genome.segment_count(); ++i) {
    const TextPos at = genome.separator_of(i);
    bits_[at / 32] |= 1U << (at % 32);
  }
  const std::uint64_t blocks = SeparatorView::block_count(genome.text.size);
  blocks_.resize(blocks / 32 + 1);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const bool any = SeparatorView::block_has_any(bits_.data(), bits_.size(), block);
    blocks_[block / 32] |= std::uint32_t{any} << (block % 32);
  }
}

}  // namespace warpseed::suffix
