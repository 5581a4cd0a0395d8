// A table of position pairs in, the lengths of their common extensions out.
#pragma once

#include <string>

#include "core/backend.hpp"
#include "core/progress.hpp"
#include "overlap/sequence_text.hpp"

namespace warpseed {

/// The sequences that a table speaks of: those of one text, compared with itself, in which the targets come first. The
/// queries follow, or are the targets.
struct PairSides {
  SequenceList targets, queries;
  std::uint32_t first_query = 0;  // number in the text of the first query
};

/// Answers each pair of the table: how many bases from both positions on are equal, each read on its own strand. A
/// position on an N shares nothing. Any number of pairs, in blocks; the answers are in the table's order.
/// text: of Strands::both if a position may be on the reverse strand, else InputError says so.
/// Returns the number of pairs. Throws InputError (file:line) as PairTableReader does.
std::uint64_t write_extensions(const SequenceText& text, const PairSides& sides, const std::string& table,
                               const std::string& output, const Backend& backend,
                               const ProgressCallback& progress = {});

}  // namespace warpseed
