// One axis of a dot plot: concatenated sequences, their pixels, ticks and the names that fit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/sequence_list.hpp"

namespace warpseed::plot {

class PlotAxis {
 public:
  struct Tick {
    double pixel = 0;
    std::string label;  // "1.5 Mb"
  };

  /// `pixels` is the length of the axis. The list must outlive it.
  PlotAxis(const text::SequenceList& list, double pixels);

  const text::SequenceList& list() const { return list_; }
  std::uint64_t total() const { return begins_.back(); }
  double pixels() const { return pixels_; }

  /// The position of a base in the concatenation of all sequences.
  std::uint64_t offset(std::uint32_t sequence, std::uint64_t position) const { return begins_[sequence] + position; }

  /// Pixels from the axis' origin.
  double pixel(std::uint64_t offset) const { return static_cast<double>(offset) * scale_; }
  double begin_pixel(std::size_t sequence) const { return pixel(begins_[sequence]); }
  double width(std::size_t sequence) const { return pixel(begins_[sequence + 1]) - pixel(begins_[sequence]); }

  /// Four to nine ticks at round numbers, 0 included.
  std::vector<Tick> ticks() const;

  /// Inner borders between sequences, in pixels, at least two pixels apart.
  std::vector<double> borders() const;

  /// Indices of the sequences whose names fit, in list order: each has `room` pixels around its middle. Longer
  /// sequences have priority.
  std::vector<std::size_t> named(double room) const;

 private:
  const text::SequenceList& list_;
  std::vector<std::uint64_t> begins_ = {0};  // [sequences + 1]
  double pixels_ = 0, scale_ = 0;
};

/// The names of the sequences' files without folders: "a.fa", or "a.fa and 3 more".
std::string files_text(const text::SequenceList& list);

}  // namespace warpseed::plot
