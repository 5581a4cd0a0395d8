#include "align/pipeline/device_read_texts.cuh"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <span>

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t reads_per_task = 4096;  // host tasks
constexpr std::uint64_t bytes_per_task = 512 << 10;

std::uint64_t end_of(const reads::StoredRead& read) {
  std::uint32_t end = 0;
  for (const reads::ReadPart part : {read.name, read.comment, read.bases, read.qualities, read.tags})
    end = std::max(end, part.begin + part.size);
  return read.begin + end;
}

/// Copies by many threads: one alone does not fill the bus.
void copy_text(std::span<const char> from, std::span<char> to) {
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, from.size(), bytes_per_task), [&](const auto& part) {
    std::copy_n(from.data() + part.begin(), part.size(), to.data() + part.begin());
  });
}

}  // namespace

void DeviceReadTexts::upload(const reads::ReadBatch& batch, std::uint64_t first, std::uint64_t count, double share,
                             const Stream& stream) {
  using Extents = std::array<Extent, 2>;
  constexpr Extent nothing = {~std::uint64_t{0}, 0};
  const std::span<const reads::StoredRead> reads = batch.stored().subspan(first, count);
  const std::span<reads::StoredRead> staged_reads = staged_reads_.room(count, share);
  const Extents extents = tbb::parallel_reduce(
      tbb::blocked_range<std::uint64_t>(0, count, reads_per_task), Extents{nothing, nothing},
      [&](const auto& part, Extents known) {
        for (std::uint64_t i = part.begin(); i < part.end(); ++i) {
          staged_reads[i] = reads[i];
          Extent& extent = known[reads[i].text];
          extent = {std::min(extent.begin, reads[i].begin), std::max(extent.end, end_of(reads[i]))};
        }
        return known;
      },
      [](Extents a, const Extents& b) {
        for (std::size_t i = 0; i < a.size(); ++i)
          a[i] = {std::min(a[i].begin, b[i].begin), std::max(a[i].end, b[i].end)};
        return a;
      });
  uploaded_ = staged_reads;
  reads_ = Buffer<reads::StoredRead>(staged_reads, stream);
  for (std::uint32_t i = 0; i < 2; ++i) upload_text(batch.text(i), i, extents[i], share, stream);
}

void DeviceReadTexts::upload_text(const TextMemory& all, std::uint32_t which, Extent extent, double share,
                                  const Stream& stream) {
  begins_[which] = extent.begin;
  std::span<const char> text;
  if (extent.begin < extent.end) text = std::span(all).subspan(extent.begin, extent.end - extent.begin);
  const std::span<char> staged = staged_texts_[which].room(text.size(), share);
  copy_text(text, staged);
  texts_[which] = Buffer<char>(staged, stream);
}

void DeviceReadTexts::upload_groups(const std::vector<std::string>& ids, const Stream& stream) {
  if (group_begins_.size() > 0) return;
  std::vector<char> text;
  std::vector<std::uint32_t> begins = {0};
  for (const std::string& id : ids) {
    text.insert(text.end(), id.begin(), id.end());
    begins.push_back(static_cast<std::uint32_t>(text.size()));
  }
  group_text_ = Buffer<char>(std::span<const char>(text), stream);
  group_begins_ = Buffer<std::uint32_t>(std::span<const std::uint32_t>(begins), stream);
  stream.wait();  // for the vectors
}

ReadTextsView DeviceReadTexts::view() const {
  return {reads_.view(),
          {texts_[0].data(), texts_[1].data()},
          {begins_[0], begins_[1]},
          group_text_.data(),
          group_begins_.view()};
}

}  // namespace warpseed::align::cuda
