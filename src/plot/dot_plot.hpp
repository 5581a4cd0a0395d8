// A picture of common regions: targets along x, queries along y, a line for every match.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "overlap/common_region.hpp"
#include "plot/dot_density.hpp"
#include "plot/plot_axis.hpp"
#include "text/interval.hpp"

namespace warpseed::plot {

enum class PlotSide { target, query };

struct DotPlotOptions {
  std::string title = {};  // empty: made of the names of the files
  bool symmetric = false;  // a set against itself: every region is drawn on both sides of the diagonal
};

/// Takes regions in any number and writes SVG of at most 5 MB, or PNG. The longest 30,000 regions are drawn as lines,
/// all others as a grid of cells whose opacity is how many of them touch it. The picture depends on the regions and
/// their order only, not on the portions in which they came.
///
/// Memory: an eighth of a byte a base of both sides (to count covered bases), and 12 MB.
/// Cost: 0.15 microseconds a region on genomes of some megabases, twice that on gigabases. Threads: one caller.
class DotPlot {
 public:
  static constexpr std::size_t most_lines = 30'000;

  /// The lists must outlive the plot. With options.symmetric they must be the same.
  DotPlot(const overlap::SequenceList& targets, const overlap::SequenceList& queries, DotPlotOptions options = {});

  void add(std::span<const overlap::CommonRegion> regions);

  /// Shades a strip along the side's axis by the share of coding bases. intervals: sorted, none overlapping another;
  /// what of them is beyond the sequence's end is left out. With options.symmetric the targets' strip is on both axes.
  void set_coding(PlotSide side, std::uint32_t sequence, std::span<const text::Interval> intervals);

  /// The picture. Its <svg> element tells, for programs, how many regions were added and what they cover, of which
  /// the text under the title speaks:
  ///   data-forward data-reverse    regions of either strand
  ///   data-matched-bases           the sum of their lengths
  ///   data-target-bases data-target-covered data-query-bases data-query-covered
  ///                                bases of a side, and how many of them are in a region
  std::string svg();

  /// Writes svg() to `path`, or a PNG of twice its pixels if the name ends in .png. The file appears when it is
  /// complete. Throws IoError if it cannot be written; InputError if no program that makes PNG is installed
  /// (rsvg-convert, inkscape or ImageMagick).
  void write(const std::string& path);

 private:
  /// A region among all sequences laid end to end.
  struct Line {
    overlap::CommonRegion region;
    std::uint64_t number = 0;  // in the order of adding
  };

  /// Bits of one side's bases that are in a region.
  struct Coverage {
    std::vector<std::uint64_t> bits;

    void set(std::uint64_t begin, std::uint64_t end);
    void prefetch(std::uint64_t begin) const { __builtin_prefetch(&bits[begin / 64], 1); }
    std::uint64_t count() const;
  };

  struct Side {
    PlotAxis axis;
    Coverage covered;                   // of both, kept with the targets, if symmetric
    std::vector<std::uint64_t> coding;  // [bins] coding bases; empty if unknown
  };

  static bool longer(const Line& a, const Line& b);
  void spill();
  void count_in_cells(const overlap::CommonRegion& region);
  Side& side_of(PlotSide side) { return side == PlotSide::target ? target_ : query_; }
  friend class DotPlotDrawing;

  DotPlotOptions options_;
  Side target_, query_;
  std::vector<Line> lines_;        // the longest, and up to as many others
  std::uint64_t long_enough_ = 0;  // a region that is shorter is not among the longest
  DotDensity density_[2];          // forward, reverse: of all regions not in lines_
  std::uint64_t regions_[2] = {0, 0};
  std::uint64_t matched_bases_ = 0;
};

}  // namespace warpseed::plot
