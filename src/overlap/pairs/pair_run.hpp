// A table of position pairs in, the lengths of their common extensions out.
#pragma once

#include <string>

#include "core/backend.hpp"
#include "core/progress.hpp"
#include "overlap/sequence_text.hpp"

namespace warpseed::overlap {

/// The sequences that a table speaks of: those of one text, compared with itself, in which the targets come first. The
/// queries follow, or are the targets.
struct PairSides {
  SequenceList targets, queries;
  std::uint32_t first_query = 0;  // number in the text of the first query
};

struct PairSummary {
  std::uint64_t pairs = 0;
  double seconds = 0;  // from the table to the answers, without what is made of the text before
};

/// Answers each pair of the table: how many bases from both positions on are equal, each read on its own strand. A
/// position on an N shares nothing. Any number of pairs, in blocks; the answers are in the table's order.
/// text: of Strands::both if a position may be on the reverse strand, else InputError says so.
/// Throws InputError (file:line) as PairTableReader does.
PairSummary write_extensions(const SequenceText& text, const PairSides& sides, const std::string& table,
                             const std::string& output, const Backend& backend, const ProgressCallback& progress = {});

}  // namespace warpseed::overlap
