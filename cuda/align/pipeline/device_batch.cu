#include "align/pipeline/device_batch.cuh"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "align/block_owners.cuh"
#include "align/chain/device_chains.cuh"
#include "align/extend/device_extension.cuh"
#include "align/pair/device_pairs.cuh"
#include "align/select/rank_core.hpp"
#include "core/launch.cuh"
#include "core/ordering.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t bytes_per_hit =
    180;  // to sort it, to chain it, and for the alignments that some hits are extended to

constexpr std::uint64_t max_tracing_bytes = std::uint64_t{256} << 20;  // enough for more alignments than run at a time

/// Sets the pointers to the alignments of a part's reads.
__global__ void set_lists_kernel(Alignment* memory, View<std::uint64_t> begins, Alignment** lists) {
  const std::uint64_t read = thread_index();
  if (read + 1 < begins.size) lists[read] = memory + begins[read];
}

/// Copies the alignments of all reads into one array, one thread per word.
__global__ void gather_kernel(Alignment* const* lists, View<std::uint64_t> begins, Alignment* to) {
  using Word = std::uint64_t;
  constexpr std::uint64_t words = sizeof(Alignment) / sizeof(Word);
  static_assert(sizeof(Alignment) % sizeof(Word) == 0 && alignof(Alignment) == sizeof(Word));
  __shared__ std::uint64_t ends[2];
  const BlockPart part = part_of_block(words * begins[begins.size - 1]);
  const BlockOwners reads(ends, begins.size - 1, part.begin / words, (part.end + words - 1) / words,
                          [&](std::uint64_t read) { return begins[read]; });
  for (std::uint64_t i = part.begin + threadIdx.x; i < part.end; i += blockDim.x) {
    const std::uint64_t alignment = i / words, read = reads.of(alignment);
    const auto* const from = reinterpret_cast<const Word*>(lists[read] + (alignment - begins[read]));
    reinterpret_cast<Word*>(to)[i] = from[i % words];
  }
}

__global__ void count_reported_kernel(Alignment* const* lists, View<std::uint32_t> all, AlignOptions options,
                                      std::uint32_t* counts) {
  const std::uint64_t read = thread_index();
  if (read < all.size) counts[read] = reported_count(lists[read], all[read], options);
}

__global__ void choose_singles_kernel(Alignment* const* lists, View<std::uint32_t> counts, View<ReadTraits> traits,
                                      AlignOptions options, Choice* choices) {
  const std::uint64_t read = thread_index();
  if (read < counts.size) choices[read] = choose_single({lists[read], counts[read]}, traits[read], options);
}

template <class T>
void copy_on_device(T* to, const T* from, std::uint64_t count, const Stream& stream) {
  check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream.handle()),
        "copying on the device");
}

/// Copies one value, which must stay unchanged until the stream has been waited for.
template <class T>
void copy_to_device(T* to, const T& from, const Stream& stream) {
  check(cudaMemcpyAsync(to, &from, sizeof(T), cudaMemcpyHostToDevice, stream.handle()), "copying to the device");
}

/// The alignments of all reads in one array, and where those of each read begin: [reads + 1].
struct Gathered {
  Buffer<Alignment> alignments;
  Buffer<std::uint64_t> begins;
};

/// Gathers the first counts[i] alignments of each read.
Gathered gather(Alignment* const* lists, View<std::uint32_t> counts, const Stream& stream) {
  Gathered result;
  result.begins = exclusive_sums(counts, stream);
  result.alignments = Buffer<Alignment>(result.begins.value_at(counts.size), stream);
  launch("gather_kernel", gather_kernel, threads_for_items(result.alignments.size() * sizeof(Alignment) / 8), stream,
         lists, result.begins.view(), result.alignments.data());
  return result;
}

/// Calls work(begin, end) for parts of [first, end), on the host.
template <class Work>
void for_some_reads(std::uint64_t first, std::uint64_t end, Work work) {
  constexpr std::uint64_t reads_per_task = 4096;
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(first, end, reads_per_task),
                    [&](const auto& part) { work(part.begin(), part.end()); });
}

}  // namespace

DeviceBatch::DeviceBatch(const AlignmentDeviceData& index, ReadAligner alone, MemoryPool& pool,
                         const BatchLimits& limits)
    : index_(index),
      full_reads_(limits.reads),
      memory_bytes_(limits.memory_bytes),
      // Several host threads wait at the same time, and the threads that encode need the CPU.
      stream_(pool, {limits.quota_bytes, Waiting::block}),
      seeder_(index_, stream_, limits.narrow_rows),
      long_reads_(index_, stream_, memory_bytes_),
      cpu_aligner_(std::move(alone)) {
  if (limits.reserved_bytes > 0) stream_.try_reserve(limits.reserved_bytes);
}

