#include "align/device_seeder.cuh"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "align/hit_core.hpp"
#include "core/appender.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "core/transfer.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t searches_at_a_time = 132 * 1024;  // threads that share the waiting searches
constexpr std::uint64_t hits_a_thread = 16;

/// What every kernel here reads.
struct SeedingView {
  FmView fm;
  GenomeView genome;
  DeviceReadsView reads;
  SeedRules rules;
  AlignOptions options;
  unsigned length_bits;  // of a read's length

  __device__ std::uint64_t key_of(std::uint64_t search, const Seed& seed) const {
    const std::uint64_t longest = (std::uint64_t{1} << length_bits) - 1;
    return (search << length_bits | seed.begin) << length_bits | (longest - seed.length());
  }
  __device__ std::uint64_t search_of(const FoundSeed& found) const { return found.key >> 2 * length_bits; }
};

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
    while (search.step != SeedStep::done) {
      step_seeds(text, view.rules, search, [&](const Seed& seed) { found.add({seed, view.key_of(mine, seed)}); });
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
    frequent.add({static_cast<std::uint32_t>(view.search_of(mine)), mine.seed.begin, mine.seed.end});
}

/// Hits of the seeds in order, and of all reads.
__global__ void count_hits_kernel(SeedingView view, View<FoundSeed> found, View<std::uint32_t> order,
                                  std::uint64_t* of_seed, std::uint64_t* of_read) {
  const std::uint64_t i = thread_index();
  if (i >= order.size) return;
  const FoundSeed& mine = found[order[i]];
  const std::uint64_t count = followed_places(mine.seed, view.options);
  of_seed[i] = count;
  atomicAdd(reinterpret_cast<unsigned long long*>(&of_read[view.search_of(mine) / 2]), count);
}

/// Hits as they are sorted: the key is read, strand and genome position, the value what else there is.
struct PackedHits {
  std::uint64_t* keys;
  std::uint32_t* values;
  std::uint64_t first_read;
  unsigned position_bits;

  __device__ void put(std::uint64_t i, std::uint64_t read, const Hit& hit) const {
    keys[i] = ((read - first_read) << 1 | (hit.reverse ? 1 : 0)) << position_bits | hit.genome_begin;
    values[i] = hit.query_begin << 16 | hit.length << 1 | (hit.rare ? 1 : 0);
  }
  __device__ Hit at(std::uint64_t i, const GenomeView& genome) const {
    Hit hit;
    hit.genome_begin = keys[i] & ((std::uint64_t{1} << position_bits) - 1);
    hit.contig = static_cast<std::uint32_t>(contig_at(genome, hit.genome_begin));
    hit.query_begin = values[i] >> 16;
    hit.length = values[i] >> 1 & longest_device_read;
    hit.reverse = (keys[i] >> position_bits & 1) != 0;
    hit.rare = (values[i] & 1) != 0;
    return hit;
  }
};

/// A hit on its way to its place.
struct HitWalk {
  Hit hit;
  Walk walk;
  std::uint64_t read;
};

/// Hits [first, first + count), hits_a_thread neighbouring ones each: a warp does not wait for its longest walk, but for its
/// longest sum of walks.
__global__ void locate_hits_kernel(SeedingView view, View<FoundSeed> found, View<std::uint32_t> order,
                                   View<std::uint64_t> hit_begins, std::uint64_t first, std::uint64_t count,
                                   PackedHits hits) {
  std::uint64_t i = hits_a_thread * thread_index();
  const std::uint64_t end = i + hits_a_thread < count ? i + hits_a_thread : count;
  if (i >= end) return;
  std::uint64_t at = last_not_above(order.size, first + i, [&](std::uint64_t k) { return hit_begins[k]; });
  const auto begin = [&] {
    while (hit_begins[at + 1] <= first + i) ++at;
    const FoundSeed& mine = found[order[at]];
    const std::uint64_t search = view.search_of(mine);
    HitWalk begun = {hit_of(mine.seed, search % 2 != 0, view.rules), {}, search / 2};
    begun.hit.genome_begin = mine.seed.position;  // a text position, until it is put at its place
    if (mine.seed.position == not_located)
      begun.walk.row = followed_row(mine.seed, view.options, first + i - hit_begins[at]);
    return begun;
  };
  for (HitWalk mine = begin();;) {
    TextPos position = mine.hit.genome_begin;
    if (position == not_located && !step_back(view.fm, mine.walk, position)) continue;
    mine.hit.genome_begin = to_genome(view.genome, position);
    hits.put(i, mine.read, mine.hit);
    if (++i == end) return;
    mine = begin();
  }
}

__global__ void unpack_hits_kernel(PackedHits packed, GenomeView genome, std::uint64_t count, Hit* hits) {
  const std::uint64_t i = thread_index();
  if (i < count) hits[i] = packed.at(i, genome);
}

unsigned bits_of(std::uint64_t largest) {
  return static_cast<unsigned>(std::bit_width(largest));
}

}  // namespace

