// The entry behind align/hit_finder.hpp: the hits of a batch, brought here a part at a time.
#include "align/hit_finder.hpp"

#include <algorithm>

#include "align/device_seeder.cuh"
#include "core/transfer.cuh"
#include "entry.hpp"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t hits_at_a_time = std::uint64_t{1} << 26;  // 2 GiB of hits on the device, and as much to sort

class CudaHitFinder final : public HitFinder {
 public:
  CudaHitFinder(const FmView& fm, const GenomeView& genome, const AlignOptions& options, const Backend& backend,
                std::uint64_t narrow_rows)
      : threads_(backend.threads),
        stream_(backend.device),
        index_(fm, genome, options, stream_, threads_),
        seeder_(index_, stream_, threads_, narrow_rows) {}

  void find(std::span<PlacedRead> reads, StageTimes& times) override {
    select(stream_.device());
    times.begin();
    const DeviceReads held(reads, ~std::uint32_t{0}, staging_, stream_);
    stream_.wait();
    const DeviceReadsView on_device = held.view();
    times.end(AlignStage::copies);
    seeder_.find(on_device);
    times.end(AlignStage::seeds);
    note_traits(reads, seeder_.frequent());
    hit_begins_ = seeder_.hit_begins();
    hits_.resize(hit_begins_.back());
    for (std::uint64_t first = 0; first < reads.size();) {
      const std::uint64_t end = part_end(hit_begins_, first, hits_at_a_time);
      const Buffer<Hit> hits = seeder_.hits_of(on_device, first, end);
      stream_.wait();
      times.end(AlignStage::locating);
      download(hits_.data() + hit_begins_[first], hits.data(), hits.size() * sizeof(Hit), stream_.device(), threads_);
      times.end(AlignStage::copies);
      first = end;
    }
  }

 private:
  int threads_;
  Stream stream_;  // before what lives on it
  ResidentIndex index_;
  DeviceSeeder seeder_;
  ReadStaging staging_;
};

}  // namespace

std::unique_ptr<HitFinder> make_hit_finder(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                           const Backend& backend, std::uint64_t narrow_rows) {
  return std::make_unique<CudaHitFinder>(fm, genome, options, backend, narrow_rows);
}

}  // namespace warpseed::cuda
