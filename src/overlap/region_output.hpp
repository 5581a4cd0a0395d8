// Writes the regions: lines to a file, bases to FASTA, and to whoever else takes them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/output_file.hpp"
#include "overlap/region_fasta.hpp"
#include "overlap/region_format.hpp"
#include "overlap/region_label.hpp"
#include "overlap/sequence_text.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

/// What is written and where; an empty path: not written.
struct OutputPlan {
  RegionFormatKind format = RegionFormatKind::tsv;
  std::string path = "-", fasta_path = {};
  const RegionLabeller* target_labels = nullptr;  // null: the lines have no labels. Must outlive the output
  const RegionLabeller* query_labels = nullptr;   // the same of the queries
  bool counts = false;                            // the regions come with their number of occurrences
};

/// Takes the regions that are written, in order, for a file of its own.
class RegionSink {
 public:
  virtual ~RegionSink() = default;
  virtual void add(std::span<const CommonRegion> regions) = 0;

  /// Writes the file, which gets its name before those of the output do.
  virtual void write() = 0;
};

/// Many threads format lines, one portion each, and one thread writes them in order.
class RegionOutput {
 public:
  /// Opens the files and writes the header. text and sink, which may be null, must outlive this. Throws InputError for
  /// labels in a format without fields for them, IoError if a file cannot be written.
  RegionOutput(const SequenceText& text, const OutputPlan& plan, RegionSink* sink = nullptr);

  /// Lines and the output that goes with them, in order.
  struct Portion {
    std::string lines, fasta;
    std::vector<CommonRegion> regions;
  };

  /// Threads: may be called concurrently.
  template <class Region>
  void append(std::span<const Region> regions, Portion& portion) const;

  const RegionFormat& format() const { return format_; }

  void write(const Portion& portion);

  /// Renames all files to their final names.
  void commit();

  std::uint64_t written() const { return written_; }

 private:
  std::vector<RegionLabel> labels(const RegionLabeller* labeller, std::span<const CommonRegion> regions,
                                  bool query) const;

  OutputPlan plan_;
  RegionFormat format_;
  OutputFile lines_;
  RegionFasta fasta_;
  std::optional<OutputFile> fasta_file_;
  RegionSink* sink_;
  std::uint64_t written_ = 0;
};

}  // namespace warpseed::overlap
