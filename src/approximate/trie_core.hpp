// The search in the index: a node is a text string that ends at a candidate and the rows that start with it, shared by
// both backends. A step extends a node by each base to its left and keeps what can still become an occurrence.
#pragma once

#include <cstdint>

#include "approximate/differences.hpp"
#include "approximate/edit_states_core.hpp"
#include "approximate/pattern_batch.hpp"
#include "index/fm_core.hpp"

namespace warpseed::approximate {

/// Rows that are verified in the text rather than searched on: a row costs a walk to a sampled one and a look into the
/// text, about as much as the steps that would be left. A step costs more with edits, and leaves more strings.
WS_HD constexpr std::uint64_t verified_rows(Metric metric) {
  return metric == Metric::mismatches ? 4 : 16;
}

/// Counts mismatches: the state of a node of a search with mismatches.
struct MismatchStates {
  static constexpr Metric metric = Metric::mismatches;

  struct Step {
    text::BaseSet next;    // the pattern base that the new text base is aligned to
    bool exact;            // it is to match
    std::uint32_t budget;  // mismatches including this base
  };

  std::uint32_t mismatches = 0;

  WS_HD static MismatchStates start(const PatternView&, const Part&) { return {}; }
  WS_HD static Step step(const PatternView& pattern, const Part& part, std::uint32_t length) {
    const std::uint32_t at = part.end - 1 - length;
    return {pattern.sets[at], pattern.is_exact(at), at >= part.begin ? part.budget : part.left_budget};
  }
  WS_HD bool next(const Step& step, unsigned base, MismatchStates& result) const {
    const bool match = step.next >> base & 1;
    result.mismatches = mismatches + !match;
    return result.mismatches <= step.budget && (match || !step.exact);
  }
  WS_HD bool complete(const Part& part, std::uint32_t length) const { return length == part.end - part.left_end; }
};

/// Counts edits: the state of a node of a search with at most K edits.
template <unsigned K>
struct EditNodeStates {
  static constexpr Metric metric = Metric::edits;

  struct Step {
    std::uint32_t matches[4];  // of each text base
    EditCells cells;
    EditBudget budget;
  };

  EditStates<K> states;

  WS_HD static EditNodeStates start(const PatternView& pattern, const Part& part) {
    return {EditStates<K>::start(pattern.leftward(part.end), EditBudget::of(part))};
  }
  WS_HD static Step step(const PatternView& pattern, const Part& part, std::uint32_t length) {
    const Reading reading = pattern.leftward(part.end);
    const auto from = static_cast<std::int32_t>(length);
    Step step = {{}, {}, EditBudget::of(part)};
    for (unsigned base = 0; base < 4; ++base) step.matches[base] = EditStates<K>::matches(reading, from, base);
    step.cells = EditStates<K>::cells_of(reading, step.budget, from + 1);
    return step;
  }
  WS_HD bool next(const Step& step, unsigned base, EditNodeStates& result) const {
    result.states = states.next(step.cells, step.budget, step.matches[base]);
    return result.states.alive();
  }
  WS_HD bool complete(const Part& part, std::uint32_t length) const {
    return states.edits_of(part.end - part.left_end, static_cast<std::int32_t>(length)) <= part.left_budget;
  }
};

/// A text string that ends where a pattern's part does, and what is known of it.
template <class States>
struct Node {
  RowRange rows;              // those that start with it
  std::uint32_t pattern = 0;  // of a StrandBatch, as is the part
  std::uint32_t part = 0;
  std::uint32_t length = 0;  // of the string
  States states;
};

/// The rows of the four extensions to the left of a row range.
struct Extensions {
  RowRange rows[4];
};

WS_HD inline Extensions extend_all(const index::FmView& fm, RowRange rows) {
  const bool one_block = rows.begin / index::block_symbols == rows.end / index::block_symbols;
  const index::RankBlock at_begin = index::load_block(fm, rows.begin);
  const index::RankBlock at_end = one_block ? at_begin : index::load_block(fm, rows.end);
  Extensions result;
  for (unsigned base = 0; base < 4; ++base) {
    result.rows[base] = {fm.first_row[base] + index::rank_in(fm, at_begin, base, rows.begin),
                         fm.first_row[base] + index::rank_in(fm, at_end, base, rows.end)};
  }
  return result;
}

/// Is a node to be verified, rather than searched on?
template <class States>
WS_HD bool is_leaf(const Node<States>& node, const Part& part) {
  return node.rows.count() <= verified_rows(States::metric) || node.states.complete(part, node.length);
}

/// Does a string with many rows belong to a repeat? It is to cover its part and to be longer than those of a random text,
/// which are many, too, where they have few different bases.
template <class States>
WS_HD bool is_of_repeat(const Node<States>& node, const Part& part, std::uint64_t text_rows) {
  return node.length >= part.length() && (node.length >= 32 || text_rows >> 2 * node.length == 0);
}

/// Makes the node that extends another one by `base`, whose rows are given; false if it cannot become an occurrence.
template <class States>
WS_HD bool extend_node(const Node<States>& node, const typename States::Step& step, unsigned base, RowRange rows,
                       Node<States>& next) {
  next.rows = rows, next.pattern = node.pattern, next.part = node.part, next.length = node.length + 1;
  return !rows.empty() && node.states.next(step, base, next.states);
}

/// The code of a set of one base; 4 for other sets.
WS_HD inline unsigned code_of_set(text::BaseSet set) {
  return set == 1 ? 0 : set == 2 ? 1 : set == 4 ? 2 : set == 8 ? 3 : 4;
}

/// The first node of the search for a part of a pattern: no bases, or those that the table of k-mers answers, where the
/// part's last ones are to match exactly and are one base each. Its rows may be empty.
template <class States>
WS_HD Node<States> first_node(const index::FmView& fm, const StrandBatchView& batch, std::uint32_t pattern_number,
                              std::uint32_t part_number) {
  const PatternView pattern = batch.pattern(pattern_number);
  const Part& part = batch.parts[part_number];
  Node<States> root;
  root.rows = {0, fm.row_count()}, root.pattern = pattern_number, root.part = part_number;
  root.states = States::start(pattern, part);
  const std::uint32_t k = fm.kmer_length;
  if (k == 0 || part.budget > 0 || part.length() < k) return root;
  Node<States> node = root;
  std::uint64_t kmer = 0;
  for (; node.length < k; ++node.length) {
    const unsigned code = code_of_set(pattern.sets[part.end - 1 - node.length]);
    if (code > 3) return root;
    kmer |= std::uint64_t{code} << 2 * node.length;
    const States before = node.states;
    before.next(States::step(pattern, part, node.length), code, node.states);
  }
  node.rows = index::kmer_rows(fm, kmer);
  return node;
}

}  // namespace warpseed::approximate
