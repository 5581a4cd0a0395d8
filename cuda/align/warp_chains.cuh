// The chains of one read, in a warp: where they stand and what is known of them.
//
// Hits far enough from those before them begin clusters of their own. Nearly all have few hits, which make one chain, and
// most of these are hopeless: such a chain is made of its hits whenever it is asked for, and written down where it is
// kept. Chains stay where the hits of their cluster stand.
#pragma once

#include <cstdint>

#include "align/chain_core.hpp"
#include "align/warp.cuh"

namespace warpseed::cuda {

/// What is kept for the chain that stands at a hit: 0 where there is none, else its ChainRank, and whether it has been
/// written down.
using ChainMark = std::uint32_t;
constexpr ChainMark written = 1U << 31;

/// What a warp works on: one read's hits and all that is kept for each of them.
struct ChainedRead {
  Hit* hits;
  const std::int32_t* promises;  // what an alignment along each hit's diagonal scores without gaps
  Chain* chains;
  ChainMark* marks;
  std::uint64_t *keys, *sorted;
  std::uint32_t* kept;  // before chains are: where clusters begin
  std::uint32_t count, length;
};

/// The higher score comes first, of equals the chain further left, as promises_more() says.
__device__ inline std::uint64_t key_of(const Chain& chain, std::uint32_t at) {
  return static_cast<std::uint64_t>(0x7FFFFFFF - chain.score) << 32 | at;
}

__device__ inline bool begins_cluster(const ChainedRead& read, std::uint32_t i, std::int32_t band) {
  return i >= read.count || i == 0 || begins_anew(read.hits[i - 1], read.hits[i], read.length, band);
}

__device__ inline Chain scored(const AlignOptions& options, const LoneChain& lone) {
  Chain chain = lone.chain;
  chain.alt = options.is_alt(chain.contig);
  chain.score = lone.score(options.scoring);
  return chain;
}

/// Makes the only chain of the cluster that begins at a hit; false if there are more. Calls visit(i, chain) for each
/// further hit i.
template <class Visit>
__device__ inline bool make_lone_chain(const AlignOptions& options, const ChainedRead& read, std::uint32_t at,
                                       Chain& chain, Visit visit) {
  LoneChain lone(read.hits[at], at, read.promises[at]);
  for (std::uint32_t i = at + 1; !begins_cluster(read, i, options.band); ++i) {
    if (!lone.take(read.hits[i], i, read.promises[i], read.length, options.band)) return false;
    visit(i, lone.chain);
  }
  chain = scored(options, lone);
  return true;
}

/// The chain that stands at a hit.
__device__ inline Chain chain_at(const AlignOptions& options, const ChainedRead& read, std::uint32_t at) {
  if ((read.marks[at] & written) != 0) return read.chains[at];
  Chain chain;
  make_lone_chain(options, read, at, chain, [](std::uint32_t, const Chain&) {});
  return chain;
}

/// Writes a lone chain down and links its hits.
__device__ inline void write_down(const AlignOptions& options, const ChainedRead& read, std::uint32_t at) {
  std::uint32_t last = at;
  make_lone_chain(options, read, at, read.chains[at], [&](std::uint32_t i, const Chain& chain) {
    if (chain.last == i) read.hits[last].next = i, last = i;
  });
}

/// What a lane has seen of a read's chains.
struct ChainsSeen {
  std::uint32_t count = 0;
  std::uint64_t best = 0;  // the complement of the smallest key

  __device__ void add(const Chain& chain, std::uint32_t at) {
    const std::uint64_t mine = ~key_of(chain, at);
    if (mine > best) best = mine;
    ++count;
  }
};

}  // namespace warpseed::cuda
