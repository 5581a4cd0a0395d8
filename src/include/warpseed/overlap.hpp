// What sequences have in common: maximal exact matches, longest common regions, common extensions.
//
// Targets are compared on their forward strand with the queries' strands that are asked for. No match covers an N, so
// masking a part of a sequence, a gene for instance, is writing N over it. Results do not depend on the context.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "warpseed/context.hpp"
#include "warpseed/sequence.hpp"

namespace warpseed {

/// The same bases at two positions. Positions are 0-based and on the forward strand of each sequence.
struct CommonRegion {
  std::uint32_t target = 0;        // index of the target sequence
  std::uint32_t query = 0;         // index of the query sequence
  std::uint64_t target_begin = 0;  // the region covers [begin, begin + length) of both
  std::uint64_t query_begin = 0;
  std::uint64_t length = 0;
  bool reverse = false;  // the target's bases are the reverse complement of the query's

  friend bool operator==(const CommonRegion&, const CommonRegion&) = default;
};

/// Which matches are reported.
///   any        all: MEM
///   in_target  the bases occur once in all targets together, on the forward strand: MAM
///   in_both    and once in their query, on the strand of the match: MUM
enum class Uniqueness { any, in_target, in_both };

struct MatchOptions {
  std::uint64_t min_length = 20;  // at least 1
  Uniqueness uniqueness = Uniqueness::any;
  bool by_query = false;            // order by query position, then target; else by target, then query
  Strands strands = Strands::both;  // of the queries
};

/// Finds every maximal exact match of the targets and the queries: one that cannot be extended on either side. Without
/// queries the targets are compared with themselves, on the forward or both strands: repeats, each once.
///
/// Cost:   one sort of all suffixes, then time proportional to the matches. Memory: of the sort, about 6 bytes per base
///         of the targets and of each strand of the queries on the CPU, 21 on a GPU; and the matches.
/// Throws InputError for a letter outside IUPAC, or for options that do not fit each other; IoError or BackendError if
/// memory does not suffice.
std::vector<CommonRegion> maximal_matches(const std::vector<Sequence>& targets, const std::vector<Sequence>& queries,
                                          const MatchOptions& options = {}, const Context& context = Context());

/// The same for results that memory may not hold: calls visit with portions of the matches, in order, one at a time.
void for_each_maximal_match(const std::vector<Sequence>& targets, const std::vector<Sequence>& queries,
                            const MatchOptions& options, const Context& context,
                            const std::function<void(std::span<const CommonRegion>)>& visit);

/// The longest common region of two sequences, and how often its bases occur in each.
struct LongestRegion {
  CommonRegion region;
  std::uint64_t target_count = 0;  // occurrences in the target sequence, forward
  std::uint64_t query_count = 0;   // in the query sequence, on the strand of the match

  friend bool operator==(const LongestRegion&, const LongestRegion&) = default;
};

struct LongestOptions {
  bool ties = false;    // every region of that length; else the first in the target, then forward, then in the query
  bool within = false;  // of a set compared with itself: also the longest repeat within each sequence
  Strands strands = Strands::both;  // of the queries
};

/// The longest common region of every pair of a target and a query, or without queries of every two targets; none for
/// pairs without a common base. In order of target, query, position. Cost, memory and errors as above.
std::vector<LongestRegion> longest_regions(const std::vector<Sequence>& targets, const std::vector<Sequence>& queries,
                                           const LongestOptions& options = {}, const Context& context = Context());

/// A base of a sequence and the direction to read in. The position is 0-based on the forward strand in both cases. On
/// the reverse strand the base is complemented and the next base is at the position below.
struct StrandPosition {
  std::uint64_t position = 0;
  std::uint32_t sequence = 0;
  bool reverse = false;

  friend bool operator==(const StrandPosition&, const StrandPosition&) = default;
};

struct StrandPositionPair {
  StrandPosition target, query;

  friend bool operator==(const StrandPositionPair&, const StrandPositionPair&) = default;
};

/// How many bases are equal from both positions of each pair on: [pairs]; 0 from an N. Both are positions in
/// `sequences`. Cost and memory as above, then some random accesses per pair.
/// Throws InputError for a letter outside IUPAC, std::invalid_argument for a position outside its sequence.
std::vector<std::uint64_t> common_extensions(const std::vector<Sequence>& sequences,
                                             const std::vector<StrandPositionPair>& pairs,
                                             const Context& context = Context());

}  // namespace warpseed