void DeviceBatch::align(std::span<ReadAlignments> aligned, std::uint64_t first_number, const RecordRequest* request,
                        std::uint64_t first_read) {
  set_current_device(stream_.device());
  times_.begin();
  aligned_ = aligned;
  first_number_ = first_number;
  held_.clear();
  lists_ = Buffer<Alignment*>(aligned_.size(), stream_);
  counts_ = Buffer<std::uint32_t>(aligned_.size(), stream_);
  traits_ = Buffer<ReadTraits>(aligned_.size(), stream_);
  copy_reads(request, first_read);
  times_.end(AlignStage::copies);
  find_alignments();
  if (reads_->has_all()) return;
  align_on_host();
  times_.end(AlignStage::copies);
  long_reads_.chain(aligned_, times_);
}

void DeviceBatch::copy_reads(const RecordRequest* request, std::uint64_t first_read) {
  staging_.share = share_of(aligned_.size());
  if (request) {
    texts_.upload_groups(*request->read_groups, stream_);
    texts_.upload(*request->reads, first_read, aligned_.size(), staging_.share, stream_);
  }
  reads_.emplace(aligned_, request ? &texts_ : nullptr, longest_device_read, staging_, stream_);
  stream_.wait();
}

void DeviceBatch::find_alignments() {
  const DeviceReadsView reads = reads_->view();
  seeder_.find(reads, traits_.data());
  stream_.wait();
  times_.end(AlignStage::seeds);
  const std::uint64_t most = std::clamp<std::uint64_t>(memory_bytes_ / 2 / bytes_per_hit, 1, 1U << 30);
  for (std::uint64_t from = 0; from < reads.count();) {
    const HitPart part = seeder_.part_from(from, most);
    grow_part(reads, part);
    from = part.end;
  }
}

void DeviceBatch::grow_part(const DeviceReadsView& reads, const HitPart& part) {
  Buffer<SeedHit> hits = seeder_.hits_of(reads, part);
  stream_.wait();
  times_.end(AlignStage::locating);
  const AlignmentView view = {index_.genome(), reads,         index_.options(),     seeder_.hit_begins(),
                              part.first,      first_number_, part.end - part.first};
  DeviceChains chains = chain_hits(view, std::move(hits), stream_);
  stream_.wait();
  times_.end(AlignStage::chains);
  DeviceAlignments found = grow_alignments(view, std::move(chains), reads.longest, stream_);
  Alignment** const lists = lists_.data() + part.first;
  launch("set_lists_kernel", set_lists_kernel, view.read_count, stream_, found.alignments.data(), found.begins.view(),
         lists);
  Gathered kept = gather(lists, found.counts.view(), stream_);
  launch("set_lists_kernel", set_lists_kernel, view.read_count, stream_, kept.alignments.data(), kept.begins.view(),
         lists);
  copy_on_device(counts_.data() + part.first, found.counts.data(), view.read_count, stream_);
  stream_.wait();
  held_.push_back(std::move(kept.alignments));
  times_.end(AlignStage::extension);
}

void DeviceBatch::choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                               const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices) {
  set_current_device(stream_.device());
  times_.begin();
  const DeviceInsertSizes expected(insert_sizes, stream_);
  const Buffer<std::uint32_t> device_groups(groups, stream_);
  Buffer<Choice> chosen(choices.size(), stream_);
  const PairingView view = {index_.genome(), reads_->view(), index_.options(),     lists_.data(),
                            counts_.data(),  traits_.view(), device_groups.view(), expected.view(),
                            first_number_,   first / 2,      (end - first) / 2};
  held_.push_back(choose_alignments(view, reads_->view().longest, expected.widest(), chosen.data(), stream_));
  stream_.wait();
  times_.end(AlignStage::pairs);
  take(std::move(chosen), choices);
}

void DeviceBatch::choose_singles(std::span<Choice> choices) {
  set_current_device(stream_.device());
  times_.begin();
  Buffer<Choice> chosen(choices.size(), stream_);
  launch("choose_singles_kernel", choose_singles_kernel, choices.size(), stream_, lists_.data(), counts_.view(),
         traits_.view(), index_.options(), chosen.data());
  take(std::move(chosen), choices);
}

void DeviceBatch::take(Buffer<Choice> chosen, std::span<Choice> choices) {
  const std::span<Choice> staged = staged_choices_.room(choices.size(), share_of(choices.size()));
  chosen.download(staged);
  stream_.wait();
  std::copy(staged.begin(), staged.end(), choices.begin());
  chosen_ = std::move(chosen);
  times_.end(AlignStage::copies);
}

/// What has been queued for the host, of a part of the batch.
struct DeviceBatch::Fetched {
  Gathered gathered;  // stays until the stream has been waited for, like `paths`
  std::optional<TracedPaths> paths;
  std::span<const Alignment> alignments;
  std::span<const std::uint64_t> begins;  // [reads + 1]
  std::span<const ReadTraits> traits;     // [reads]
};

