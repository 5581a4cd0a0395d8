// The dot plot that `warpseed overlap --plot` writes.
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

class OverlapPlot final : public overlap::RegionSink {
 public:
  /// The features are shaded along the axes; null: none. Throws IoError if the file cannot be written, InputError for a
  /// PNG without a program to render it.
  OverlapPlot(const overlap::SequenceText& text, std::string path, const SideFeatures* target_features,
              const SideFeatures* query_features);

  void add(std::span<const CommonRegion> regions) override { plot_.add(regions); }
  void write() override { plot_.write(path_); }

 private:
  void shade(plot::PlotSide side, const SideFeatures* features);

  std::string path_;
  plot::DotPlot plot_;
};

}  // namespace warpseed::cli
