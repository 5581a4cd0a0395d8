#include "overlap/dot_plot.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "overlap/dot_plot_drawing.hpp"
#include "overlap/svg_to_png.hpp"

namespace warpseed {

namespace {

constexpr std::uint32_t cells = 1024;  // a side of the grid: somewhat finer than the picture's pixels

std::uint32_t cell_of(const PlotAxis& axis, std::uint64_t place) {
  const double share = axis.pixel(place) / axis.pixels();
  return std::min(cells - 1, static_cast<std::uint32_t>(share * cells));
}

/// A file for a while.
struct ScratchFile {
  std::string path;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

void write_text(const std::string& path, std::string_view text) {
  OutputFile out(path);
  out.write(text);
  out.commit();
}

}  // namespace

DotPlot::DotPlot(const SequenceList& targets, const SequenceList& queries, DotPlotOptions options)
    : options_(std::move(options)),
      target_{{targets, DotPlotDrawing::box}, {}, {}},
      query_{{queries, DotPlotDrawing::box}, {}, {}},
      density_{DotDensity(cells), DotDensity(cells)} {
  for (Side* side : {&target_, &query_}) side->covered.bits.resize(side->axis.total() / 64 + 1);
}

void DotPlot::Coverage::set(std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  if (begin == end) return;
  const std::uint64_t first = begin / 64, last = (end - 1) / 64;
  const std::uint64_t from = all << begin % 64, to = all >> (63 - (end - 1) % 64);
  if (first == last) {
    bits[first] |= from & to;
    return;
  }
  bits[first] |= from;
  std::fill(bits.begin() + static_cast<std::ptrdiff_t>(first) + 1, bits.begin() + static_cast<std::ptrdiff_t>(last),
            all);
  bits[last] |= to;
}

std::uint64_t DotPlot::Coverage::count() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : bits) sum += static_cast<std::uint64_t>(std::popcount(word));
  return sum;
}

/// Longer ones first, of equal ones the earlier.
bool DotPlot::longer(const Line& a, const Line& b) {
  return a.region.length != b.region.length ? a.region.length > b.region.length : a.number < b.number;
}

void DotPlot::add(std::span<const CommonRegion> regions) {
  for (const CommonRegion& region : regions) {
    const std::uint64_t x = target_.axis.place(region.target, region.target_begin);
    const std::uint64_t y = query_.axis.place(region.query, region.query_begin);
    target_.covered.set(x, x + region.length);
    query_.covered.set(y, y + region.length);
    if (options_.symmetric) {
      target_.covered.set(y, y + region.length);
      query_.covered.set(x, x + region.length);
    }
    keep({region, regions_[0] + regions_[1]});
    ++regions_[region.reverse];
    matched_bases_ += region.length;
  }
}

void DotPlot::keep(const Line& line) {
  if (lines_.size() < most_lines) {
    lines_.push_back(line);
    if (lines_.size() == most_lines) std::make_heap(lines_.begin(), lines_.end(), longer);
    return;
  }
  if (!longer(line, lines_.front())) return count_in_cells(line.region);
  std::pop_heap(lines_.begin(), lines_.end(), longer);
  count_in_cells(lines_.back().region);
  lines_.back() = line;
  std::push_heap(lines_.begin(), lines_.end(), longer);
}

void DotPlot::count_in_cells(const CommonRegion& region) {
  const std::uint64_t x = target_.axis.place(region.target, region.target_begin);
  const std::uint64_t y = query_.axis.place(region.query, region.query_begin);
  const std::uint64_t last = region.length - (region.length > 0 ? 1 : 0);
  const std::uint32_t x0 = cell_of(target_.axis, x), x1 = cell_of(target_.axis, x + last);
  std::uint32_t y0 = cell_of(query_.axis, y), y1 = cell_of(query_.axis, y + last);
  if (region.reverse) std::swap(y0, y1);
  density_[region.reverse].add_line(x0, y0, x1, y1);
  if (options_.symmetric) density_[region.reverse].add_line(y0, x0, y1, x1);
}

void DotPlot::set_coding(PlotSide which, std::uint32_t sequence, std::span<const Interval> intervals) {
  Side& side = side_of(which);
  side.coding.resize(DotPlotDrawing::coding_bins);
  const std::uint64_t total = std::max<std::uint64_t>(side.axis.total(), 1), bins = side.coding.size();
  const std::uint64_t length = side.axis.list().sequences[sequence].length;
  for (const Interval& interval : intervals) {
    std::uint64_t at = side.axis.place(sequence, std::min(interval.begin, length));
    const std::uint64_t end = side.axis.place(sequence, std::min(interval.end, length));
    while (at < end) {
      const std::uint64_t bin = DotPlotDrawing::bin_of(at, total, bins);
      const std::uint64_t stop = std::min(end, DotPlotDrawing::bin_begin(bin + 1, total, bins));
      side.coding[bin] += stop - at;
      at = stop;
    }
  }
}

std::string DotPlot::svg() const {
  return DotPlotDrawing(*this).draw();
}

void DotPlot::write(const std::string& path) const {
  if (!path.ends_with(".png")) return write_text(path, svg());
  PendingFile png(path);
  const ScratchFile from{png.writing_path() + ".svg"}, made{png.writing_path() + ".png"};  // Inkscape wants the name
  write_text(from.path, svg());
  svg_to_png(from.path, made.path);
  std::error_code error;
  std::filesystem::rename(made.path, png.writing_path(), error);
  if (error) throw IoError::from_errno("write", path, error.value());
  png.commit();
}

}  // namespace warpseed
