#include "align/seed/device_seeder.cuh"

#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <bit>
#include <cub/device/device_select.cuh>
#include <stdexcept>
#include <utility>

#include "align/seed/seed_hit_core.hpp"
#include "align/seed/steps_ahead.hpp"
#include "core/appender.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t threads_per_multiprocessor = 1024;  // threads per multiprocessor that share the waiting reads

/// The input of all kernels here.
struct SeedingView {
  index::FmView fm;
  text::GenomeView genome;
  DeviceReadsView reads;
  SeedRules rules;
  AlignOptions options;
  unsigned length_bits;  // of a read's length

  __device__ std::uint64_t key_of(std::uint64_t search, const Seed& seed) const {
    const std::uint64_t longest = (std::uint64_t{1} << length_bits) - 1;
    return (search << length_bits | seed.begin) << length_bits | (longest - seed.length());
  }
};

constexpr int deciding_lanes = 24;  // measured: 2 % slower with 16, 10 % with 8

/// The lanes of a warp extend their matches together. A lane that must decide the next step, which takes many times as
/// long, waits until deciding_lanes lanes have to decide, or no lane extends.
///
/// At 64 registers per thread four blocks share a multiprocessor. With fewer registers, spills cost more than a fifth
/// block gains.
__global__ void __launch_bounds__(threads_per_block, 4)
    seed_kernel(SeedingView view, std::uint32_t* next_read, Appender<FoundSeed> found) {
  const SeedText text = {view.fm, view.genome};
  __shared__ SetAside aside[threads_per_block];  // registers are scarce
  const std::uint64_t reads = view.reads.count();
  std::uint64_t mine = 0;  // the number of a read
  SeedSearch search;
  StepsAhead ahead;
  for (;;) {
    const unsigned deciding = __ballot_sync(all_lanes, ahead.count == 0 && mine < reads);
    const bool extending = __any_sync(all_lanes, ahead.count > 0);
    if (deciding == 0 && !extending) return;
    if (__popc(deciding) >= deciding_lanes || !extending) {
      constexpr int turns = 2;  // one ends an attempt, the other looks up the next one in the table
      for (int turn = 0; turn < turns; ++turn) {
        if (ahead.count == 0 && mine < reads) {
          if (search.step == SeedStep::done) {
            mine = atomicAdd(next_read, 1U);
            if (mine < reads)
              search = start_seeds(text, view.rules, view.reads.orientation(2 * mine), &aside[threadIdx.x]);
          } else {
            decide_step(text, view.rules, search, [&](const Seed& seed) {
              found.add({seed, view.key_of(2 * mine + (search.reverse ? 1 : 0), seed)});
            });
            if (search.step == SeedStep::extend) ahead = steps_ahead(search);
          }
        }
        __syncwarp();  // without it the lanes stay diverged
      }
    }
    if (ahead.count > 0) extend_ahead(view.fm, view.rules, search, ahead);
    __syncwarp();
  }
}

/// Lists keys and indices of seeds, for sorting.
__global__ void list_seeds_kernel(View<FoundSeed> found, std::uint64_t* keys, std::uint32_t* numbers) {
  const std::uint64_t i = thread_index();
  if (i < found.size) keys[i] = found[i].key, numbers[i] = static_cast<std::uint32_t>(i);
}

/// Counts the hits of each seed, in order, and of each search.
__global__ void count_hits_kernel(SeedsInOrder seeds, AlignOptions options, std::uint64_t* of_seed,
                                  std::uint64_t* of_search) {
  const std::uint64_t i = thread_index();
  if (i >= seeds.order.size) return;
  const FoundSeed& mine = seeds[i];
  const std::uint64_t count = used_occurrences(mine.seed, options);
  of_seed[i] = count;
  atomicAdd(reinterpret_cast<unsigned long long*>(&of_search[seeds.search_of(mine)]), count);
}

/// Derives where the hits of each read begin from where those of each search begin.
__global__ void pick_reads_kernel(View<std::uint64_t> of_search, std::uint64_t* of_read) {
  const std::uint64_t read = thread_index();
  if (2 * read < of_search.size) of_read[read] = of_search[2 * read];
}

struct IsFrequent {
  SeedsInOrder seeds;
  AlignOptions options;

  __device__ bool operator()(std::uint32_t i) const { return is_frequent(seeds[i].seed, options); }
};

__global__ void note_lengths_kernel(View<std::uint32_t> lengths, ReadTraits* traits) {
  const std::uint64_t read = thread_index();
  if (read < lengths.size) traits[read] = {lengths[read], 0};
}

/// One thread per frequent seed; the thread of a read's first one handles all of the read. frequent: indices in order.
__global__ void note_repetitive_kernel(SeedsInOrder seeds, View<std::uint32_t> frequent, ReadTraits* traits) {
  const std::uint64_t i = thread_index();
  if (i >= frequent.size) return;
  const auto search_of = [&](std::uint64_t k) { return seeds.search_of(seeds[frequent[k]]); };
  const std::uint64_t read = search_of(i) / 2;
  if (i > 0 && search_of(i - 1) / 2 == read) return;
  std::uint32_t count = 1;
  while (i + count < frequent.size && search_of(i + count) / 2 == read) ++count;
  traits[read].repetitive = covered_bases(count, [&](std::uint32_t k) {
    return stretch_of(seeds[frequent[i + k]].seed, search_of(i + k) % 2 != 0, traits[read].length);
  });
}

