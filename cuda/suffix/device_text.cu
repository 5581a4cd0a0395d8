#include "suffix/device_text.cuh"

#include "core/launch.cuh"
#include "core/transfer.cuh"

namespace warpseed::cuda {

namespace {

__global__ void mark_separators_kernel(View<Segment> segments, std::uint32_t* separators) {
  const std::uint64_t segment = thread_index();
  if (segment + 1 >= segments.size) return;
  const TextPos at = segments[segment + 1].text_begin - 1;
  atomicOr(&separators[at / 32], 1U << (at % 32));
}

}  // namespace

DeviceText::DeviceText(const GenomeView& genome, const Stream& stream, int threads)
    : size_(genome.text.size), words_(size_ / 32 + 2, stream), separators_(size_ / 32 + 2, stream) {
  Buffer<Segment> segments(genome.segments.size, stream);
  separators_.fill_zero();
  stream.wait();  // upload() has streams of its own
  upload(words_.data(), genome.text.words, words_.size() * sizeof(std::uint64_t), stream.device(), threads);
  upload(segments.data(), genome.segments.data, genome.segments.bytes(), stream.device(), threads);
  launch("mark_separators_kernel", mark_separators_kernel, genome.segment_count(), stream, segments.view(),
         separators_.data());
  stream.wait();
}

}  // namespace warpseed::cuda
