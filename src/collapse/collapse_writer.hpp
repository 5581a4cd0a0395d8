// Collapsed reads out, as FASTQ, FASTA or a table.
#pragma once

#include <memory>
#include <string>

#include "collapse/collapse.hpp"
#include "core/output_file.hpp"

namespace warpseed::collapse {

enum class CollapseFormat { fastq, fasta, tsv };

/// "fastq", "fasta" or "tsv"; "auto" is FASTQ when the reads have qualities, else FASTA. Throws InputError for FASTQ of
/// reads without qualities.
CollapseFormat choose_collapse_format(const std::string& name, const ReadStore& reads);

struct CollapseOutput {
  std::string path = "-";
  std::string path2;  // for second mates; empty: pairs go to `path`, mates one after the other
  CollapseFormat format = CollapseFormat::fastq;
};

/// Writes representatives as they came, a line a sequence, in the order given; names become NAME;size=COUNT, as vsearch
/// writes and reads them, comments stay. The table has a header and the columns count, sequence (of pairs sequence1 and
/// sequence2) and name. Files appear when all is written. Throws IoError, InputError for a table in two files.
void write_collapsed(const ReadStore& reads, bool paired, const std::vector<Collapsed>& kept,
                     const CollapseOutput& output);

}  // namespace warpseed::collapse
