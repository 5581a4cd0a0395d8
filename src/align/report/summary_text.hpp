// The summary that `align` prints at its end.
#pragma once

#include <string>

#include "align/report/align_counts.hpp"

namespace warpseed::align {

enum class SummaryForm { warpseed, bowtie2 };

/// Several lines, each with its line break.
/// warpseed: "warpseed align: 2 of 3 reads mapped (66.67%)", then what became of the reads and, if there are any, of
/// the pairs, in the words of the HTML report.
/// bowtie2: its wording and layout, which MultiQC reads. "exactly 1 time": unique; ">1 times": repeated. As in bowtie2,
/// the first line counts pairs for paired input.
std::string summary_text(const AlignCounts& counts, SummaryForm form);

}  // namespace warpseed::align
