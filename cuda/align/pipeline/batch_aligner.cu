// The CUDA implementation of align/pipeline/batch_aligner.hpp. Each device works on a few batches at the same time.
#include "align/pipeline/batch_aligner.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "align/entry.hpp"
#include "align/pipeline/chunked_batch.cuh"
#include "core/background_thread.hpp"
#include "core/blocking_queue.hpp"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t max_batch_bytes = std::uint64_t{8} << 30;  // at most, for a batch

/// Of max_batch_bytes, enough for most batches: hundreds of buffers come and go in each, and where several batches and
/// devices work at the same time their threads would wait for one another in the driver.
constexpr std::uint64_t reserved_batch_bytes = std::uint64_t{2} << 30;
constexpr std::uint64_t bytes_per_read = 8 << 10;  // in a chunk; reads with more hits are processed in parts

/// A batch that is queued or being processed.
struct Job {
  std::span<ReadAlignments> aligned;
  std::uint64_t first_number = 0;
  std::optional<SelectionRequest> selection;  // if set, the batch is complete when it is found
  std::atomic<bool> claimed{false};           // by a device, or by the caller that abandons it
  std::promise<ChunkedBatch*> found;          // set when the reads are aligned
  std::promise<void> taken;                   // set when the batch may be released
};

using JobQueue = BlockingQueue<std::shared_ptr<Job>>;

class CudaAlignmentJob final : public AlignmentJob {
 public:
  CudaAlignmentJob(std::span<ReadAlignments> aligned, std::uint64_t first_number, const SelectionRequest* selection,
                   JobQueue& queue)
      : job_(std::make_shared<Job>()), found_(job_->found.get_future()) {
    job_->aligned = aligned;
    job_->first_number = first_number;
    if (selection) job_->selection = *selection;
    queue.push(job_);
  }
  CudaAlignmentJob(const CudaAlignmentJob&) = delete;
  CudaAlignmentJob& operator=(const CudaAlignmentJob&) = delete;

  ~CudaAlignmentJob() override {
    if (!job_->claimed.exchange(true)) return;  // no device has started it, and none will
    if (found_.valid()) found_.wait();          // the device uses the reads until then
    job_->taken.set_value();
  }

  void wait() override { batch_ = found_.get(); }

  void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                    const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices) override {
    batch_->choose_pairs(first, end, groups, insert_sizes, choices);
  }

  void fetch(std::uint64_t first, std::uint64_t end, FetchScope which) override { batch_->fetch(first, end, which); }

 private:
  std::shared_ptr<Job> job_;
  std::future<ChunkedBatch*> found_;
  ChunkedBatch* batch_ = nullptr;
};

/// An index on a device, and the batches that it processes. Each batch has a host thread that waits for the device.
class AlignmentDevice {
 public:
  /// `pool` must outlive it.
  AlignmentDevice(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options,
                  MemoryPool& pool, int threads, const AlignerLimits& limits)
      : stream_(pool), index_(fm, genome, options, stream_, threads) {
    const std::uint64_t available = pool.available_bytes(limits.memory_bytes);
    const std::uint64_t batches = std::clamp<std::uint64_t>(available / least_batch_bytes, 1, batches_per_device);
    const BatchLimits batch_limits = limits_of_each(available, batches, limits);
    for (std::uint64_t i = 0; i < batches; ++i)
      batches_.push_back(std::make_unique<ChunkedBatch>(index_, ReadAligner(fm, genome, options), pool, batch_limits));
  }

  const std::vector<std::unique_ptr<ChunkedBatch>>& batches() const { return batches_; }

 private:
  /// Where memory is short each batch has a quota. Otherwise one batch could take memory that another one needs, and
  /// that one could not continue, however few reads it had.
  static BatchLimits limits_of_each(std::uint64_t available, std::uint64_t batches, const AlignerLimits& limits) {
    BatchLimits each;
    each.memory_bytes = available / batches;
    if (limits.memory_bytes > 0 || each.memory_bytes < max_batch_bytes) {
      each.quota_bytes =
          each.memory_bytes / 4 * 3;  // the rest is for gaps between buffers, and for sorting the records
      each.memory_bytes = each.quota_bytes;
    } else {
      each.memory_bytes = max_batch_bytes;
      each.reserved_bytes = reserved_batch_bytes;
    }
    constexpr std::uint64_t slice = ReadGroupInsertSizes::reads_to_learn_from;
    each.reads = std::clamp(each.memory_bytes / bytes_per_read / slice * slice, slice, device_batch_reads);
    each.narrow_rows = limits.narrow_rows;
    return each;
  }

