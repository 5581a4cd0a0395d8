// Repeats of a text down to a minimum length: the LCP intervals of its suffix array.
//
// Kasai et al., "Linear-time longest-common-prefix computation in suffix arrays and its applications", CPM 2001:
// bottom-up traversal of the suffix tree with a stack.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "suffix/compact_lcp.hpp"

namespace warpseed::overlap {

/// The occurrences of a repeat in one contig.
template <class Pos>
struct ContigPositions {
  std::uint32_t contig;
  std::uint32_t count;  // occurrences
  Pos first, second;    // the lowest text positions; `second` is valid from two occurrences on
  Pos last;             // the highest
};

/// Visits every word of at least `floor` bases whose occurrences are followed by different bases (or ends). Longer
/// words come before their prefixes. Memory: the positions of the words on one path of the tree.
template <class Pos>
class LcpIntervals {
 public:
  /// floor: at least 1.
  LcpIntervals(std::span<const Pos> suffixes, const suffix::CompactLcp<Pos>& lcp, Pos floor)
      : suffixes_(suffixes), lcp_(lcp), floor_(floor) {}

  /// Visits the words whose first row is in [begin, end): visit(length, positions), one element per contig, in order.
  /// contig_of(text position) -> number.
  template <class ContigOf, class Visit>
  void visit(std::uint64_t begin, std::uint64_t end, const ContigOf& contig_of, const Visit& visit) {
    auto lcp = lcp_.from(begin);
    const auto shared_of = [&](std::uint64_t row) {  // rows in ascending order; 0 below the floor
      const Pos length = row < suffixes_.size() ? lcp.next() : 0;
      return length < floor_ ? 0 : length;
    };
    std::uint64_t row = begin;
    Pos shared = shared_of(row);
    for (; row < end && shared > 0; ++row) shared = shared_of(row + 1);  // words that began before `begin`
    if (row == end) return;
    for (Pos next; row < end || shared > 0; ++row, shared = next) {
      next = shared_of(row + 1);
      const std::uint64_t left = close_deeper(shared, visit);
      if (shared == 0) places_.clear();
      if (shared == 0 && next == 0) continue;  // the suffix shares no word
      if (shared > 0 && (open_.empty() || open_.back().length < shared)) open_.push_back({shared, left});
      const Pos at = suffixes_[row];
      places_.push_back({static_cast<std::uint32_t>(contig_of(at)), 1, at, 0, at});
    }
    close_deeper(0, visit);
    places_.clear();
  }

 private:
  struct Word {
    Pos length;
    std::uint64_t begin;  // of its positions
  };

  /// Visits and closes the words longer than `length`. Returns the begin of the positions of the last one, or of
  /// the last row.
  template <class Visit>
  std::uint64_t close_deeper(Pos length, const Visit& visit) {
    std::uint64_t left = places_.empty() ? 0 : places_.size() - 1;
    for (; !open_.empty() && open_.back().length > length; open_.pop_back()) {
      left = open_.back().begin;
      merge_from(left);
      visit(open_.back().length, std::span<const ContigPositions<Pos>>(places_).subspan(left));
    }
    return left;
  }

  /// Merges places_[begin...] to one element per contig, in order.
  void merge_from(std::uint64_t begin) {
    const auto first = places_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, places_.end(), [](const auto& a, const auto& b) {
      return a.contig != b.contig ? a.contig < b.contig : a.first < b.first;
    });
    auto out = first;
    for (auto next = first + 1; next < places_.end(); ++next) {
      if (next->contig != out->contig) {
        *++out = *next;
        continue;
      }
      const bool had_two = out->count > 1;
      out->second = had_two ? std::min(out->second, next->first) : next->first;
      out->count += next->count;
      out->last = std::max(out->last, next->last);
    }
    places_.erase(out + 1, places_.end());
  }

  std::span<const Pos> suffixes_;
  const suffix::CompactLcp<Pos>& lcp_;
  Pos floor_;
  std::vector<Word> open_;                    // in ascending order of length
  std::vector<ContigPositions<Pos>> places_;  // of all open words, concatenated
};

}  // namespace warpseed::overlap
