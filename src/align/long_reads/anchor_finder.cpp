#include "align/long_reads/anchor_finder.hpp"

#include <algorithm>
#include <tuple>

#include "core/interleave.hpp"

namespace warpseed::align {

namespace {

constexpr std::size_t searches_at_a_time = 16;  // outstanding cache misses of a current core: 10 to 16

/// Merges anchors that overlap or adjoin on one diagonal of one contig.
void merge_on_diagonals(std::vector<Anchor>& anchors) {
  std::sort(anchors.begin(), anchors.end(), [](const Anchor& a, const Anchor& b) {
    return std::tuple(a.reverse, a.diagonal(), a.query_begin) < std::tuple(b.reverse, b.diagonal(), b.query_begin);
  });
  std::size_t kept = 0;
  for (const Anchor& anchor : anchors) {
    Anchor* const last = kept == 0 ? nullptr : &anchors[kept - 1];
    if (last && last->reverse == anchor.reverse && last->diagonal() == anchor.diagonal() &&
        last->contig == anchor.contig && anchor.query_begin <= last->query_end()) {
      last->length = std::max(last->query_end(), anchor.query_end()) - last->query_begin;
    } else {
      anchors[kept++] = anchor;
    }
  }
  anchors.resize(kept);
}

}  // namespace

void AnchorFinder::add(const AnchorMatch& match, bool reverse, bool with_frequent, std::vector<Anchor>& anchors) {
  Anchor anchor;
  anchor.query_begin = match.begin, anchor.length = match.end - match.begin, anchor.reverse = reverse;
  if (match.position != text::no_text_pos) {
    anchor.genome_begin = text::to_genome(genome_, match.position);
    anchor.contig = static_cast<std::uint32_t>(text::contig_at(genome_, anchor.genome_begin));
    anchors.push_back(anchor);
    return;
  }
  const std::uint64_t rows = match.rows.count();
  if (rows > rules_.max_rows && !with_frequent) return;
  const std::uint64_t used = std::min(rows, rules_.max_rows);
  for (std::uint64_t i = 0; i < used; ++i) {
    walks_.push_back({{match.rows.begin + i * (rows / used), 0}, anchors.size()});
    anchors.push_back(anchor);
  }
}

void AnchorFinder::search(const PackedRead& read, Kind kind, std::vector<Anchor>& anchors) {
  struct Lane {
    AnchorSearch search;
    bool reverse = false;
  };
  const std::uint32_t parts = anchor_parts(read.length());
  std::uint32_t next = 0;
  const auto refill = [&](Lane& lane) {
    while (next < parts) {
      const AnchorPart part = anchor_part(read.length(), next++);
      lane.reverse = part.reverse;
      lane.search = start_anchors(fm_, rules_, read.packed(part.reverse), part.begin, part.end);
      if (lane.search.step != AnchorStep::done) return true;
    }
    return false;
  };
  interleave<Lane, searches_at_a_time>(refill, [&](Lane& lane) {
    const std::uint32_t end = lane.search.match.end;  // of the attempt
    bool found = false;
    step_anchors(fm_, genome_, rules_, lane.search, [&](const AnchorMatch& match) {
      add(match, lane.reverse, kind == Kind::frequent, anchors);
      found = true;
    });
    if (found && kind == Kind::overlapping) {
      begin_anchor_attempt(fm_, rules_, lane.search, end > rules_.stride ? end - rules_.stride : 0);
    }
    return lane.search.step == AnchorStep::done;
  });
}

/// An anchor at its position, with the bases right of it that match as well.
Anchor AnchorFinder::located(const PackedRead& read, const Anchor& anchor, TextPos position) const {
  AnchorMatch match = {anchor.query_begin, anchor.query_end(), {}, position};
  continue_to_the_right(genome_, read.packed(anchor.reverse), match);
  Anchor found = anchor;
  found.length = match.end - match.begin;
  found.genome_begin = text::to_genome(genome_, match.position);
  found.contig = static_cast<std::uint32_t>(text::contig_at(genome_, found.genome_begin));
  return found;
}

void AnchorFinder::locate(const PackedRead& read, std::vector<Anchor>& anchors) {
  follow_walks(fm_, walks_, [&](std::uint64_t anchor, TextPos position) {
    anchors[anchor] = located(read, anchors[anchor], position);
  });
}

void AnchorFinder::add(const PackedRead& read, Kind kind, std::vector<Anchor>& anchors) {
  walks_.clear();
  search(read, kind, anchors);
  locate(read, anchors);
  arrange(anchors);
}

/// Merges anchors that overlap or adjoin on one diagonal, and sorts them by strand, genome end and query end. The result
/// does not depend on their order.
void AnchorFinder::arrange(std::vector<Anchor>& anchors) {
  merge_on_diagonals(anchors);
  std::sort(anchors.begin(), anchors.end(), [](const Anchor& a, const Anchor& b) {
    return std::tuple(a.reverse, a.genome_end(), a.query_end()) < std::tuple(b.reverse, b.genome_end(), b.query_end());
  });
}

}  // namespace warpseed::align