  Stream stream_;  // declared before the members that use it
  AlignmentDeviceData index_;
  std::vector<std::unique_ptr<ChunkedBatch>> batches_;
};

/// The pools for an aligner with a limit for each device's memory; 0: none. They are the backend's if these have the
/// same limit, otherwise new ones, which cannot take memory that the backend's keep: these give it back first.
std::shared_ptr<DevicePools> pools_within(std::uint64_t limit_bytes, const Backend& backend) {
  DevicePools& given = pools_of(backend);
  if (limit_bytes == 0 || limit_bytes == given.limit_bytes()) return backend.pools;
  given.trim();
  return make_device_pools(limit_bytes);
}

class CudaBatchAligner final : public BatchAligner {
 public:
  CudaBatchAligner(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options,
                   const Backend& backend, const AlignerLimits& limits)
      : pools_(pools_within(require_memory_for(fm, genome, limits.memory_bytes), backend)) {
    start_devices(fm, genome, options, backend, limits);
    for (const auto& device : devices_) {
      for (const auto& batch : device->batches()) threads_.emplace_back([this, &batch] { work(*batch); });
    }
  }

  std::uint64_t batch_reads() const override { return device_batch_reads; }

  unsigned concurrent_batches() const override { return static_cast<unsigned>(threads_.size()); }

  std::unique_ptr<AlignmentJob> begin(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                                      const SelectionRequest* selection) override {
    return std::make_unique<CudaAlignmentJob>(aligned, first_number, selection, queue_);
  }

  StageTimes times() const override {
    StageTimes times;
    for_batches([&](const ChunkedBatch& batch) { times.add(batch.times()); });
    return times;
  }

  std::uint64_t shrunk_to() const override {
    std::uint64_t least = 0;
    for_batches([&](const ChunkedBatch& batch) {
      const std::uint64_t shrunk_to = batch.shrunk_to();
      if (shrunk_to > 0) least = least == 0 ? shrunk_to : std::min(least, shrunk_to);
    });
    return least;
  }

 private:
  /// All at the same time: each takes the index, gigabytes, by its own bus.
  void start_devices(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options,
                     const Backend& backend, const AlignerLimits& limits) {
    const std::vector<int> numbers = backend.all_devices();
    devices_.resize(numbers.size());
    std::vector<BackgroundThread<>> starts;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      starts.emplace_back([&, i] {
        devices_[i] =
            std::make_unique<AlignmentDevice>(fm, genome, options, pools_->of(numbers[i]), backend.threads, limits);
      });
    }
    for (const auto& start : starts) start.get();
  }

  template <class Visit>
  void for_batches(Visit visit) const {
    for (const auto& device : devices_) {
      for (const auto& batch : device->batches()) visit(*batch);
    }
  }

  /// The loop of one thread: takes job after job.
  void work(ChunkedBatch& batch) {
    while (const std::optional<std::shared_ptr<Job>> job = queue_.pop()) {
      if (!(*job)->claimed.exchange(true)) run(batch, **job);
    }
  }

  static void run(ChunkedBatch& batch, Job& job) {
    try {
      if (job.selection)
        batch.align_and_choose(job.aligned, job.first_number, *job.selection);
      else
        batch.align(job.aligned, job.first_number);
      job.found.set_value(&batch);
    } catch (...) {
      job.found.set_exception(std::current_exception());
    }
    if (!job.selection) job.taken.get_future().wait();
    batch.release();
  }

  const std::shared_ptr<DevicePools> pools_;  // declared before the members that take memory
  std::vector<std::unique_ptr<AlignmentDevice>> devices_;
  JobQueue queue_;
  std::vector<BackgroundThread<>> threads_;
  const QueueCloser<std::shared_ptr<Job>> closer_{queue_};  // last: the threads end when the queue is closed
};

}  // namespace

std::unique_ptr<BatchAligner> make_batch_aligner(const index::FmView& fm, const text::GenomeView& genome,
                                                 const AlignOptions& options, const Backend& backend,
                                                 const AlignerLimits& limits) {
  return std::make_unique<CudaBatchAligner>(fm, genome, options, backend, limits);
}

}  // namespace warpseed::align::cuda
