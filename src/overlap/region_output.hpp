// Where the regions found go: lines to a file, bases to FASTA, a picture.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/output_file.hpp"
#include "overlap/region_fasta.hpp"
#include "overlap/region_format.hpp"
#include "overlap/region_label.hpp"
#include "overlap/sequence_text.hpp"
#include "plot/dot_plot.hpp"

namespace warpseed::overlap {

/// What an annotation says of one side. What it points at must outlive the output.
struct SideNotes {
  const RegionLabeller* labels = nullptr;                              // none: the lines have no labels
  const std::vector<std::vector<text::Interval>>* features = nullptr;  // [sequences] what the picture shades, or none
};

/// What is written and where; a path that is empty: not at all.
struct OutputPlan {
  RegionFormatKind format = RegionFormatKind::tsv;
  std::string path = "-", fasta_path = {}, plot_path = {};
  SideNotes target, query;
  bool counts = false;  // regions come with how often they occur
};

/// Lines are made by many threads, each portion on its own, and written in order by one.
class RegionOutput {
 public:
  /// Opens the files and writes the header. text: must outlive this. Throws InputError for labels in a format without
  /// room for them and for PNG where no program makes it, IoError if a file cannot be written.
  RegionOutput(const SequenceText& text, const OutputPlan& plan);

  /// Lines and what else goes with them, in order.
  struct Portion {
    std::string lines, fasta;
    std::vector<CommonRegion> regions;
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

  void shade(plot::PlotSide side, const SideNotes& notes);

  OutputPlan plan_;
  RegionFormat format_;
  OutputFile lines_;
  RegionFasta fasta_;
  std::optional<OutputFile> fasta_file_;
  std::optional<plot::DotPlot> plot_;
  std::uint64_t written_ = 0;
};

}  // namespace warpseed::overlap
