// The whole job of `align`: reads in, records out, reading, aligning and writing at the same time.
#pragma once

#include <cstdint>
#include <string>

#include "align/aligner.hpp"
#include "core/progress.hpp"
#include "reads/alignment_writer.hpp"
#include "reads/read_source.hpp"

namespace warpseed {

/// What the summary at the end counts.
struct AlignCounts {
  bool paired = false;
  std::uint64_t reads = 0;
  std::uint64_t unmapped = 0, unique = 0, repeated = 0;  // unique: MAPQ above 0
  std::uint64_t proper_pairs = 0, discordant_pairs = 0;  // both mates mapped
  std::uint64_t lone_mates = 0;                          // mapped reads whose mate is not
};

struct RunOptions {
  int threads = 1;
  std::string read_group;     // the ID; empty for none
  bool with_comment = false;  // -C
};

/// Reads a batch, however many there are, at a time: the same for any thread count, so that the output is.
constexpr std::uint64_t batch_reads = 32768;

/// Runs to the end of `source` and finishes `writer`.
AlignCounts run_alignment(ReadSource& source, Aligner& aligner, AlignmentWriter& writer, bool paired,
                          const RunOptions& options, const ProgressCallback& progress = {});

/// The closing lines in bowtie2's layout, which MultiQC reads.
std::string summary_text(const AlignCounts& counts);

}  // namespace warpseed
