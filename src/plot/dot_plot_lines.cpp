// Draws the inside and the sides of the box: borders, coding strips, cells, lines.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "plot/dot_plot_drawing.hpp"
#include "plot/svg_text.hpp"

namespace warpseed::plot {

namespace {

constexpr std::size_t max_runs = 110'000;  // of cells per strand; about 12 bytes each
constexpr std::size_t max_bands = 1'000;   // sequences shown along an axis
constexpr std::size_t lines_with_words = 300;

/// Line styles. The long lines that hold half of all matched bases are strong and the many short ones faint, so that
/// random matches stay in the background at any scale.
struct Pen {
  double share;  // of all matched bases in lines of this pen or of the previous ones
  double width, opacity;
};
constexpr std::array<Pen, 3> pens = {{{0.5, 1.7, 1}, {0.9, 1.4, 0.8}, {1, 1.1, 0.45}}};
constexpr std::size_t few_lines = 2'000;  // so few do not hide anything: none is faint
constexpr double strong_pixels = 3;       // lines of at least this length are always strong

/// The pen of each line. lengths: in descending order. Equal lengths get equal pens.
std::vector<std::size_t> pens_of(std::span<const std::uint64_t> lengths, double pixels_per_base) {
  double all = 0, before = 0;
  for (const std::uint64_t length : lengths) all += static_cast<double>(length);
  std::vector<std::size_t> chosen(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::size_t pen = 0;
    while (pen + 1 < pens.size() && before > pens[pen].share * all) ++pen;
    if (static_cast<double>(lengths[i]) * pixels_per_base >= strong_pixels) pen = 0;
    chosen[i] = i > 0 && lengths[i] == lengths[i - 1] ? chosen[i - 1] : pen;
    before += static_cast<double>(lengths[i]);
  }
  return chosen;
}

/// Opacity of cells; a cell that one match touches is just visible.
double opacity_of(unsigned level) {
  constexpr std::array<double, DotDensity::levels + 1> opacities = {0, 0.12, 0.16, 0.22, 0.32, 0.44, 0.58, 0.73, 0.9};
  return opacities[level];
}

}  // namespace

std::string_view DotPlotDrawing::color_of(bool reverse) {
  return reverse ? "#d55e00" : "#0072b2";  // by Okabe and Ito, distinguishable with any colour vision
}

std::string DotPlotDrawing::coding_color(unsigned level) {
  return fmt::format("#{0}{0}{0}", "ecb986542"[level]);
}

void DotPlotDrawing::sequences() {
  std::string borders;
  for (const double x : plot_.target_.axis.borders()) borders += fmt::format("M{} 0v{}", decimal(x), decimal(box));
  for (const double y : plot_.query_.axis.borders()) borders += fmt::format("M0 {}h{}", decimal(box - y), decimal(box));
  out_ += Tag("path").with("d", borders).with("stroke", "#ccc").with("stroke-width", 0.6).close();

  const auto bands = [&](const PlotAxis& axis, bool along) {
    if (axis.list().sequences.size() < 2 || axis.list().sequences.size() > max_bands) return;
    for (std::size_t i = 0; i < axis.list().sequences.size(); ++i) {
      const text::SequenceInfo& sequence = axis.list().sequences[i];
      const double begin = axis.begin_pixel(i), width = axis.width(i);
      Tag tag("rect");
      tag.with("x", along ? begin : box + 3).with("y", along ? -(band + 3) : box - begin - width);
      tag.with("width", along ? width : band).with("height", along ? band : width);
      out_ += fmt::format("{}<title>{}, {} bp</title></rect>\n", tag.with("fill", i % 2 == 0 ? "#888" : "#ccc").open(),
                          xml_escaped(sequence.name, 200), with_commas(sequence.length));
    }
  };
  bands(plot_.target_.axis, true);
  bands(plot_.query_.axis, false);
}

void DotPlotDrawing::coding_strips() {
  const auto strip = [&](const DotPlot::Side& side, bool along) {
    const std::uint64_t total = std::max<std::uint64_t>(side.axis.total(), 1), bins = side.coding.size();
    const auto level = [&](std::uint64_t bin) {
      const std::uint64_t bases = bin_begin(bin + 1, total, bins) - bin_begin(bin, total, bins);
      return bases == 0 ? 0U : static_cast<unsigned>((side.coding[bin] * coding_levels + bases / 2) / bases);
    };
    for (std::uint64_t bin = 0, end = 0; bin < bins; bin = end) {
      for (end = bin + 1; end < bins && level(end) == level(bin);) ++end;
      const double begin = box * static_cast<double>(bin) / static_cast<double>(bins);
      const double width = box * static_cast<double>(end - bin) / static_cast<double>(bins);
      Tag tag("rect");
      tag.with("x", along ? begin : -13.0).with("y", along ? box + 3 : box - begin - width);
      tag.with("width", along ? width : 10.0).with("height", along ? 10.0 : width);
      out_ += tag.with("fill", coding_color(level(bin))).close();
    }
  };
  out_ += Tag("g").with("shape-rendering", "crispEdges").open() + "\n";
  strip(plot_.target_, true);
  strip(coding_of_queries(), false);
  out_ += "</g>\n";
}

void DotPlotDrawing::density() {
  for (const bool reverse : {true, false}) {
    if (plot_.density_[reverse].empty()) continue;
    DotDensity cells = plot_.density_[reverse];
    cells.coarsen_to(max_runs);
    std::array<std::string, DotDensity::levels + 1> paths;
    for (const DotDensity::Run& run : cells.runs()) {
      fmt::format_to(std::back_inserter(paths[run.level]), "M{} {}h{}", run.x_begin, run.y, run.x_end - run.x_begin);
    }
    out_ += Tag("g")
                .with("transform",
                      fmt::format("translate(0 {0}) scale({1} -{1}) translate(0 .5)", decimal(box), box / cells.side()))
                .with("stroke", color_of(reverse))
                .with("shape-rendering", "crispEdges")
                .open() +
            "\n";
    for (unsigned level = 1; level <= DotDensity::levels; ++level) {
      if (paths[level].empty()) continue;
      out_ += Tag("path").with("stroke-opacity", opacity_of(level)).with("d", paths[level]).close();
    }
    out_ += "</g>\n";
  }
}

std::string DotPlotDrawing::line_path(const CommonRegion& region, bool mirrored) const {
  const PlotAxis &x_axis = plot_.target_.axis, &y_axis = plot_.query_.axis;
  std::uint64_t x = x_axis.offset(region.target, region.target_begin);
  std::uint64_t y = y_axis.offset(region.query, region.query_begin);
  if (mirrored) std::swap(x, y);
  const auto hundredths = [](double pixels) { return static_cast<std::int64_t>(pixels * 100 + 0.5); };
  const std::int64_t left = hundredths(x_axis.pixel(x)), right = hundredths(x_axis.pixel(x + region.length));
  std::int64_t from = hundredths(box - y_axis.pixel(y)), to = hundredths(box - y_axis.pixel(y + region.length));
  if (region.reverse) std::swap(from, to);
  const std::int64_t wide = std::max<std::int64_t>(right - left, 1);  // a line of length 0 would not be drawn
  std::string rise = decimal(to - from);
  if (rise.front() != '-') rise.insert(0, 1, ' ');
  return fmt::format("M{} {}l{}{}", decimal(left), decimal(from), decimal(wide), rise);
}

void DotPlotDrawing::lines() {
  std::vector<DotPlot::Line> lines = plot_.lines_;
  std::sort(lines.begin(), lines.end(), DotPlot::longer);
  const bool symmetric = plot_.options_.symmetric;
  std::vector<std::uint64_t> lengths;
  for (const DotPlot::Line& line : lines) lengths.push_back(line.region.length);
  const std::uint64_t shorter_axis = std::min(plot_.target_.axis.total(), plot_.query_.axis.total());
  const auto pen = pens_of(lengths, box / static_cast<double>(std::max<std::uint64_t>(1, shorter_axis)));
  std::array<std::array<std::string, 2>, pens.size()> drawn;
  std::string described;
  for (std::size_t i = lines.size(); i-- > 0;) {  // the longest on top
    const CommonRegion& region = lines[i].region;
    const std::string path = line_path(region, false) + (symmetric ? line_path(region, true) : "");
    if (i < lines_with_words && pen[i] == 0)
      described += described_line(region, path);
    else
      drawn[pen[i]][region.reverse] += path;
  }
  out_ += Tag("g").with("fill", "none").with("stroke-linecap", "round").open() + "\n";
  if (symmetric)
    out_ += Tag("path").with("d", fmt::format("M0 {0}L{0} 0", decimal(box))).with("stroke", "#999").close();
  for (std::size_t i = pens.size(); i-- > 0;) {
    for (const bool reverse : {true, false}) {
      if (drawn[i][reverse].empty()) continue;
      Tag tag("path");
      tag.with("stroke", color_of(reverse)).with("stroke-width", pens[i].width);
      if (lines.size() > few_lines) tag.with("stroke-opacity", pens[i].opacity);
      out_ += tag.with("d", drawn[i][reverse]).close();
    }
  }
  out_ += Tag("g").with("stroke-width", pens.front().width).open() + "\n" + described + "</g>\n</g>\n";
}

std::string DotPlotDrawing::described_line(const CommonRegion& region, const std::string& path) const {
  const auto position_text = [](const text::SequenceInfo& sequence, std::uint64_t begin, std::uint64_t length) {
    return fmt::format("{}:{}-{}", xml_escaped(sequence.name, 80), with_commas(begin + 1), with_commas(begin + length));
  };
  const text::SequenceInfo& target = plot_.target_.axis.list().sequences[region.target];
  const text::SequenceInfo& query = plot_.query_.axis.list().sequences[region.query];
  return fmt::format("{}<title>{} = {}{}{} bp</title></path>\n",
                     Tag("path").with("stroke", color_of(region.reverse)).with("d", path).open(),
                     position_text(target, region.target_begin, region.length),
                     position_text(query, region.query_begin, region.length), region.reverse ? " reversed, " : ", ",
                     with_commas(region.length));
}

}  // namespace warpseed::plot
