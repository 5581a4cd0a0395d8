#include "suffix/bounded_text.cuh"

#include "core/lanes.cuh"
#include "core/launch.cuh"

namespace warpseed::suffix::cuda {

namespace {

__global__ void mark_blocks_kernel(View<std::uint32_t> bits, std::uint64_t block_count, std::uint32_t* blocks) {
  const std::uint64_t block = thread_index();
  const bool any = block < block_count && SeparatorView::block_has_any(bits.data, bits.size, block);
  const std::uint32_t word = __ballot_sync(all_lanes, any);
  if (block % 32 == 0 && block < block_count) blocks[block / 32] = word;
}

}  // namespace

BoundedText::BoundedText(const DeviceText& text, const Stream& stream)
    : text_(text.view()), blocks_(SeparatorView::block_count(text.size()) / 32 + 1, stream) {
  const std::uint64_t block_count = SeparatorView::block_count(text.size());
  launch("mark_blocks_kernel", mark_blocks_kernel, block_count, stream,
         View<std::uint32_t>(text_.separators, text.size() / 32 + 2), block_count, blocks_.data());
}

}  // namespace warpseed::suffix::cuda
