// Formats common regions as lines of text: TSV, BED, PAF, the four columns of MUMmer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "overlap/region_label.hpp"
#include "text/sequence_list.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

enum class RegionFormatKind { tsv, bed, bed_query, paf, mums };

/// "tsv", "bed", "bed-query", "paf" or "mums". Throws InputError for any other name.
RegionFormatKind region_format_kind(std::string_view name);

/// The columns in addition to the region's own.
struct RegionColumns {
  bool counts = false;  // number of occurrences: lines are formatted from LongestRegion
  bool target_label = false;
  bool query_label = false;
};

/// Labels of a batch, in its order: [regions] each, or empty if RegionColumns does not request them.
struct RegionLabels {
  std::span<const RegionLabel> target, query;
};

/// Formats regions as lines. Positions are 0-based and half-open on the forward strand except in `mums`.
///
///   tsv        #target target_begin target_end query query_begin query_end strand length, then with counts
///              target_count query_count, then for a labelled side SIDE_coding SIDE_intronic SIDE_intergenic
///              SIDE_genes (comma-separated) SIDE_gene_before SIDE_distance_before SIDE_gene_after
///              SIDE_distance_after; "." for a missing name and its distance
///   bed        BED6 of the target side: target, begin, end, query:begin-end, min(length, 1000), strand
///   bed-query  the same of the query side: query, begin, end, target:begin-end, min(length, 1000), strand
///   paf        12 columns, query first; matches and alignment length are the length, quality 255 (unknown); tags
///              NM:i:0 and cg:Z:LENGTH=; counts are in tn:i: and qn:i:
///   mums       "  target  position  position  length" as `mummer -F -c` prints it, under query_header(). Positions
///              count from 1. The query position of a reverse match is the forward position of the match's first
///              base, the last one on the forward strand. The name column is as wide as the longest target name
///
/// bed and mums have no field for counts. Only tsv has labels.
/// Threads: all functions may be called concurrently. Cost: about 75 ns per line of TSV.
class RegionFormat {
 public:
  /// The lists must outlive the format. Throws InputError if `columns` requests labels in a format other than tsv.
  RegionFormat(RegionFormatKind kind, const text::SequenceList& targets, const text::SequenceList& queries,
               RegionColumns columns = {});

  /// The header of the file: the header line of TSV, else empty.
  std::string header() const;

  /// The header before the matches of one strand of a query, also if it has none: "> name" or "> name Reverse" in mums,
  /// else empty.
  std::string query_header(std::uint32_t query, bool reverse) const;

  /// Appends one line per region. Throws std::invalid_argument if the labels are not those that the columns request, or
  /// if counts are requested and missing or the reverse.
  void append(std::span<const CommonRegion> regions, std::string& out, const RegionLabels& labels = {}) const;
  void append(std::span<const LongestRegion> regions, std::string& out, const RegionLabels& labels = {}) const;

  RegionFormatKind kind() const { return kind_; }

 private:
  template <class Region>
  void append_all(std::span<const Region> regions, std::string& out, const RegionLabels& labels) const;
  template <class Region>
  void append_labelled(std::span<const Region> regions, std::string& out, const RegionLabels& labels) const;
  void check_labels(std::uint64_t regions, const RegionLabels& labels) const;

  RegionFormatKind kind_;
  const text::SequenceList& targets_;
  const text::SequenceList& queries_;
  RegionColumns columns_;
  std::uint64_t longest_target_name_ = 0, longest_query_name_ = 0;
};

}  // namespace warpseed::overlap
