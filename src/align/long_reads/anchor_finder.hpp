// Finds the anchors of a long read on the CPU, in interleaved searches for parts of both strands.
#pragma once

#include <cstdint>
#include <vector>

#include "align/align_options.hpp"
#include "align/long_reads/anchor.hpp"
#include "align/long_reads/anchor_search_core.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "align/seed/row_walks.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Cost: some two rank queries a base. Threads: one finder per thread; finders may share an index.
class AnchorFinder {
 public:
  /// All three must outlive it.
  AnchorFinder(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options)
      : fm_(fm), genome_(genome), rules_(anchor_rules(fm, options)) {}

  /// Replaces `anchors` by those of a read, merged where they overlap or adjoin on one diagonal, and sorted by strand,
  /// genome end and query end.
  void find(const PackedRead& read, std::vector<Anchor>& anchors) {
    anchors.clear();
    add(read, Kind::apart, anchors);
  }

  /// Adds to `anchors` of the read those that attempts every few bases find, within matches as well. In a large family of
  /// copies a match may go on beyond an error of the read, in copies that share it and without the read's own; only an
  /// attempt that begins within the match finds that one. Three times the cost of find().
  void add_overlapping(const PackedRead& read, std::vector<Anchor>& anchors) { add(read, Kind::overlapping, anchors); }

  /// As find(), with matches that have too many occurrences to be anchors: evenly spaced ones of these. For reads that have
  /// no chain without.
  void find_frequent(const PackedRead& read, std::vector<Anchor>& anchors) {
    anchors.clear();
    add(read, Kind::frequent, anchors);
  }

 private:
  enum class Kind : std::uint8_t { apart, overlapping, frequent };

  void add(const PackedRead& read, Kind kind, std::vector<Anchor>& anchors);
  void search(const PackedRead& read, Kind kind, std::vector<Anchor>& anchors);
  void add(const AnchorMatch& match, bool reverse, bool with_frequent, std::vector<Anchor>& anchors);
  void locate(const PackedRead& read, std::vector<Anchor>& anchors);
  static void arrange(std::vector<Anchor>& anchors);
  Anchor located(const PackedRead& read, const Anchor& anchor, TextPos position) const;

  const index::FmView& fm_;
  const text::GenomeView& genome_;
  const AnchorRules rules_;
  std::vector<RowWalk> walks_;  // of anchors that have no position yet
};

}  // namespace warpseed::align
