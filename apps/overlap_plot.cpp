#include "overlap_plot.hpp"

#include <cstdint>
#include <utility>

#include "core/output_file.hpp"
#include "plot/svg_to_png.hpp"
#include "report/overlap_page.hpp"

namespace warpseed::cli {

OverlapPlot::OverlapPlot(const overlap::SequenceText& text, PlotFiles files, const SideFeatures* target_features,
                         const SideFeatures* query_features)
    : files_(std::move(files)), plot_(text.targets(), text.queries(), {files_.title, text.is_self()}) {
  for (const std::string& path : {files_.picture, files_.page}) {
    if (!path.empty()) const PendingFile probe(path);  // fails before the work if the file cannot be written
  }
  if (files_.picture.ends_with(".png")) plot::require_png_program();
  shade(plot::PlotSide::target, target_features);
  if (!text.is_self()) shade(plot::PlotSide::query, query_features);
}

void OverlapPlot::shade(plot::PlotSide side, const SideFeatures* features) {
  if (!features) return;
  for (std::uint32_t sequence = 0; sequence < features->size(); ++sequence)
    plot_.set_coding(side, sequence, (*features)[sequence]);
}

void OverlapPlot::write() {
  if (!files_.page.empty()) {
    OutputFile page(files_.page);
    page.write(report::overlap_page(plot_, files_.command_line));
    page.flush();
    if (!files_.picture.empty()) plot_.write(files_.picture);
    page.commit();
  } else {
    plot_.write(files_.picture);
  }
}

}  // namespace warpseed::cli
