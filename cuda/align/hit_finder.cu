// The entry behind align/hit_finder.hpp: index and text go to the device once, reads in batches.
//
// Every search is one thread's, step by step as on the CPU; a thread whose search is done takes the next one that
// waits, so that a warp does not wait for its longest read. Seeds come out in any order and are sorted by search and
// number, so that the hits of a read lie together.
#include "align/hit_finder.hpp"

#include <algorithm>
#include <utility>

#include "align/device_reads.cuh"
#include "align/hit_core.hpp"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "core/transfer.cuh"
#include "entry.hpp"
#include "index/device_index.cuh"
#include "text/device_genome.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t searches_at_a_time = 132 * 1024;          // threads that share the waiting searches
constexpr std::uint64_t hits_at_a_time = std::uint64_t{1} << 26;  // 2 GiB of hits on the device
constexpr std::uint64_t hits_a_thread = 16;
constexpr unsigned number_bits = 16;  // of a seed within its search

/// What every kernel here reads.
struct SeedingView {
  FmView fm;
  GenomeView genome;
  DeviceReadsView reads;
  SeedRules rules;
  AlignOptions options;
};

/// A list that grows as threads add to it; what does not fit is counted all the same.
template <class T>
struct Appender {
  T* values;
  std::uint32_t* count;
  std::uint32_t room;

  __device__ void add(const T& value) const {
    const std::uint32_t at = atomicAdd(count, 1U);
    if (at < room) values[at] = value;
  }
};

struct FoundSeed {
  Seed seed;
  std::uint64_t key;  // search and number

  __host__ __device__ std::uint32_t search() const { return static_cast<std::uint32_t>(key >> number_bits); }
};

__device__ std::uint64_t key_of(std::uint64_t search, std::uint32_t number) {
  constexpr std::uint32_t last = (1U << number_bits) - 1;  // an order of what lies beyond does not matter
  return search << number_bits | (number < last ? number : last);
}

/// At 80 registers a thread three blocks share a multiprocessor; with fewer registers spills cost more than a fourth block
/// gains.
__global__ void __launch_bounds__(threads_per_block, 3)
    seed_kernel(SeedingView view, std::uint32_t* next_search, Appender<FoundSeed> found) {
  const SeedText text = {view.fm, view.genome};
  const std::uint64_t searches = 2 * view.reads.count();
  for (;;) {
    const std::uint64_t mine = atomicAdd(next_search, 1U);
    if (mine >= searches) return;
    SeedSearch search = start_seeds(text, view.rules, view.reads.orientation(mine));
    std::uint32_t number = 0;
    while (search.step != SeedStep::done) {
      step_seeds(text, view.rules, search, [&](const Seed& seed) { found.add({seed, key_of(mine, number++)}); });
    }
  }
}

/// Keys and numbers of seeds, to be sorted; and which seeds have more places than are looked at.
__global__ void tell_seeds_kernel(SeedingView view, View<FoundSeed> found, std::uint64_t* keys, std::uint32_t* numbers,
                                  Appender<FrequentSeed> frequent) {
  const std::uint64_t i = thread_index();
  if (i >= found.size) return;
  const FoundSeed& mine = found[i];
  keys[i] = mine.key;
  numbers[i] = static_cast<std::uint32_t>(i);
  if (mine.seed.rows.count() > view.options.max_occurrences)
    frequent.add({mine.search(), mine.seed.begin, mine.seed.end});
}

/// Hits of the seeds in order, and of all reads.
__global__ void count_hits_kernel(SeedingView view, View<FoundSeed> found, View<std::uint32_t> order,
                                  std::uint64_t* of_seed, std::uint64_t* of_read) {
  const std::uint64_t i = thread_index();
  if (i >= order.size) return;
  const FoundSeed& mine = found[order[i]];
  const std::uint64_t count = followed_places(mine.seed, view.options);
  of_seed[i] = count;
  atomicAdd(reinterpret_cast<unsigned long long*>(&of_read[mine.search() / 2]), count);
}

/// A hit on its way to its place.
struct HitWalk {
  Hit hit;
  Walk walk;
};

/// Hits [first, first + count), hits_a_thread neighbouring ones each: a warp does not wait for its longest walk, but for its
/// longest sum of walks.
__global__ void locate_hits_kernel(SeedingView view, View<FoundSeed> found, View<std::uint32_t> order,
                                   View<std::uint64_t> hit_begins, std::uint64_t first, std::uint64_t count,
                                   Hit* hits) {
  std::uint64_t i = hits_a_thread * thread_index();
  const std::uint64_t end = i + hits_a_thread < count ? i + hits_a_thread : count;
  if (i >= end) return;
  std::uint64_t at = last_not_above(order.size, first + i, [&](std::uint64_t k) { return hit_begins[k]; });
  const auto begin = [&] {
    while (hit_begins[at + 1] <= first + i) ++at;
    const FoundSeed& mine = found[order[at]];
    HitWalk begun = {hit_of(mine.seed, mine.search() % 2 != 0, view.rules), {}};
    begun.hit.genome_begin = mine.seed.position;  // a text position, until it is put at its place
    if (mine.seed.position == not_located)
      begun.walk.row = followed_row(mine.seed, view.options, first + i - hit_begins[at]);
    return begun;
  };
  for (HitWalk mine = begin();;) {
    TextPos position = mine.hit.genome_begin;
    if (position == not_located && !step_back(view.fm, mine.walk, position)) continue;
    put_at(mine.hit, position, view.genome);
    hits[i] = mine.hit;
    if (++i == end) return;
    mine = begin();
  }
}

