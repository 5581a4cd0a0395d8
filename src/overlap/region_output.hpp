// Where the regions found go: lines to a file, bases to FASTA, a picture.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/output_file.hpp"
#include "overlap/common_region.hpp"
#include "overlap/region_format.hpp"
#include "overlap/region_label.hpp"
#include "overlap/sequence_text.hpp"

namespace warpseed {

/// What is written and where. The labellers must outlive the output; none: that side has no labels.
struct OutputPlan {
  RegionFormatKind format = RegionFormatKind::tsv;
  std::string path = "-";
  const RegionLabeller* target_labels = nullptr;
  const RegionLabeller* query_labels = nullptr;
  bool counts = false;  // regions come with how often they occur
};

/// Lines are made by many threads, each portion on its own, and written in order by one.
class RegionOutput {
 public:
  /// Opens the files and writes the header. text: must outlive this. Throws InputError for labels in a format without
  /// room for them, IoError if a file cannot be written.
  RegionOutput(const SequenceText& text, const OutputPlan& plan);

  /// Lines and what else goes with them, in order.
  struct Portion {
    std::string lines;
    std::uint64_t regions = 0;
  };

  /// Threads: may be called by many at once.
  template <class Region>
  void append(std::span<const Region> regions, Portion& portion) const;

  const RegionFormat& format() const { return format_; }

  void write(const Portion& portion);

  /// All files appear under their names.
  void commit();

  std::uint64_t written() const { return written_; }

 private:
  std::vector<RegionLabel> labels(const RegionLabeller* labeller, std::span<const CommonRegion> regions,
                                  bool query) const;

  OutputPlan plan_;
  RegionFormat format_;
  OutputFile lines_;
  std::uint64_t written_ = 0;
};

}  // namespace warpseed
