// Writes the regions: lines to a file, bases to FASTA, a dot plot.
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

/// The annotation of one side. The pointees must outlive the output.
struct SideAnnotation {
  const RegionLabeller* labels = nullptr;                              // null: the lines have no labels
  const std::vector<std::vector<text::Interval>>* features = nullptr;  // [sequences] shaded in the plot, or null
};

/// What is written and where; an empty path: not written.
struct OutputPlan {
  RegionFormatKind format = RegionFormatKind::tsv;
  std::string path = "-", fasta_path = {}, plot_path = {};
  SideAnnotation target, query;
  bool counts = false;  // the regions come with their number of occurrences
};

/// Many threads format lines, one portion each, and one thread writes them in order.
class RegionOutput {
 public:
  /// Opens the files and writes the header. text: must outlive this. Throws InputError for labels in a format without
  /// fields for them and for PNG without a program to render it, IoError if a file cannot be written.
  RegionOutput(const SequenceText& text, const OutputPlan& plan);

  /// Lines and the output that goes with them, in order.
  struct Portion {
    std::string lines, fasta;
    std::vector<CommonRegion> regions;
  };

  /// Threads: may be called concurrently.
  template <class Region>
  void append(std::span<const Region> regions, Portion& portion) const;

  const RegionFormat& format() const { return format_; }

  void write(const Portion& portion);

  /// Renames all files to their final names.
  void commit();

  std::uint64_t written() const { return written_; }

 private:
  std::vector<RegionLabel> labels(const RegionLabeller* labeller, std::span<const CommonRegion> regions,
                                  bool query) const;

  void shade(plot::PlotSide side, const SideAnnotation& notes);

  OutputPlan plan_;
  RegionFormat format_;
  OutputFile lines_;
  RegionFasta fasta_;
  std::optional<OutputFile> fasta_file_;
  std::optional<plot::DotPlot> plot_;
  std::uint64_t written_ = 0;
};

}  // namespace warpseed::overlap