/// values[i] becomes the sum of the values before it.
void sum_before(Buffer<std::uint64_t>& values, const Stream& stream) {
  with_temporary_storage("summing hits", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, values.data(), values.data(), values.size(), stream.handle());
  });
}

class CudaHitFinder final : public HitFinder {
 public:
  CudaHitFinder(const FmView& fm, const GenomeView& genome, const AlignOptions& options, const Backend& backend)
      : threads_(backend.threads),
        stream_(backend.device),
        index_(upload_index(fm, stream_, threads_)),
        genome_(genome, stream_, threads_),
        options_(options),
        rules_(seed_rules(fm, options)) {}

  void find(std::span<PlacedRead> reads, StageTimes& times) override {
    select(stream_.device());
    times.begin();
    const DeviceReads on_device(reads, stream_, threads_);
    times.end(AlignStage::copies);
    const SeedingView view = {index_.view(), genome_.view(), on_device.view(), rules_, options_};
    const std::uint64_t count = find_seeds(view, on_device.count());
    times.end(AlignStage::seeds);
    note_traits(reads, put_in_order(view, count, reads.size()));
    fetch_hits(view, times);
  }

 private:
  /// Returns how many there are; they lie in found_. Where the room was too small, all is searched again.
  std::uint64_t find_seeds(const SeedingView& view, std::uint64_t read_count) {
    if (found_.size() < 24 * read_count) found_ = Buffer<FoundSeed>(24 * read_count, stream_);
    Buffer<std::uint32_t> counters(2, stream_);  // seeds found, searches taken
    for (;;) {
      counters.fill_zero();
      const Appender<FoundSeed> found = {found_.data(), counters.data(), static_cast<std::uint32_t>(found_.size())};
      launch("seed_kernel", seed_kernel, std::min(searches_at_a_time, 2 * read_count), stream_, view,
             counters.data() + 1, found);
      const std::uint32_t count = counters.value_at(0);
      if (count <= found_.size()) return count;
      found_ = Buffer<FoundSeed>(count + count / 8, stream_);
    }
  }

  /// Sorts the seeds by search and counts their hits: order_, seed_hits_, hit_begins_. Returns the frequent ones.
  std::vector<FrequentSeed> put_in_order(const SeedingView& view, std::uint64_t count, std::uint64_t read_count) {
    const View<FoundSeed> found = {found_.data(), count};
    SortablePairs<std::uint32_t> pairs(count, stream_);
    Buffer<FrequentSeed> frequent(count, stream_);
    Buffer<std::uint32_t> frequent_count(1, stream_);
    frequent_count.fill_zero();
    launch("tell_seeds_kernel", tell_seeds_kernel, count, stream_, view, found, pairs.keys.data(), pairs.values.data(),
           Appender<FrequentSeed>{frequent.data(), frequent_count.data(), static_cast<std::uint32_t>(count)});
    unsigned search_bits = 1;
    while (2 * read_count >> search_bits != 0) ++search_bits;
    pairs.sort(count, 0, number_bits + search_bits, stream_);
    order_ = std::move(pairs.values);
    seed_hits_ = Buffer<std::uint64_t>(count + 1, stream_);
    Buffer<std::uint64_t> read_hits(read_count + 1, stream_);
    seed_hits_.fill_zero(), read_hits.fill_zero();
    launch("count_hits_kernel", count_hits_kernel, count, stream_, view, found, order_.view(), seed_hits_.data(),
           read_hits.data());
    sum_before(seed_hits_, stream_), sum_before(read_hits, stream_);
    hit_begins_.resize(read_count + 1);
    read_hits.download(hit_begins_);
    std::vector<FrequentSeed> told(frequent_count.value_at(0));
    download(told.data(), frequent.data(), told.size() * sizeof(FrequentSeed), stream_.device(), threads_);
    return told;
  }

  /// Locates the hits and brings them here, a part of them at a time where they are very many.
  void fetch_hits(const SeedingView& view, StageTimes& times) {
    const std::uint64_t total = hit_begins_.back();
    hits_.resize(total);
    Buffer<Hit> located(std::min(total, hits_at_a_time), stream_);
    for (std::uint64_t first = 0; first < total; first += hits_at_a_time) {
      const std::uint64_t count = std::min(total - first, hits_at_a_time);
      launch("locate_hits_kernel", locate_hits_kernel, (count + hits_a_thread - 1) / hits_a_thread, stream_, view,
             View<FoundSeed>{found_.data(), found_.size()}, order_.view(), seed_hits_.view(), first, count,
             located.data());
      stream_.wait();
      times.end(AlignStage::locating);
      download(hits_.data() + first, located.data(), count * sizeof(Hit), stream_.device(), threads_);
      times.end(AlignStage::copies);
    }
  }

  int threads_;
  Stream stream_;  // before what lives on it
  DeviceIndex index_;
  DeviceGenome genome_;
  const AlignOptions options_;
  const SeedRules rules_;
  Buffer<FoundSeed> found_;          // kept from batch to batch
  Buffer<std::uint32_t> order_;      // [seeds] of the batch, as numbers in found_
  Buffer<std::uint64_t> seed_hits_;  // [seeds + 1] hits before those of each seed, in order
};

}  // namespace

std::unique_ptr<HitFinder> make_hit_finder(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                           const Backend& backend) {
  return std::make_unique<CudaHitFinder>(fm, genome, options, backend);
}

}  // namespace warpseed::cuda
