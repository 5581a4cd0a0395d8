// The chains of one read, in a warp: where they are stored, and their marks and sketches.
//
// A hit far enough from those before it begins a new cluster. Nearly all clusters have few hits, which form one chain,
// and most of these chains are dominated. So only a sketch of such a chain is kept, and the chain is stored if it
// survives. The chains of a cluster have the indices of its hits.
#pragma once

#include <cstdint>

#include "align/chain/chain_core.hpp"
#include "align/seed/device_seed_hits.cuh"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

/// The mark of the chain at a hit's index: 0 if there is none, else its ChainRank, and `written` if it is stored.
using ChainMark = std::uint32_t;
constexpr ChainMark written = 1U << 31;

/// The fields that decide whether a chain is dominated, in one number: its score above its range of the read.
struct ChainSketch {
  std::uint64_t packed;

  __device__ explicit ChainSketch(std::uint64_t sketch) : packed(sketch) {}
  __device__ explicit ChainSketch(const Chain& chain)
      : packed(static_cast<std::uint64_t>(static_cast<std::uint32_t>(chain.score)) << 32 | chain.query_begin << 17 |
               chain.query_end << 2 | (chain.reverse ? 2 : 0) | (chain.alt ? 1 : 0)) {}

  __device__ std::int32_t score() const { return static_cast<std::int32_t>(packed >> 32); }

  /// A chain with the fields that filtered_by() reads.
  __device__ Chain chain(std::uint32_t weight) const {
    const auto rest = static_cast<std::uint32_t>(packed);
    Chain chain;
    chain.score = score();
    chain.query_begin = rest >> 17, chain.query_end = rest >> 2 & 0x7FFF;
    chain.query_cover = chain.genome_cover = weight;
    chain.reverse = (rest & 2) != 0, chain.alt = (rest & 1) != 0;
    return chain;
  }
};
static_assert(longest_device_read < 1U << 15);

constexpr std::uint32_t rank_bits =
    9;  // of a ChainRank that are counted per pass: all of them for reads of up to 255 bases

/// The data of a warp: one read's hits, and the arrays indexed by them.
struct ChainedRead {
  SeedHit* hits;
  const std::int32_t* ungapped_scores;  // of each hit's diagonal
  Chain* chains;
  ChainMark* marks;
  std::uint64_t* keys;  // of candidate chains; before that, the sketches of all
  std::uint64_t* sorted;
  std::uint32_t* kept;  // before chains are kept: where clusters begin
  std::uint32_t* bins;  // [2^rank_bits] in shared memory
  std::uint32_t count, length;

  __device__ SeedHit hit(std::uint32_t i) const {  // in two loads
    static_assert(sizeof(SeedHit) == 2 * sizeof(ulonglong2));
    const auto* from = reinterpret_cast<const ulonglong2*>(hits + i);
    const ulonglong2 halves[2] = {from[0], from[1]};
    SeedHit hit;
    __builtin_memcpy(&hit, halves, sizeof hit);
    return hit;
  }
};

/// Orders like scores_higher(): the higher score comes first, then the lower index.
__device__ inline std::uint64_t key_of(std::int32_t score, std::uint32_t at) {
  return static_cast<std::uint64_t>(0x7FFFFFFF - score) << 32 | at;
}

__device__ inline Chain scored(const AlignOptions& options, const SingleChainBuilder& single) {
  Chain chain = single.chain;
  chain.alt = options.is_alt(chain.contig);
  chain.score = single.score(options.scoring);
  return chain;
}

/// Builds the only chain of the cluster that begins at a hit; false if there are more. Calls visit(i, chain) for each
/// further hit i.
template <class Visit>
__device__ inline bool build_single_chain(const AlignOptions& options, const ChainedRead& read, std::uint32_t at,
                                          Chain& chain, Visit visit) {
  SeedHit before = read.hit(at);
  SingleChainBuilder single(before, at, read.ungapped_scores[at]);
  for (std::uint32_t i = at + 1; i < read.count; ++i) {
    const SeedHit hit = read.hit(i);
    if (starts_new_cluster(before, hit, read.length, options.band)) break;
    if (!single.take(hit, i, read.ungapped_scores[i], read.length, options.band)) return false;
    visit(i, single.chain);
    before = hit;
  }
  chain = scored(options, single);
  return true;
}

/// The chain at a hit's index.
__device__ inline Chain chain_at(const AlignOptions& options, const ChainedRead& read, std::uint32_t at) {
  if ((read.marks[at] & written) != 0) return read.chains[at];
  Chain chain;
  build_single_chain(options, read, at, chain, [](std::uint32_t, const Chain&) {});
  return chain;
}

/// Stores the only chain of a cluster and links its hits.
__device__ inline void store_chain(const AlignOptions& options, const ChainedRead& read, std::uint32_t at) {
  std::uint32_t last = at;
  build_single_chain(options, read, at, read.chains[at], [&](std::uint32_t i, const Chain& chain) {
    if (chain.last == i) read.hits[last].next = i, last = i;
  });
}

/// The number and the best of a read's chains that a lane has seen.
struct ChainsSeen {
  std::uint32_t count = 0;
  std::uint64_t best = 0;  // the complement of the smallest key

  __device__ void add(std::int32_t score, std::uint32_t at) {
    const std::uint64_t mine = ~key_of(score, at);
    if (mine > best) best = mine;
    ++count;
  }
};

/// Stores the mark and the sketch of the chain at a hit's index.
__device__ inline void mark_chain(const ChainedRead& read, const Chain& chain, std::uint32_t at, ChainMark mark,
                                  ChainsSeen& seen) {
  read.marks[at] = ChainRank(read.length).of(chain) | mark;
  read.keys[at] = ChainSketch(chain).packed;
  seen.add(chain.score, at);
}

}  // namespace warpseed::align::cuda
