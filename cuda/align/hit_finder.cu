// The entry behind align/hit_finder.hpp: the hits of a batch, brought here a part at a time.
#include "align/hit_finder.hpp"

#include <vector>

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
        seeder_(index_, stream_, narrow_rows) {}

  void find(std::span<PlacedRead> reads, StageTimes& times) override {
    select(stream_.device());
    times.begin();
    const DeviceReads held(reads, ~std::uint32_t{0}, staging_, stream_);
    stream_.wait();
    const DeviceReadsView on_device = held.view();
    times.end(AlignStage::copies);
    Buffer<ReadTraits> traits(reads.size(), stream_);
    seeder_.find(on_device, traits.data());
    stream_.wait();
    times.end(AlignStage::seeds);
    fetch_traits(traits, reads);
    hit_begins_.resize(reads.size() + 1);
    fetch(seeder_.hit_begins(), hit_begins_.data());
    hits_.resize(hit_begins_.back());
    times.end(AlignStage::copies);
    for (std::uint64_t first = 0; first < reads.size();) {
      const HitPart part = seeder_.part_from(first, hits_at_a_time);
      const Buffer<Hit> hits = seeder_.hits_of(on_device, part);
      stream_.wait();
      times.end(AlignStage::locating);
      fetch(hits.view(), hits_.data() + part.first_hit);
      times.end(AlignStage::copies);
      first = part.end;
    }
  }

 private:
  template <class T>
  void fetch(View<T> from, T* to) const {
    download(to, from.data, from.size * sizeof(T), stream_.device(), threads_);
  }

  void fetch_traits(const Buffer<ReadTraits>& traits, std::span<PlacedRead> reads) const {
    std::vector<ReadTraits> fetched(reads.size());
    fetch(traits.view(), fetched.data());
    for (std::size_t i = 0; i < reads.size(); ++i) reads[i].traits = fetched[i];
  }

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
