// The entry behind align/batch_placer.hpp: the reads of a batch go to the device, what is found comes back.
#include "align/batch_placer.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "align/device_pairs.cuh"
#include "align/device_placer.cuh"
#include "align/read_placer.hpp"
#include "core/launch.cuh"
#include "core/transfer.cuh"
#include "entry.hpp"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t bytes_a_hit =
    180;  // sorted, joined to chains, and the alignments that grow from a part of them

/// Where the alignments of a part's reads stand.
__global__ void note_places_kernel(Alignment* memory, View<std::uint64_t> begins, Alignment** places) {
  const std::uint64_t read = thread_index();
  if (read + 1 < begins.size) places[read] = memory + begins[read];
}

/// Alignments one read's behind the other's.
__global__ void gather_kernel(Alignment* const* places, View<std::uint32_t> counts, View<std::uint64_t> begins,
                              Alignment* to) {
  const std::uint64_t read = thread_index();
  if (read >= counts.size) return;
  for (std::uint32_t i = 0; i < counts[read]; ++i) to[begins[read] + i] = places[read][i];
}

/// Alignments one read's behind the other's, and where each read's begin: [reads + 1], here and on the device.
struct Gathered {
  Buffer<Alignment> alignments;
  Buffer<std::uint64_t> begins;
  std::vector<std::uint64_t> host_begins;
};

Gathered gather(Alignment* const* places, View<std::uint32_t> counts, const Stream& stream) {
  Gathered result;
  result.begins = sums_before(counts, stream);
  result.host_begins.resize(counts.size + 1);
  result.begins.download(result.host_begins);
  stream.wait();
  result.alignments = Buffer<Alignment>(result.host_begins.back(), stream);
  launch("gather_kernel", gather_kernel, counts.size, stream, places, counts, result.begins.view(),
         result.alignments.data());
  return result;
}

class CudaBatchPlacer final : public BatchPlacer {
 public:
  CudaBatchPlacer(const FmView& fm, const GenomeView& genome, const AlignOptions& options, const Backend& backend)
      : threads_(backend.threads),
        stream_(backend.device),
        index_(fm, genome, options, stream_, threads_),
        seeder_(index_, stream_, threads_),
        alone_(fm, genome, options) {}

  std::uint64_t batch_reads() const override { return 8 * GroupInserts::reads_to_learn_from; }

  void place(std::span<PlacedRead> placed, std::uint64_t first_number) override {
    select(stream_.device());
    times_.begin();
    placed_ = placed;
    first_number_ = first_number;
    held_.clear();
    reads_.emplace(placed_, longest_device_read, staging_, stream_, threads_);
    places_ = Buffer<Alignment*>(placed_.size(), stream_);
    counts_ = Buffer<std::uint32_t>(placed_.size(), stream_);
    times_.end(AlignStage::copies);
    seeder_.find(*reads_);
    times_.end(AlignStage::seeds);
    for_reads(0, placed_.size(), [&](std::uint64_t i) { placed_[i].traits = {placed_[i].read.length(), 0}; });
    note_frequent(placed_, seeder_.frequent());
    const std::uint64_t most = std::max<std::uint64_t>(free_device_bytes() / 2 / bytes_a_hit, 1);
    for (std::uint64_t first = 0; first < placed_.size();) {
      const std::uint64_t end = part_end(seeder_.hit_begins(), first, std::min<std::uint64_t>(most, 1U << 30));
      place_part(first, end - first);
      first = end;
    }
    place_long_reads();
    upload_traits();
    times_.end(AlignStage::copies);
  }

