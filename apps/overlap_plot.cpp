#include "overlap_plot.hpp"

#include <cstdint>
#include <utility>

#include "core/output_file.hpp"
#include "plot/svg_to_png.hpp"

namespace warpseed::cli {

OverlapPlot::OverlapPlot(const overlap::SequenceText& text, std::string path, const SideFeatures* target_features,
                         const SideFeatures* query_features)
    : path_(std::move(path)), plot_(text.targets(), text.queries(), {{}, text.is_self()}) {
  { const PendingFile probe(path_); }  // fails before the work if the file cannot be written
  if (path_.ends_with(".png")) plot::require_png_program();
  shade(plot::PlotSide::target, target_features);
  if (!text.is_self()) shade(plot::PlotSide::query, query_features);
}

void OverlapPlot::shade(plot::PlotSide side, const SideFeatures* features) {
  if (!features) return;
  for (std::uint32_t sequence = 0; sequence < features->size(); ++sequence)
    plot_.set_coding(side, sequence, (*features)[sequence]);
}

}  // namespace warpseed::cli
