// The first reads of an input, for what the rest is like.
#pragma once

#include <cstdint>
#include <vector>

#include "reads/lanes.hpp"

namespace warpseed::estimate {

/// How an input file of reads is stored.
enum class ReadFormat { text, sam, bam, cram };  // text: FASTQ or FASTA

/// Means of the first reads; all 0 if there are none.
struct ReadSample {
  ReadFormat format = ReadFormat::text;
  bool paired = false;
  std::uint64_t reads = 0;       // looked at
  double name = 0, comment = 0;  // bytes a read
  double bases = 0;              // a read
  double qualities = 0;          // a read; 0 for FASTA
  double stored = 0;             // bytes a read in the input, decompressed
  double compressed = 0;         // bytes a read of name, bases and qualities as a BAM file of low level has them
};

/// Looks at some thousand reads of the first lane. Throws as open_reads() and ReadSource::next().
ReadSample sample_reads(const reads::ReadInput& input);

}  // namespace warpseed::estimate
