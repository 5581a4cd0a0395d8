// The CUDA path of index/searcher.hpp: uploads the index once, patterns and rows in batches.
#include <algorithm>
#include <stdexcept>

#include "core/launch.cuh"
#include "core/transfer.cuh"
#include "index/device_index.cuh"
#include "index/entry.hpp"

namespace warpseed::index::cuda {

namespace {

constexpr std::uint64_t batch_codes = 256 << 20;  // limit the device memory of a batch: 1/4 GiB of codes,
constexpr std::uint64_t batch_items = 16 << 20;   // and 24 bytes for each of this many patterns or rows

/// One thread per pattern. All FM-index operations are in fm_core.hpp.
__global__ void find_kernel(FmView fm, const std::uint8_t* codes, std::uint64_t first_code, View<std::uint64_t> offsets,
                            RowRange* rows) {
  const std::uint64_t i = thread_index();
  if (i + 1 >= offsets.size) return;
  rows[i] = index::find(fm, codes + (offsets[i] - first_code), offsets[i + 1] - offsets[i]);
}

__global__ void locate_kernel(FmView fm, View<Row> rows, TextPos* positions) {
  const std::uint64_t i = thread_index();
  if (i < rows.size) positions[i] = index::locate(fm, rows[i]);
}

class CudaSearcher : public Searcher {
 public:
  CudaSearcher(const FmView& fm, const Backend& backend)
      : threads_(backend.threads), stream_(backend), index_(upload_index(fm, stream_, threads_)) {}

  void find(const PatternBatch& patterns, std::span<RowRange> rows) override {
    if (rows.size() != patterns.count()) throw std::invalid_argument("find: one RowRange per pattern");
    set_current_device(stream_.device());
    for (std::uint64_t begin = 0; begin < rows.size();) {
      const std::uint64_t end = batch_end(patterns, begin);
      find_batch(patterns, begin, rows.subspan(begin, end - begin));
      begin = end;
    }
  }

  void locate(std::span<const Row> rows, std::span<TextPos> positions) override {
    if (rows.size() != positions.size()) throw std::invalid_argument("locate: one position per row");
    set_current_device(stream_.device());
    for (std::uint64_t begin = 0; begin < rows.size(); begin += batch_items) {
      const std::uint64_t count = std::min<std::uint64_t>(batch_items, rows.size() - begin);
      locate_batch(rows.subspan(begin, count), positions.subspan(begin, count));
    }
  }

 private:
  /// The end of the batch of patterns that begins at `begin`; a batch holds at least one pattern, of any length.
  static std::uint64_t batch_end(const PatternBatch& patterns, std::uint64_t begin) {
    const auto& offsets = patterns.offsets;
    const auto first = offsets.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto past = std::upper_bound(first, offsets.end(), *first + batch_codes);
    const auto fitting = static_cast<std::uint64_t>(past - first) - 1;
    return begin + std::clamp<std::uint64_t>(fitting, 1, std::min(batch_items, patterns.count() - begin));
  }

  void find_batch(const PatternBatch& patterns, std::uint64_t begin, std::span<RowRange> rows) {
    const std::span<const std::uint64_t> offsets(patterns.offsets.data() + begin, rows.size() + 1);
    const std::uint64_t first_code = offsets.front(), code_count = offsets.back() - first_code;
    Buffer<std::uint8_t> codes(code_count, stream_);
    Buffer<std::uint64_t> starts(offsets.size(), stream_);
    Buffer<RowRange> found(rows.size(), stream_);
    stream_.wait();  // the copies use streams of their own
    upload(codes.data(), patterns.codes.data() + first_code, code_count, stream_.pool(), threads_);
    upload(starts.data(), offsets.data(), offsets.size_bytes(), stream_.pool(), threads_);
    launch("find_kernel", find_kernel, rows.size(), stream_, index_.view(), codes.data(), first_code, starts.view(),
           found.data());
    stream_.wait();
    download(rows.data(), found.data(), rows.size_bytes(), stream_.pool(), threads_);
  }

  void locate_batch(std::span<const Row> rows, std::span<TextPos> positions) {
    Buffer<Row> asked(rows.size(), stream_);
    Buffer<TextPos> found(rows.size(), stream_);
    stream_.wait();
    upload(asked.data(), rows.data(), rows.size_bytes(), stream_.pool(), threads_);
    launch("locate_kernel", locate_kernel, rows.size(), stream_, index_.view(), asked.view(), found.data());
    stream_.wait();
    download(positions.data(), found.data(), positions.size_bytes(), stream_.pool(), threads_);
  }

  int threads_;
  Stream stream_;  // constructed before the members that use it
  DeviceIndex index_;
};

}  // namespace

std::unique_ptr<Searcher> make_searcher(const FmView& fm, const Backend& backend) {
  return std::make_unique<CudaSearcher>(fm, backend);
}

}  // namespace warpseed::index::cuda
