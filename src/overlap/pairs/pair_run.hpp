// Reads a table of position pairs and writes the lengths of their common extensions.
#pragma once

#include <string>

#include "core/backend.hpp"
#include "overlap/sequence_text.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::overlap {

/// The sequences to which a table refers: those of one text that is compared with itself. The targets come first in it;
/// the queries follow, or are the targets.
struct PairSides {
  text::SequenceList targets, queries;
  std::uint32_t first_query = 0;  // number of the first query in the text
};

struct PairSummary {
  std::uint64_t pairs = 0;
  double seconds = 0;  // from the table to the answers, without preparing the text
};

/// Answers each pair of the table: how many bases are equal from both positions on, each read on its own strand. A
/// position on an N has length 0. Takes any number of pairs, in blocks; the answers are in table order.
/// text: must hold Strands::both if a position may be on the reverse strand, else throws InputError.
/// Throws InputError (file:line) like PairTableReader.
PairSummary write_extensions(const SequenceText& text, const PairSides& sides, const std::string& table,
                             const std::string& output, const Backend& backend, const ProgressCallback& progress = {});

}  // namespace warpseed::overlap