/// begins: [reads + 1] where the hits of each read begin.
__global__ void find_part_kernel(View<std::uint64_t> begins, std::uint64_t first, std::uint64_t most, HitPart* part) {
  if (thread_index() > 0) return;
  const std::uint64_t last =
      text::last_not_above(begins.size, begins[first] + most, [&](std::uint64_t i) { return begins[i]; });
  const std::uint64_t end = last > first ? last : first + 1;
  *part = {first, end, begins[first], begins[end] - begins[first]};
}

unsigned bits_of(std::uint64_t largest) {
  return static_cast<unsigned>(std::bit_width(largest));
}

}  // namespace

DeviceSeeder::DeviceSeeder(const AlignmentDeviceData& index, const Stream& stream, std::uint64_t narrow_rows)
    : stream_(stream),
      index_(index),
      rules_(seed_rules(index.fm(), index.options())),
      narrow_(index.fm().row_count() <= narrow_rows) {}

/// Finds the seeds, into found_, and returns their number. If there is too little room, the search is repeated.
std::uint64_t DeviceSeeder::search(const DeviceReadsView& reads) {
  const SeedingView view = {index_.fm(), index_.genome(), reads, rules_, index_.options(), bits_of(reads.longest)};
  const auto make_room = [&](std::uint64_t seeds) {
    found_ = {};  // freed first: both together may not fit
    found_ = Buffer<FoundSeed>(seeds, stream_);
  };
  if (found_.size() < 24 * reads.count()) make_room(24 * reads.count());
  Buffer<std::uint32_t> counters(2, stream_);  // seeds found, reads taken
  for (;;) {
    counters.fill_zero();
    const Appender<FoundSeed> found = {found_.data(), counters.data(), static_cast<std::uint32_t>(found_.size())};
    const std::uint64_t threads =
        std::min(threads_per_multiprocessor * multiprocessors(stream_.device()), reads.count());
    launch("seed_kernel", seed_kernel, threads, stream_, view, counters.data() + 1, found);
    const std::uint32_t count = counters.value_at(0);
    if (count <= found_.size()) return count;
    make_room(count + count / 8);
  }
}

void DeviceSeeder::release() {
  found_ = {}, order_ = {}, seed_hits_ = {}, search_hits_ = {}, read_hits_ = {};
}

SeedsInOrder DeviceSeeder::in_order(const DeviceReadsView& reads) const {
  return {found_.data(), order_.view(), seed_hits_.view(), 2 * bits_of(reads.longest)};
}

/// Sorts the seeds and counts their hits. Sets order_, seed_hits_, search_hits_ and read_hits_.
void DeviceSeeder::put_in_order(const DeviceReadsView& reads, std::uint64_t count) {
  SortablePairs<std::uint32_t> pairs(count, stream_);
  launch("list_seeds_kernel", list_seeds_kernel, count, stream_, View<FoundSeed>{found_.data(), count},
         pairs.keys.data(), pairs.values.data());
  pairs.sort(count, 0, 2 * bits_of(reads.longest) + bits_of(2 * reads.count()), stream_);
  order_ = std::move(pairs.values);
  seed_hits_ = Buffer<std::uint64_t>(count + 1, stream_);
  search_hits_ = Buffer<std::uint64_t>(2 * reads.count() + 1, stream_);
  read_hits_ = Buffer<std::uint64_t>(reads.count() + 1, stream_);
  seed_hits_.fill_zero(), search_hits_.fill_zero();
  launch("count_hits_kernel", count_hits_kernel, count, stream_, in_order(reads), index_.options(), seed_hits_.data(),
         search_hits_.data());
  exclusive_sum(seed_hits_, stream_), exclusive_sum(search_hits_, stream_);
  launch("pick_reads_kernel", pick_reads_kernel, read_hits_.size(), stream_, search_hits_.view(), read_hits_.data());
}

void DeviceSeeder::note_traits(const DeviceReadsView& reads, ReadTraits* traits) const {
  const SeedsInOrder seeds = in_order(reads);
  Buffer<std::uint32_t> which(seeds.order.size, stream_);
  Buffer<std::uint64_t> chosen(1, stream_);
  with_temporary_storage("choosing frequent seeds", stream_, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, thrust::counting_iterator<std::uint32_t>(0), which.data(),
                                 chosen.data(), static_cast<std::int64_t>(which.size()),
                                 IsFrequent{seeds, index_.options()}, stream_.handle());
  });
  launch("note_lengths_kernel", note_lengths_kernel, reads.count(), stream_, reads.lengths, traits);
  const View<std::uint32_t> frequent = which.view().part(0, chosen.value_at(0));
  launch("note_repetitive_kernel", note_repetitive_kernel, frequent.size, stream_, seeds, frequent, traits);
}

void DeviceSeeder::find(const DeviceReadsView& reads, ReadTraits* traits) {
  if (reads.longest > longest_device_read) throw std::invalid_argument("DeviceSeeder: a read is too long");
  put_in_order(reads, search(reads));
  note_traits(reads, traits);
}

HitPart DeviceSeeder::part_from(std::uint64_t first, std::uint64_t most) const {
  Buffer<HitPart> part(1, stream_);
  launch("find_part_kernel", find_part_kernel, 1, stream_, read_hits_.view(), first, most, part.data());
  return part.value_at(0);
}

Buffer<SeedHit> DeviceSeeder::hits_of(const DeviceReadsView& reads, const HitPart& part) const {
  const HitRange range = {search_hits_.view().part(2 * part.first, 2 * part.end + 1), 2 * part.first, part.first_hit,
                          part.hits, narrow_};
  return hits_in_order(index_, rules_, in_order(reads), range, stream_);
}

}  // namespace warpseed::align::cuda
