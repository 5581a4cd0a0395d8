// A thread searches one part of a strand; what it finds is listed, located and continued in the text by one thread an
// occurrence. The order in which matches are listed differs from run to run; sorting makes it the same.
#include "align/long_reads/device_anchors.cuh"

#include <bit>
#include <utility>

#include "align/long_reads/anchor_chain_core.hpp"
#include "core/launch.cuh"
#include "core/ordering.cuh"
#include "core/primitives.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t matches_a_part = 16;  // room for twice what reads with many errors have on their own strand

/// A match of a strand: at a text position, or at all of its rows.
struct FoundMatch {
  std::uint64_t row_or_position;
  std::uint32_t begin, end;
  std::uint32_t strand;
  std::uint32_t rows;  // 0: located
};

__global__ void find_matches_kernel(index::FmView fm, text::GenomeView genome, AnchorRules rules, LongReadsView reads,
                                    std::uint64_t room, FoundMatch* matches, unsigned long long* count) {
  const std::uint64_t i = thread_index(), read_count = reads.count();
  if (i >= reads.part_begins[read_count]) return;
  const std::uint64_t read = text::last_not_above(read_count, i, [&](std::uint64_t k) { return reads.part_begins[k]; });
  const AnchorPart part = anchor_part(reads.lengths[read], static_cast<std::uint32_t>(i - reads.part_begins[read]));
  const std::uint32_t strand = strand_number(read, part.reverse);
  AnchorSearch search = start_anchors(fm, rules, reads.strand(read, part.reverse), part.begin, part.end);
  while (search.step != AnchorStep::done) {
    step_anchors(fm, genome, rules, search, [&](const AnchorMatch& match) {
      const bool located = match.position != text::no_text_pos;
      if (!located && match.rows.count() > rules.max_rows) return;
      const std::uint64_t slot = atomicAdd(count, 1ULL);
      if (slot >= room) return;
      matches[slot] = {located ? match.position : match.rows.begin, match.begin, match.end, strand,
                       located ? 0 : static_cast<std::uint32_t>(match.rows.count())};
    });
  }
}

__global__ void count_occurrences_kernel(View<FoundMatch> matches, std::uint64_t* counts) {
  const std::uint64_t i = thread_index();
  if (i < matches.size) counts[i] = matches[i].rows == 0 ? 1 : matches[i].rows;
}

__global__ void locate_anchors_kernel(index::FmView fm, text::GenomeView genome, LongReadsView reads,
                                      View<FoundMatch> matches, View<std::uint64_t> begins, std::uint64_t count,
                                      StrandAnchor* anchors) {
  const std::uint64_t i = thread_index();
  if (i >= count) return;
  const std::uint64_t at = text::last_not_above(matches.size, i, [&](std::uint64_t k) { return begins[k]; });
  const FoundMatch& found = matches[at];
  AnchorMatch match = {found.begin, found.end, {}, found.row_or_position};
  const bool reverse = found.strand % 2 != 0;
  if (found.rows > 0) {
    match.position = index::locate(fm, found.row_or_position + (i - begins[at]));
    continue_to_the_right(genome, reads.strand(found.strand / 2, reverse), match);
  }
  const GenomePos genome_begin = text::to_genome(genome, match.position);
  anchors[i] = {{genome_begin, match.begin, match.end - match.begin,
                 static_cast<std::uint32_t>(text::contig_at(genome, genome_begin)), reverse},
                found.strand};
}

/// Bits of keys: `low` for a position, those above for the strand.
struct StrandKeys {
  unsigned low;

  __device__ std::uint64_t of(std::uint32_t strand, std::uint64_t position) const {
    return std::uint64_t{strand} << low | position;
  }
  __device__ std::uint64_t strand_of(std::uint64_t key) const { return key >> low; }
};

/// The diagonal of an anchor as a key that falls as the diagonal rises, so that of anchors that end together in the
/// genome the one that ends first in the read comes first. diagonals: their number.
__device__ std::uint64_t falling_diagonal(const Anchor& anchor, std::uint64_t diagonals) {
  constexpr std::int64_t most_query = std::int64_t{1} << 32;
  return diagonals - 1 - static_cast<std::uint64_t>(anchor.diagonal() + most_query);
}

__global__ void query_keys_kernel(View<StrandAnchor> anchors, std::uint64_t* keys, std::uint32_t* numbers) {
  const std::uint64_t i = thread_index();
  if (i < anchors.size) keys[i] = anchors[i].anchor.query_begin, numbers[i] = static_cast<std::uint32_t>(i);
}

__global__ void diagonal_keys_kernel(View<StrandAnchor> anchors, StrandKeys strands, std::uint64_t diagonals,
                                     const std::uint32_t* numbers, std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i >= anchors.size) return;
  const StrandAnchor& one = anchors[numbers[i]];
  keys[i] = strands.of(one.strand, falling_diagonal(one.anchor, diagonals));
}

/// A thread for the first anchor of each contig on each diagonal: merges those that overlap or adjoin into the first of
/// them, and notes which remain.
__global__ void merge_kernel(StrandAnchor* anchors, std::uint64_t count, const std::uint64_t* keys,
                             const std::uint32_t* numbers, std::uint32_t* remains) {
  const std::uint64_t first = thread_index();
  if (first >= count) return;
  const std::uint32_t contig = anchors[numbers[first]].anchor.contig;
  const auto belongs = [&](std::uint64_t i) {
    return keys[i] == keys[first] && anchors[numbers[i]].anchor.contig == contig;
  };
  if (first > 0 && belongs(first - 1)) return;
  Anchor* last = nullptr;
  for (std::uint64_t i = first; i < count && belongs(i); ++i) {
    Anchor* const anchor = &anchors[numbers[i]].anchor;
    const bool merges = last && anchor->query_begin <= last->query_end();
    remains[i] = merges ? 0 : 1;
    if (!merges) {
      last = anchor;
    } else if (anchor->query_end() > last->query_end()) {
      last->length = anchor->query_end() - last->query_begin;
    }
  }
}

