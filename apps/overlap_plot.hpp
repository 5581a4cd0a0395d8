// The dot plot that `warpseed overlap --plot` and `--html` write.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "overlap/region_output.hpp"
#include "overlap/sequence_text.hpp"
#include "plot/dot_plot.hpp"
#include "text/interval.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::cli {

using SideFeatures = std::vector<std::vector<text::Interval>>;  // [sequences]

struct PlotFiles {
  std::string picture = {};       // SVG, PDF or PNG; empty: none
  std::string title = {};         // of the picture; empty: by the files
  std::string page = {};          // HTML; empty: none
  std::string command_line = {};  // for the page
};

class OverlapPlot final : public overlap::RegionSink {
 public:
  /// The features are shaded along the axes; null: none. Throws IoError if the file cannot be written, InputError for a
  /// PNG without a program to render it.
  OverlapPlot(const overlap::SequenceText& text, PlotFiles files, const SideFeatures* target_features,
              const SideFeatures* query_features);

  void add(std::span<const CommonRegion> regions) override { plot_.add(regions); }
  void write() override;

 private:
  void shade(plot::PlotSide side, const SideFeatures* features);

  PlotFiles files_;
  plot::DotPlot plot_;
};

}  // namespace warpseed::cli
