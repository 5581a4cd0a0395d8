// Writes collapsed reads as FASTQ, FASTA or a table.
#pragma once

#include <memory>
#include <string>

#include "collapse/collapse.hpp"
#include "core/output_file.hpp"

namespace warpseed::collapse {

enum class CollapseFormat { fastq, fasta, tsv };

/// Takes "fastq", "fasta" or "tsv"; "auto" is FASTQ if the reads have qualities, else FASTA. Throws InputError for
/// FASTQ if the reads have no qualities.
CollapseFormat choose_collapse_format(const std::string& name, const ReadStore& reads);

struct CollapseOutput {
  std::string path = "-";
  std::string path2;  // for second mates; empty: pairs go to `path`, interleaved
  CollapseFormat format = CollapseFormat::fastq;
};

/// Writes representatives unchanged, one line per sequence, in the order given. Names become NAME;size=COUNT, as in
/// vsearch; comments stay. The table has a header and the columns count, sequence (of pairs sequence1 and sequence2)
/// and name. Files get their names when all is written. Throws IoError, InputError for a table in two files.
void write_collapsed(const ReadStore& reads, bool paired, const std::vector<Collapsed>& kept,
                     const CollapseOutput& output);

}  // namespace warpseed::collapse