DeviceBatch::Fetched DeviceBatch::queue_fetch(std::uint64_t first, std::uint64_t end, FetchScope which) {
  Buffer<std::uint32_t> counts(end - first, stream_);
  if (which == FetchScope::all) {
    copy_on_device(counts.data(), counts_.data() + first, counts.size(), stream_);
  } else {
    launch("count_reported_kernel", count_reported_kernel, counts.size(), stream_, lists_.data() + first,
           counts_.view().part(first, end), index_.options(), counts.data());
  }
  Fetched fetched;
  fetched.gathered = gather(lists_.data() + first, counts.view(), stream_);
  const double share = share_of(end - first);
  const std::span<Alignment> alignments = fetched_.room(fetched.gathered.alignments.size(), share);
  const std::span<std::uint64_t> begins = fetched_begins_.room(fetched.gathered.begins.size(), share);
  const std::span<ReadTraits> traits = fetched_traits_.room(end - first, share);
  fetched.gathered.alignments.download(alignments), fetched.gathered.begins.download(begins);
  check(cudaMemcpyAsync(traits.data(), traits_.data() + first, traits.size_bytes(), cudaMemcpyDeviceToHost,
                        stream_.handle()),
        "copying from the device");
  fetched.alignments = alignments, fetched.begins = begins, fetched.traits = traits;
  fetched_paths_.clear();
  if (which == FetchScope::reported) {
    fetched.paths = fetched_paths_.trace(tracing_view(first, end, fetched), alignments.size(),
                                         std::min(memory_bytes_ / 8, max_tracing_bytes), share, stream_);
  }
  return fetched;
}

TracingView DeviceBatch::tracing_view(std::uint64_t first, std::uint64_t end, const Fetched& fetched) const {
  return {index_.genome(), reads_->view().part(first, end), index_.options(), fetched.gathered.alignments.data(),
          fetched.gathered.begins.view()};
}

void DeviceBatch::give(std::uint64_t first, const Fetched& fetched, std::uint64_t read) {
  ReadAlignments& to = aligned_[read];
  const std::uint64_t from = fetched.begins[read - first], end = fetched.begins[read - first + 1];
  to.traits = fetched.traits[read - first];
  to.alignments.assign(fetched.alignments.data() + from, fetched.alignments.data() + end);
  fetched_paths_.give(from, end, to.paths);
}

void DeviceBatch::fetch(std::uint64_t first, std::uint64_t end, FetchScope which) {
  set_current_device(stream_.device());
  times_.begin();
  const Fetched fetched = queue_fetch(first, end, which);
  stream_.wait();
  for_some_reads(first, end, [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i) {
      if (i + prefetched_reads < end) aligned_[i + prefetched_reads].prefetch();
      give(first, fetched, i);
    }
  });
  times_.end(AlignStage::copies);
}

void DeviceBatch::fetch_records(std::span<records::BamRecord> made) {
  set_current_device(stream_.device());
  times_.begin();
  const std::uint64_t count = aligned_.size();
  const Fetched fetched = queue_fetch(0, count, FetchScope::reported);
  records_.make(tracing_view(0, count, fetched), *fetched.paths, texts_.view(), chosen_.data(), share_of(count),
                stream_);
  stream_.wait();
  texts_.release();
  for_some_reads(0, count, [&](std::uint64_t begin, std::uint64_t end) {
    records_.take(begin, made.subspan(begin, end - begin));
    for (std::uint64_t i = begin; i < end; ++i) {
      if (!records_.has(i)) give(0, fetched, i);
    }
  });
  records_.release();
  times_.end(AlignStage::copies);
}

/// The fraction that `reads` are of a full batch, with a lower limit.
double DeviceBatch::share_of(std::uint64_t reads) const {
  constexpr double least = 0.25;  // an estimate from few reads may be far off
  return std::clamp(static_cast<double>(reads) / static_cast<double>(full_reads_), least, 1.0);
}

void DeviceBatch::release() {
  aligned_ = {};
  held_.clear();
  reads_.reset();
  lists_ = {}, counts_ = {}, traits_ = {}, chosen_ = {};
  texts_.release();
}

void DeviceBatch::release_seeds() {
  set_current_device(stream_.device());
  stream_.wait();
  seeder_.release();
}

void DeviceBatch::abandon() {
  release_seeds();
  release();
  stream_.pool().trim();
}

void DeviceBatch::align_on_host() {
  for (std::size_t i = 0; i < aligned_.size(); ++i) {
    if (aligned_[i].is_long || aligned_[i].read.length() <= longest_device_read) continue;
    cpu_aligner_.align(aligned_.subspan(i, 1), first_number_ + i);
    const auto& found = aligned_[i].alignments;
    held_.emplace_back(found, stream_);
    Alignment* const align =
        held_.back().data();  // the source of a copy must stay until the stream has been waited for
    const auto count = static_cast<std::uint32_t>(found.size());
    copy_to_device(lists_.data() + i, align, stream_);
    copy_to_device(counts_.data() + i, count, stream_);
    copy_to_device(traits_.data() + i, aligned_[i].traits, stream_);
    stream_.wait();
  }
}

}  // namespace warpseed::align::cuda
