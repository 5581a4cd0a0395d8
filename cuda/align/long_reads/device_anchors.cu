// A thread searches one part of a strand; what it finds is listed, located and continued in the text by one thread an
// occurrence. The order in which matches are listed differs from run to run; AnchorFinder::arrange() sorts them.
#include "align/long_reads/device_anchors.cuh"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/buffer.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t matches_a_part = 16;  // room for twice what reads with many errors have on their own strand
constexpr std::uint64_t bytes_a_base = 8;     // about: packed strands, room for matches, anchors

/// The long reads of a group as kernels see them; owns nothing.
struct LongReadsView {
  const std::uint64_t* words;       // see packed_strand()
  View<std::uint64_t> offsets;      // [reads] where the words of each begin
  View<std::uint32_t> lengths;      // [reads]
  View<std::uint64_t> part_begins;  // [reads + 1] parts of both strands

  __device__ PackedStrand strand(std::uint64_t read, bool reverse) const {
    return packed_strand(words + offsets[read], lengths[read], reverse);
  }
};

/// A match of a strand: at a text position, or at all of its rows.
struct FoundMatch {
  std::uint64_t row_or_position;
  std::uint32_t begin, end;
  std::uint32_t strand;  // as in DeviceAnchor
  std::uint32_t rows;    // 0: located
};

__global__ void find_matches_kernel(index::FmView fm, text::GenomeView genome, AnchorRules rules, LongReadsView reads,
                                    std::uint64_t room, FoundMatch* matches, unsigned long long* count) {
  const std::uint64_t i = thread_index(), read_count = reads.lengths.size;
  if (i >= reads.part_begins[read_count]) return;
  const std::uint64_t read = text::last_not_above(read_count, i, [&](std::uint64_t k) { return reads.part_begins[k]; });
  const AnchorPart part = anchor_part(reads.lengths[read], static_cast<std::uint32_t>(i - reads.part_begins[read]));
  const auto strand = static_cast<std::uint32_t>(2 * read + (part.reverse ? 1 : 0));
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
                                      DeviceAnchor* anchors) {
  const std::uint64_t i = thread_index();
  if (i >= count) return;
  const std::uint64_t at = text::last_not_above(matches.size, i, [&](std::uint64_t k) { return begins[k]; });
  const FoundMatch& found = matches[at];
  AnchorMatch match = {found.begin, found.end, {}, found.row_or_position};
  if (found.rows > 0) {
    match.position = index::locate(fm, found.row_or_position + (i - begins[at]));
    continue_to_the_right(genome, reads.strand(found.strand / 2, found.strand % 2 != 0), match);
  }
  const GenomePos genome_begin = text::to_genome(genome, match.position);
  anchors[i] = {genome_begin, match.begin, match.end - match.begin,
                static_cast<std::uint32_t>(text::contig_at(genome, genome_begin)), found.strand};
}

}  // namespace

DeviceAnchors::DeviceAnchors(const AlignmentDeviceData& index, const Stream& stream, std::uint64_t memory_bytes)
    : index_(index),
      stream_(stream),
      most_bases_(memory_bytes / 2 / bytes_a_base),
      rules_(anchor_rules(index.fm(), index.options())) {}

void DeviceAnchors::find(std::span<ReadAlignments> reads) {
  std::vector<ReadAlignments*> group;
  std::uint64_t bases = 0;
  const auto finish_group = [&] {
    try {
      if (!group.empty()) find_group(group);
    } catch (const OutOfDeviceMemory&) {  // the CPU finds them
    }
    group.clear(), bases = 0;
  };
  for (ReadAlignments& read : reads) {
    if (!read.is_long) continue;
    read.has_anchors = false;
    if (read.read.length() > most_bases_) continue;
    if (bases + read.read.length() > most_bases_) finish_group();
    group.push_back(&read), bases += read.read.length();
  }
  finish_group();
}

/// Leaves the reads without anchors if there are more matches than there is room for.
void DeviceAnchors::find_group(Group reads) {
  const std::span<std::uint64_t> offsets = offsets_.room(reads.size()),
                                 part_begins = part_begins_.room(reads.size() + 1);
  const std::span<std::uint32_t> lengths = lengths_.room(reads.size());
  std::uint64_t word_count = 0, parts = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    lengths[i] = reads[i]->read.length();
    offsets[i] = word_count, part_begins[i] = parts;
    word_count += reads[i]->read.words().size(), parts += anchor_parts(lengths[i]);
  }
  part_begins[reads.size()] = parts;
  const std::span<std::uint64_t> words = words_.room(word_count);
  tbb::parallel_for(std::size_t{0}, reads.size(), [&](std::size_t i) {
    std::copy(reads[i]->read.words().begin(), reads[i]->read.words().end(),
              words.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
  });
  const Buffer<std::uint64_t> device_words(words, stream_), device_offsets(offsets, stream_),
      device_parts(part_begins, stream_);
  const Buffer<std::uint32_t> device_lengths(lengths, stream_);
  const LongReadsView view = {device_words.data(), device_offsets.view(), device_lengths.view(), device_parts.view()};

  Buffer<FoundMatch> matches(parts * matches_a_part, stream_);
  Buffer<unsigned long long> match_count(1, stream_);
  match_count.fill_zero();
  launch("find_matches_kernel", find_matches_kernel, parts, stream_, index_.fm(), index_.genome(), rules_, view,
         matches.size(), matches.data(), match_count.data());
  const std::uint64_t found = match_count.value_at(0);
  if (found > matches.size()) return;

  const View<FoundMatch> all = {matches.data(), found};
  Buffer<std::uint64_t> begins(found + 1, stream_);
  begins.fill_zero();
  launch("count_occurrences_kernel", count_occurrences_kernel, found, stream_, all, begins.data());
  exclusive_sum(begins, stream_);
  const std::uint64_t count = begins.value_at(found);
  Buffer<DeviceAnchor> anchors(count, stream_);
  launch("locate_anchors_kernel", locate_anchors_kernel, count, stream_, index_.fm(), index_.genome(), view, all,
         begins.view(), count, anchors.data());
  anchors.download(anchors_.room(count));
  stream_.wait();
  hand_out(reads, count);
}

void DeviceAnchors::hand_out(Group reads, std::uint64_t count) {
  const std::span<const DeviceAnchor> found = anchors_.room(count);
  std::vector<std::uint32_t> counts(reads.size());
  for (const DeviceAnchor& one : found) ++counts[one.strand / 2];
  for (std::size_t i = 0; i < reads.size(); ++i) {
    reads[i]->anchors.clear();
    reads[i]->anchors.reserve(counts[i]);
    reads[i]->has_anchors = true;
  }
  for (const DeviceAnchor& one : found) {
    reads[one.strand / 2]->anchors.push_back(
        {one.genome_begin, one.query_begin, one.length, one.contig, one.strand % 2 != 0});
  }
}

}  // namespace warpseed::align::cuda
