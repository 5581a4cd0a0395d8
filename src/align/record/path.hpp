// The path of an alignment: CIGAR, edit distance and MD.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "align/record/traceback_core.hpp"
#include "records/alignment_record.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

struct Path {
  std::int64_t position = 0;                 // 0-based, in the contig
  std::vector<records::CigarElement> cigar;  // soft clips at the ends
  std::int32_t edit_distance = 0;            // NM
  std::string mismatches;                    // MD
  std::string differences;                   // cs, if requested
  std::string ambiguous_differences;         // ds, if requested
};

/// Reuses its scratch memory for all alignments. Threads: one tracer per thread.
class PathTracer {
 public:
  PathTracer(const text::GenomeView& genome, const AlignOptions& options) : genome_(genome), options_(options) {}

  /// The best path between the ends of an alignment of `read`. known: its CIGAR, if already computed.
  Path trace(const LocalAlignment& alignment, const PackedRead& read,
             const std::optional<PrecomputedCigar>& known = {});

  /// The path of an alignment that has its CIGAR.
  Path trace(const LongAlignment& alignment, const PackedRead& read);

  /// The elements and differences of that path, valid until the next call.
  PrecomputedCigar find_path(const LocalAlignment& alignment, const PackedRead& read);

 private:
  void add_requested(Path& path, const LocalAlignment& alignment, const PackedRead& read, std::uint32_t query_begin,
                     std::uint32_t skipped);
  bool trace_ungapped(const LocalAlignment& alignment, const PackedRead& read);
  void trace_by_codes(const LocalAlignment& alignment, const PackedRead& read);
  void fill(const std::uint8_t* query, std::int32_t query_length, std::int32_t genome_length, std::int32_t score);

  const text::GenomeView& genome_;
  const AlignOptions& options_;
  std::vector<std::uint8_t> window_;  // the genome bases of the alignment
  std::vector<PathCell> row_;
  std::vector<std::uint8_t> steps_;
  std::vector<records::CigarElement> cigar_;
  std::vector<Difference> differences_;
};

}  // namespace warpseed::align
