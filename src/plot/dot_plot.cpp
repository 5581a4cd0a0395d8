#include "plot/dot_plot.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/output_file.hpp"
#include "core/unfinished_files.hpp"
#include "plot/dot_plot_drawing.hpp"
#include "plot/svg_to_pdf.hpp"
#include "plot/svg_to_png.hpp"
#include "warpseed/error.hpp"

namespace warpseed::plot {

namespace {

constexpr std::uint32_t cells = 1024;  // per side of the grid: slightly finer than the plot's pixels

std::uint32_t cell_of(const PlotAxis& axis, std::uint64_t offset) {
  const double share = axis.pixel(offset) / axis.pixels();
  return std::min(cells - 1, static_cast<std::uint32_t>(share * cells));
}

/// A temporary file, removed on destruction.
struct ScratchFile {
  std::string path;
  UnfinishedFile unfinished;

  explicit ScratchFile(std::string name) : path(std::move(name)) { unfinished.note(path); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
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

/// output: the file that this one is made for, which messages name.
void write_scratch(const ScratchFile& scratch, std::string_view text, const std::string& output) {
  std::FILE* file = std::fopen(scratch.path.c_str(), "wb");
  int error_number = file ? 0 : errno;
  if (file && std::fwrite(text.data(), 1, text.size(), file) != text.size()) error_number = errno;
  if (file && std::fclose(file) != 0 && error_number == 0) error_number = errno;
  if (error_number != 0) throw IoError::from_errno("write", output, error_number);
}

/// The scratch files are gone before the picture is complete: a run that is killed later leaves none.
void make_png(std::string_view svg, const std::string& writing_path, const std::string& output) {
  const ScratchFile from(writing_path + ".svg"), made(writing_path + ".png");  // Inkscape wants the name
  write_scratch(from, svg, output);
  svg_to_png(from.path, made.path, output);
  std::error_code error;
  std::filesystem::rename(made.path, writing_path, error);
  if (error) throw IoError::from_errno("write", output, error.value());
}

}  // namespace

DotPlot::DotPlot(const text::SequenceList& targets, const text::SequenceList& queries, DotPlotOptions options)
    : options_(std::move(options)),
      target_{{targets, DotPlotDrawing::box}, {}, {}},
      query_{{queries, DotPlotDrawing::box}, {}, {}},
      density_{DotDensity(cells), DotDensity(cells)} {
  target_.covered.bits.resize(target_.axis.total() / 64 + 1);
  if (!options_.symmetric) query_.covered.bits.resize(query_.axis.total() / 64 + 1);
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

/// Longer ones first, ties in order of adding.
bool DotPlot::longer(const Line& a, const Line& b) {
  return a.region.length != b.region.length ? a.region.length > b.region.length : a.number < b.number;
}

void DotPlot::add(std::span<const CommonRegion> regions) {
  Coverage &of_target = target_.covered, &of_query = options_.symmetric ? target_.covered : query_.covered;
  constexpr std::size_t ahead = 16;  // distance of the prefetch of coverage words, in regions
  const auto x_of = [&](const CommonRegion& region) { return target_.axis.offset(region.target, region.target_begin); };
  const auto y_of = [&](const CommonRegion& region) { return query_.axis.offset(region.query, region.query_begin); };
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (i + ahead < regions.size()) {
      of_target.prefetch(x_of(regions[i + ahead]));
      of_query.prefetch(y_of(regions[i + ahead]));
    }
    const CommonRegion& region = regions[i];
    const std::uint64_t x = x_of(region), y = y_of(region);
    of_target.set(x, x + region.length);
    of_query.set(y, y + region.length);
    if (region.length < long_enough_) {
      count_in_cells(region);
    } else {
      lines_.push_back({region, regions_[0] + regions_[1]});
      if (lines_.size() == 2 * max_lines) spill();
    }
    ++regions_[region.reverse];
    matched_bases_ += region.length;
  }
}

/// Leaves the longest in lines_ and adds the others to the cells.
void DotPlot::spill() {
  if (lines_.size() <= max_lines) return;
  const auto middle = lines_.begin() + max_lines;
  std::nth_element(lines_.begin(), middle - 1, lines_.end(), longer);
  long_enough_ = lines_[max_lines - 1].region.length;
  for (auto line = middle; line != lines_.end(); ++line) count_in_cells(line->region);
  lines_.erase(middle, lines_.end());
}

void DotPlot::count_in_cells(const CommonRegion& region) {
  const std::uint64_t x = target_.axis.offset(region.target, region.target_begin);
  const std::uint64_t y = query_.axis.offset(region.query, region.query_begin);
  const std::uint64_t last = region.length - (region.length > 0 ? 1 : 0);
  const std::uint32_t x0 = cell_of(target_.axis, x), x1 = cell_of(target_.axis, x + last);
  std::uint32_t y0 = cell_of(query_.axis, y), y1 = cell_of(query_.axis, y + last);
  if (region.reverse) std::swap(y0, y1);
  density_[region.reverse].add_line(x0, y0, x1, y1);
  if (options_.symmetric) density_[region.reverse].add_line(y0, x0, y1, x1);
}

void DotPlot::set_coding(PlotSide which, std::uint32_t sequence, std::span<const text::Interval> intervals) {
  Side& side = side_of(which);
  side.coding.resize(DotPlotDrawing::coding_bins);
  const std::uint64_t total = std::max<std::uint64_t>(side.axis.total(), 1), bins = side.coding.size();
  const std::uint64_t length = side.axis.list().sequences[sequence].length;
  for (const text::Interval& interval : intervals) {
    std::uint64_t at = side.axis.offset(sequence, std::min(interval.begin, length));
    const std::uint64_t end = side.axis.offset(sequence, std::min(interval.end, length));
    while (at < end) {
      const std::uint64_t bin = DotPlotDrawing::bin_of(at, total, bins);
      const std::uint64_t stop = std::min(end, DotPlotDrawing::bin_begin(bin + 1, total, bins));
      side.coding[bin] += stop - at;
      at = stop;
    }
  }
}

std::vector<CommonRegion> DotPlot::drawn_regions() {
  spill();
  std::sort(lines_.begin(), lines_.end(), longer);
  std::vector<CommonRegion> regions;
  for (const Line& line : lines_) regions.push_back(line.region);
  return regions;
}

std::string DotPlot::title() const {
  if (!options_.title.empty()) return options_.title;
  return files_text(targets()) + " against " + (options_.symmetric ? "itself" : files_text(queries()));
}

std::string DotPlot::svg() {
  spill();
  return DotPlotDrawing(*this).draw();
}

void DotPlot::write(const std::string& path) {
  if (path.ends_with(".pdf")) return write_text(path, svg_to_pdf(svg(), title()));
  if (!path.ends_with(".png")) return write_text(path, svg());
  PendingFile png(path);
  make_png(svg(), png.writing_path(), path);
  png.commit();
}

}  // namespace warpseed::plot