__global__ void end_keys_kernel(const StrandAnchor* anchors, View<std::uint64_t> places, StrandKeys strands,
                                const std::uint32_t* numbers, std::uint64_t* keys, std::uint32_t* kept) {
  const std::uint64_t i = thread_index();
  if (i + 1 >= places.size || places[i] == places[i + 1]) return;
  const StrandAnchor& one = anchors[numbers[i]];
  keys[places[i]] = strands.of(one.strand, one.anchor.genome_end());
  kept[places[i]] = numbers[i];
}

__global__ void gather_anchors_kernel(const StrandAnchor* from, const std::uint32_t* numbers, std::uint64_t count,
                                      Anchor* to) {
  const std::uint64_t i = thread_index();
  if (i < count) to[i] = from[numbers[i]].anchor;
}

__global__ void strand_begins_kernel(View<std::uint64_t> keys, StrandKeys strands, std::uint64_t count,
                                     std::uint64_t* begins) {
  const std::uint64_t strand = thread_index();
  if (strand > count) return;
  std::uint64_t low = 0, high = keys.size;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (strands.strand_of(keys[middle]) < strand) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  begins[strand] = low;
}

unsigned bits_for(std::uint64_t values) {
  return static_cast<unsigned>(std::bit_width(values));
}

}  // namespace

Buffer<StrandAnchor> find_anchors(const AlignmentDeviceData& index, const AnchorRules& rules,
                                  const LongReadsView& reads, std::uint64_t parts, const Stream& stream) {
  Buffer<FoundMatch> matches(parts * matches_a_part, stream);
  Buffer<unsigned long long> match_count(1, stream);
  match_count.fill_zero();
  launch("find_matches_kernel", find_matches_kernel, parts, stream, index.fm(), index.genome(), rules, reads,
         matches.size(), matches.data(), match_count.data());
  const std::uint64_t found = match_count.value_at(0);
  if (found > matches.size()) throw OutOfDeviceMemory("more matches of long reads than there is room for");

  const View<FoundMatch> all = {matches.data(), found};
  Buffer<std::uint64_t> begins(found + 1, stream);
  begins.fill_zero();
  launch("count_occurrences_kernel", count_occurrences_kernel, found, stream, all, begins.data());
  exclusive_sum(begins, stream);
  const std::uint64_t count = begins.value_at(found);
  if (count >= no_anchor) throw OutOfDeviceMemory("more anchors of long reads than 32 bits count");
  Buffer<StrandAnchor> anchors(count, stream);
  launch("locate_anchors_kernel", locate_anchors_kernel, count, stream, index.fm(), index.genome(), reads, all,
         begins.view(), count, anchors.data());
  return anchors;
}

ArrangedAnchors arrange_anchors(Buffer<StrandAnchor> found, std::uint64_t reads, std::uint64_t genome_size,
                                const Stream& stream) {
  const std::uint64_t diagonals = genome_size + (std::uint64_t{1} << 32) + 1;
  const unsigned query_bits = 32, strand_bits = bits_for(2 * reads);
  const StrandKeys by_diagonal = {bits_for(diagonals)}, by_end = {bits_for(genome_size)};
  SortablePairs<std::uint32_t> pairs(found.size(), stream);
  launch("query_keys_kernel", query_keys_kernel, found.size(), stream, found.view(), pairs.keys.data(),
         pairs.values.data());
  pairs.sort(found.size(), 0, query_bits, stream);
  launch("diagonal_keys_kernel", diagonal_keys_kernel, found.size(), stream, found.view(), by_diagonal, diagonals,
         pairs.values.data(), pairs.keys.data());
  pairs.sort(found.size(), 0, by_diagonal.low + strand_bits, stream);

  Buffer<std::uint32_t> remains(found.size(), stream);
  launch("merge_kernel", merge_kernel, found.size(), stream, found.data(), found.size(), pairs.keys.data(),
         pairs.values.data(), remains.data());
  const Buffer<std::uint64_t> places = exclusive_sums(remains.view(), stream);
  remains = {};
  const std::uint64_t count = places.value_at(found.size());
  launch("end_keys_kernel", end_keys_kernel, found.size(), stream, found.data(), places.view(), by_end,
         pairs.values.data(), pairs.spare_keys.data(), pairs.spare_values.data());
  std::swap(pairs.keys, pairs.spare_keys), std::swap(pairs.values, pairs.spare_values);
  pairs.sort(count, 0, by_end.low + strand_bits, stream);

  ArrangedAnchors arranged;
  arranged.anchors = Buffer<Anchor>(count, stream);
  arranged.strand_begins = Buffer<std::uint64_t>(2 * reads + 1, stream);
  launch("gather_anchors_kernel", gather_anchors_kernel, count, stream, found.data(), pairs.values.data(), count,
         arranged.anchors.data());
  launch("strand_begins_kernel", strand_begins_kernel, 2 * reads + 1, stream,
         View<std::uint64_t>(pairs.keys.data(), count), by_end, 2 * reads, arranged.strand_begins.data());
  return arranged;
}

}  // namespace warpseed::align::cuda
