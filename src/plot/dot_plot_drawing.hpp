// Draws a dot plot; private to the module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plot/dot_plot.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::plot {

/// Draws one plot. Coordinates are in pixels of the SVG; y increases downwards.
class DotPlotDrawing {
 public:
  static constexpr double box = 720;  // side of the square that holds the matches
  static constexpr std::uint64_t coding_bins = 360;
  static constexpr unsigned coding_levels = 8;
  static constexpr double band = 5;  // height of the bar that shows a sequence's extent along an axis

  static std::string_view color_of(bool reverse);
  static std::string coding_color(unsigned level);  // 0..coding_levels

  /// The bin of a base and the first base of a bin, for `bins` bins over `total` bases.
  static std::uint64_t bin_of(std::uint64_t offset, std::uint64_t total, std::uint64_t bins) {
    return (offset * bins + bins - 1) / total;
  }
  static std::uint64_t bin_begin(std::uint64_t bin, std::uint64_t total, std::uint64_t bins) {
    return bin * total / bins;
  }

  explicit DotPlotDrawing(const DotPlot& plot);

  std::string draw();

 private:
  /// Names next to an axis.
  struct Names {
    std::vector<std::size_t> shown;  // indices of sequences; empty if the axis has only one
    bool slanted = false;            // not along the axis
    double margin = 0;               // pixels they take outside of the box
    double overhang = 0;             // pixels that the last ones reach beyond the end of the axis
  };

  const DotPlot::Side& coding_of_queries() const { return plot_.options_.symmetric ? plot_.target_ : plot_.query_; }
  Names names_of(const PlotAxis& axis, bool along) const;
  void begin();
  void title();
  void legend();
  void ticks();
  void axis_titles();
  void names();
  void sequences();
  void coding_strips();
  void density();
  void lines();
  std::string described_line(const CommonRegion& region, const std::string& path) const;
  std::string line_path(const CommonRegion& region, bool mirrored) const;
  std::string summary() const;

  const DotPlot& plot_;
  Names target_names_, query_names_;
  std::uint64_t target_covered_ = 0, query_covered_ = 0;
  double left_ = 0, top_ = 0, width_ = 0, height_ = 0;  // of the box; of the plot
  std::string out_;
};

}  // namespace warpseed::plot