std::uint64_t part_end(const std::vector<std::uint64_t>& hit_begins, std::uint64_t first, std::uint64_t most) {
  const auto begin = hit_begins.begin() + static_cast<std::ptrdiff_t>(first);
  const auto beyond = std::upper_bound(begin + 1, hit_begins.end(), *begin + most);
  const auto end = static_cast<std::uint64_t>(beyond - hit_begins.begin()) - 1;
  return std::max(end, first + 1);
}

DeviceSeeder::DeviceSeeder(const ResidentIndex& index, const Stream& stream, int threads)
    : stream_(stream),
      threads_(threads),
      index_(index),
      rules_(seed_rules(index.fm(), index.options())),
      position_bits_(bits_of(index.position_count())) {}

/// Returns how many there are; they lie in found_. Where the room was too small, all is searched again.
std::uint64_t DeviceSeeder::search(const DeviceReadsView& reads) {
  const SeedingView view = {index_.fm(), index_.genome(), reads, rules_, index_.options(), bits_of(reads.longest)};
  if (found_.size() < 24 * reads.count()) found_ = Buffer<FoundSeed>(24 * reads.count(), stream_);
  Buffer<std::uint32_t> counters(2, stream_);  // seeds found, searches taken
  for (;;) {
    counters.fill_zero();
    const Appender<FoundSeed> found = {found_.data(), counters.data(), static_cast<std::uint32_t>(found_.size())};
    launch("seed_kernel", seed_kernel, std::min(searches_at_a_time, 2 * reads.count()), stream_, view,
           counters.data() + 1, found);
    const std::uint32_t count = counters.value_at(0);
    if (count <= found_.size()) return count;
    found_ = Buffer<FoundSeed>(count + count / 8, stream_);
  }
}

/// Sorts the seeds and counts their hits: order_, seed_hits_, read_hits_, hit_begins_, frequent_.
void DeviceSeeder::put_in_order(const DeviceReadsView& reads, std::uint64_t count) {
  const SeedingView view = {index_.fm(), index_.genome(), reads, rules_, index_.options(), bits_of(reads.longest)};
  const View<FoundSeed> found = {found_.data(), count};
  SortablePairs<std::uint32_t> pairs(count, stream_);
  Buffer<FrequentSeed> frequent(count, stream_);
  Buffer<std::uint32_t> frequent_count(1, stream_);
  frequent_count.fill_zero();
  launch("tell_seeds_kernel", tell_seeds_kernel, count, stream_, view, found, pairs.keys.data(), pairs.values.data(),
         Appender<FrequentSeed>{frequent.data(), frequent_count.data(), static_cast<std::uint32_t>(count)});
  pairs.sort(count, 0, 2 * view.length_bits + bits_of(2 * reads.count()), stream_);
  order_ = std::move(pairs.values);
  seed_hits_ = Buffer<std::uint64_t>(count + 1, stream_);
  read_hits_ = Buffer<std::uint64_t>(reads.count() + 1, stream_);
  seed_hits_.fill_zero(), read_hits_.fill_zero();
  launch("count_hits_kernel", count_hits_kernel, count, stream_, view, found, order_.view(), seed_hits_.data(),
         read_hits_.data());
  exclusive_sum(seed_hits_, stream_), exclusive_sum(read_hits_, stream_);
  hit_begins_.resize(reads.count() + 1);
  read_hits_.download(hit_begins_);
  frequent_.resize(frequent_count.value_at(0));
  download(frequent_.data(), frequent.data(), frequent_.size() * sizeof(FrequentSeed), stream_.device(), threads_);
}

void DeviceSeeder::find(const DeviceReadsView& reads) {
  if (reads.longest > longest_device_read) throw std::invalid_argument("DeviceSeeder: a read is too long");
  put_in_order(reads, search(reads));
}

Buffer<Hit> DeviceSeeder::hits_of(const DeviceReadsView& reads, std::uint64_t first, std::uint64_t end) {
  const SeedingView view = {index_.fm(), index_.genome(), reads, rules_, index_.options(), bits_of(reads.longest)};
  const std::uint64_t count = hit_begins_[end] - hit_begins_[first];
  Buffer<Hit> hits(count, stream_);
  SortablePairs<std::uint32_t> pairs(count, stream_);
  launch("locate_hits_kernel", locate_hits_kernel, (count + hits_a_thread - 1) / hits_a_thread, stream_, view,
         View<FoundSeed>{found_.data(), found_.size()}, order_.view(), seed_hits_.view(), hit_begins_[first], count,
         PackedHits{pairs.keys.data(), pairs.values.data(), first, position_bits_});
  pairs.sort(count, 0, position_bits_ + 1 + bits_of(end - first), stream_);
  launch("unpack_hits_kernel", unpack_hits_kernel, count, stream_,
         PackedHits{pairs.keys.data(), pairs.values.data(), first, position_bits_}, index_.genome(), count,
         hits.data());
  return hits;
}

}  // namespace warpseed::cuda
