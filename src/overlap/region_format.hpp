// Common regions as lines of text: TSV, BED, PAF, MUMmer's four columns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "overlap/common_region.hpp"
#include "overlap/region_label.hpp"

namespace warpseed::overlap {

enum class RegionFormatKind { tsv, bed, bed_query, paf, mums };

/// "tsv", "bed", "bed-query", "paf" or "mums". Throws InputError for any other name.
RegionFormatKind region_format_kind(std::string_view name);

/// The columns beyond the region's own.
struct RegionColumns {
  bool counts = false;  // how often the region occurs: lines are made of LongestRegion
  bool target_label = false;
  bool query_label = false;
};

/// Labels of a batch, in its order: [regions] each, or empty where RegionColumns asks for none.
struct RegionLabels {
  std::span<const RegionLabel> target, query;
};

/// Makes lines of regions. Positions are 0-based and half-open on the forward strand except in `mums`.
///
///   tsv        #target target_begin target_end query query_begin query_end strand length, then with counts
///              target_count query_count, then for a labelled side SIDE_coding SIDE_intronic SIDE_intergenic
///              SIDE_genes (commas between) SIDE_gene_before SIDE_distance_before SIDE_gene_after
///              SIDE_distance_after; a name that is not there is ".", and so is its distance
///   bed        BED6 of the targets' side: target, begin, end, query:begin-end, min(length, 1000), strand
///   bed-query  the same of the queries' side: query, begin, end, target:begin-end, min(length, 1000), strand
///   paf        12 columns, query first; matches and alignment length are the length, quality 255 (unknown); tags
///              NM:i:0 and cg:Z:LENGTH=; with counts tn:i: and qn:i: hold them
///   mums       "  target  position  position  length" as `mummer -F -c` prints it, under query_header(): positions
///              from 1, that of a reverse match in the query being the forward place of the match's first base,
///              which is its last base there; the name column is as wide as the longest target name
///
/// Counts are not in bed and mums, which have no place for them. Labels are in tsv only.
/// Threads: all functions may be called by many at once. Cost: about 75 ns a line of TSV.
class RegionFormat {
 public:
  /// The lists must outlive the format. Throws InputError if `columns` asks for labels in another format than tsv.
  RegionFormat(RegionFormatKind kind, const SequenceList& targets, const SequenceList& queries,
               RegionColumns columns = {});

  /// What stands before all lines: the TSV's header line, else nothing.
  std::string header() const;

  /// What stands before the matches of one strand of a query, matches or not: in mums "> name" and "> name Reverse",
  /// else nothing.
  std::string query_header(std::uint32_t query, bool reverse) const;

  /// Appends one line a region. Throws std::invalid_argument if the labels are not those that the columns ask for, or
  /// if this kind of region has or lacks the counts.
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
  const SequenceList& targets_;
  const SequenceList& queries_;
  RegionColumns columns_;
  std::uint64_t longest_target_name_ = 0, longest_query_name_ = 0;
};

}  // namespace warpseed::overlap