  void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                    const GroupInserts& inserts, std::span<PairOfChoices> choices) override {
    select(stream_.device());
    times_.begin();
    const Buffer<std::uint32_t> device_groups(groups, stream_);
    const DeviceInserts expected(inserts, stream_);
    const PairingView view = {index_.genome(), reads_->view(), index_.options(),     places_.data(),
                              counts_.data(),  traits_.view(), device_groups.view(), expected.view(),
                              first_number_,   first / 2,      (end - first) / 2};
    if (index_.options().rescue_mates) {
      for (Buffer<Alignment>& memory : rescue_mates(view, reads_->longest(), expected.widest(), stream_))
        held_.push_back(std::move(memory));
    }
    Buffer<PairOfChoices> chosen(choices.size(), stream_);
    choose_places(view, chosen.data(), stream_);
    stream_.wait();
    times_.end(AlignStage::pairs);
    download(choices.data(), chosen.data(), choices.size_bytes(), stream_.device(), threads_);
    times_.end(AlignStage::copies);
  }

  void fetch(std::uint64_t first, std::uint64_t end) override {
    select(stream_.device());
    times_.begin();
    const Gathered gathered = gather(places_.data() + first, counts_.view().part(first, end), stream_);
    stream_.wait();
    const std::uint64_t count = gathered.alignments.size();
    if (fetched_.size() < count) fetched_.resize(count);
    download(fetched_.data(), gathered.alignments.data(), count * sizeof(Alignment), stream_.device(), threads_);
    for_reads(first, end, [&](std::uint64_t i) {
      const Alignment* const all = fetched_.data();
      placed_[i].alignments.assign(all + gathered.host_begins[i - first], all + gathered.host_begins[i - first + 1]);
    });
    times_.end(AlignStage::copies);
  }

  StageTimes times() const override { return times_; }

 private:
  /// Reads [first, first + count) of the batch.
  void place_part(std::uint64_t first, std::uint64_t count) {
    Buffer<Hit> hits = seeder_.hits_of(*reads_, first, first + count);
    stream_.wait();
    times_.end(AlignStage::locating);
    const PlacingView view = {index_.genome(), reads_->view(), index_.options(), seeder_.device_hit_begins(), first,
                              first_number_,   count};
    DeviceChains chains = chain_hits(view, std::move(hits), stream_);
    stream_.wait();
    times_.end(AlignStage::chains);
    DeviceAlignments found = grow_alignments(view, std::move(chains), reads_->longest(), stream_);
    launch("note_places_kernel", note_places_kernel, count, stream_, found.alignments.data(), found.begins.view(),
           places_.data() + first);
    Gathered kept = gather(places_.data() + first, found.counts.view(), stream_);
    launch("note_places_kernel", note_places_kernel, count, stream_, kept.alignments.data(), kept.begins.view(),
           places_.data() + first);
    copy_on_device(counts_.data() + first, found.counts.data(), count);
    stream_.wait();
    held_.push_back(std::move(kept.alignments));
    times_.end(AlignStage::extension);
  }

  /// Those that the device takes for empty are placed here.
  void place_long_reads() {
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      if (placed_[i].read.length() <= longest_device_read) continue;
      alone_.place(placed_.subspan(i, 1), first_number_ + i);
      const std::vector<Alignment>& found = placed_[i].alignments;
      held_.emplace_back(found, stream_);
      const Buffer<Alignment*> place(std::vector<Alignment*>{held_.back().data()}, stream_);
      const Buffer<std::uint32_t> count(std::vector<std::uint32_t>{static_cast<std::uint32_t>(found.size())}, stream_);
      copy_on_device(places_.data() + i, place.data(), 1);
      copy_on_device(counts_.data() + i, count.data(), 1);
      stream_.wait();
    }
  }

  void upload_traits() {
    std::vector<ReadTraits> traits(placed_.size());
    for_reads(0, traits.size(), [&](std::uint64_t i) { traits[i] = placed_[i].traits; });
    traits_ = Buffer<ReadTraits>(traits.size(), stream_);
    stream_.wait();
    upload(traits_.data(), traits.data(), traits.size() * sizeof(ReadTraits), stream_.device(), threads_);
  }

  /// Calls work(i) for i in [first, end), on the host, in the caller's arena: its threads come to help without leaving it.
  template <class Work>
  static void for_reads(std::uint64_t first, std::uint64_t end, Work work) {
    constexpr std::uint64_t reads_a_task = 4096;
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(first, end, reads_a_task), [&](const auto& part) {
      for (std::uint64_t i = part.begin(); i < part.end(); ++i) work(i);
    });
  }

  template <class T>
  void copy_on_device(T* to, const T* from, std::uint64_t count) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream_.handle()),
          "copying on the device");
  }

  int threads_;
  Stream stream_;  // before what lives on it
  ResidentIndex index_;
  DeviceSeeder seeder_;
  std::span<PlacedRead> placed_;  // the batch at hand, as what follows
  std::uint64_t first_number_ = 0;
  ReadStaging staging_;
  std::optional<DeviceReads> reads_;
  Buffer<ReadTraits> traits_;
  Buffer<Alignment*> places_;            // [reads] where the alignments of each stand
  Buffer<std::uint32_t> counts_;         // [reads] how many
  std::vector<Alignment> fetched_;       // on their way to placed_; kept from batch to batch
  std::vector<Buffer<Alignment>> held_;  // what places_ points into
  ReadPlacer alone_;                     // for reads that are too long for the device
  StageTimes times_;
};

}  // namespace

std::unique_ptr<BatchPlacer> make_batch_placer(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                               const Backend& backend) {
  return std::make_unique<CudaBatchPlacer>(fm, genome, options, backend);
}

}  // namespace warpseed::cuda
