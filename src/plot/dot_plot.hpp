// A dot plot of common regions: targets along x, queries along y, a line for every match.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plot/dot_density.hpp"
#include "plot/plot_axis.hpp"
#include "text/interval.hpp"
#include "text/sequence_list.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::plot {

enum class PlotSide { target, query };

struct DotPlotOptions {
  std::string title = {};  // UTF-8; empty: derived from the file names. Shortened where it does not fit
  bool symmetric = false;  // a set compared with itself: draws every region on both sides of the diagonal
};

/// Takes any number of regions and writes SVG of at most 5 MB, PDF or PNG. Draws the longest 30,000 regions as lines and
/// all others as a grid of cells. A cell's opacity shows how many regions touch it. The plot depends only on the
/// regions and their order, not on how they are split into portions.
///
/// Memory: an eighth of a byte per base of both sides (to count covered bases), and 12 MB.
/// Cost: 0.15 microseconds per region on genomes of some megabases, twice that on gigabases. Threads: one caller.
class DotPlot {
 public:
  static constexpr std::size_t max_lines = 30'000;

  /// The lists must outlive the plot. With options.symmetric they must be the same.
  DotPlot(const text::SequenceList& targets, const text::SequenceList& queries, DotPlotOptions options = {});

  void add(std::span<const CommonRegion> regions);

  /// Shades a strip along the side's axis by the share of coding bases. intervals: sorted and disjoint; parts past the
  /// end of the sequence are ignored. With options.symmetric the targets' strip is on both axes.
  void set_coding(PlotSide side, std::uint32_t sequence, std::span<const text::Interval> intervals);

  const DotPlotOptions& options() const { return options_; }
  std::string title() const;
  const text::SequenceList& targets() const { return target_.axis.list(); }
  const text::SequenceList& queries() const { return query_.axis.list(); }
  std::uint64_t region_count() const { return regions_[0] + regions_[1]; }

  /// The regions that are drawn as lines: the longest ones, longer ones first, ties in order of adding.
  std::vector<CommonRegion> drawn_regions();

  /// Renders the plot. Attributes of its <svg> element show, for programs, the number of regions and what they cover,
  /// as the text under the title does:
  ///   data-forward data-reverse    regions of either strand
  ///   data-matched-bases           the sum of their lengths
  ///   data-target-bases data-target-covered data-query-bases data-query-covered
  ///                                bases of a side, and how many of them are in a region
  ///   data-box                     left, top and size of the square that holds the matches
  std::string svg();

  /// Writes svg() to `path`, or a PDF of 0.75 points a pixel if the name ends in .pdf, or a PNG of twice its pixels if
  /// it ends in .png. The file appears when it is complete. Throws IoError if it cannot be written; InputError if no
  /// program that renders PNG is installed (rsvg-convert, inkscape or ImageMagick).
  void write(const std::string& path);

 private:
  /// A region in the concatenation of all sequences.
  struct Line {
    CommonRegion region;
    std::uint64_t number = 0;  // in the order of adding
  };

  /// Bitmap of one side's bases that are in a region.
  struct Coverage {
    std::vector<std::uint64_t> bits;

    void set(std::uint64_t begin, std::uint64_t end);
    void prefetch(std::uint64_t begin) const { __builtin_prefetch(&bits[begin / 64], 1); }
    std::uint64_t count() const;
  };

  struct Side {
    PlotAxis axis;
    Coverage covered;                   // of both sides, kept with the targets, if symmetric
    std::vector<std::uint64_t> coding;  // [bins] coding bases; empty if unknown
  };

  static bool longer(const Line& a, const Line& b);
  void spill();
  void count_in_cells(const CommonRegion& region);
  Side& side_of(PlotSide side) { return side == PlotSide::target ? target_ : query_; }
  friend class DotPlotDrawing;

  DotPlotOptions options_;
  Side target_, query_;
  std::vector<Line> lines_;        // the longest regions, and up to as many others
  std::uint64_t long_enough_ = 0;  // minimum length of the longest regions
  DotDensity density_[2];          // forward, reverse: of all regions not in lines_
  std::uint64_t regions_[2] = {0, 0};
  std::uint64_t matched_bases_ = 0;
};

}  // namespace warpseed::plot
