// Scans a text for a pattern with at most k edits, by bit vectors: fast enough for a whole chromosome.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace warpseed::test {

/// A position in a text where alignments of the pattern end, and the fewest edits of those that end there.
struct ScanEnd {
  std::uint64_t end = 0;  // the position after the last aligned base
  std::uint32_t edits = 0;

  friend bool operator==(const ScanEnd&, const ScanEnd&) = default;
};

/// 0..3 for A, C, G, T.
inline unsigned number_of_base(char base) {
  const std::size_t number = std::string_view("ACGT").find(base);
  if (number == std::string_view::npos) throw std::invalid_argument("MyersColumn: not one of ACGT");
  return static_cast<unsigned>(number);
}

/// A column of the dynamic program of pattern (rows) and text (columns), whose top cell is 0: alignments begin anywhere
/// in the text. It stores the differences between cells one above the other, 64 rows a word.
///
/// Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", J. ACM 46, 1999;
/// the difference that a word passes down to the next one as in Hyyro, "A bit-vector algorithm for computing Levenshtein
/// and Damerau edit distances", Nordic J. Computing 10, 2003.
class MyersColumn {
 public:
  /// pattern: of A, C, G, T and N, which matches any base; not empty.
  explicit MyersColumn(std::string_view pattern)
      : words_((pattern.size() + 63) / 64),
        edits_(static_cast<std::uint32_t>(pattern.size())),
        last_row_(static_cast<unsigned>((pattern.size() - 1) % 64)) {
    if (pattern.empty()) throw std::invalid_argument("MyersColumn: empty pattern");
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      for (unsigned base = 0; base < 4; ++base) {
        const bool match = pattern[i] == 'N' || number_of_base(pattern[i]) == base;
        words_[i / 64].matches[base] |= std::uint64_t{match} << (i % 64);
      }
    }
  }

  /// The bottom cell: the fewest edits between the pattern and any stretch that ends here.
  std::uint32_t edits() const { return edits_; }

  /// Moves on to the column of the next text base.
  void advance(char next) {
    const unsigned base = number_of_base(next);
    Step above = {};  // the top cells of all columns are equal
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) above = advance(words_[i], base, above, 63);
    const Step bottom = advance(words_.back(), base, above, last_row_);
    edits_ += static_cast<std::uint32_t>(bottom.up) - static_cast<std::uint32_t>(bottom.down);
  }

 private:
  struct Word {
    std::array<std::uint64_t, 4> matches = {};  // bit i: the pattern's base of row i matches A, C, G, T
    std::uint64_t up = ~std::uint64_t{0};       // bit i: the cell of row i is by one more than the cell above it
    std::uint64_t down = 0;                     // bit i: by one less
  };
  /// From a cell to the one of the next column: one bit is 1, or none.
  struct Step {
    std::uint64_t up = 0, down = 0;
  };

  /// above: in the row above the word. Returns the step in row `last`.
  static Step advance(Word& word, unsigned base, Step above, unsigned last) {
    const std::uint64_t equal = word.matches[base], vertical = equal | word.down;
    const std::uint64_t start = equal | above.down;  // a step down from above lets row 0 step down, as a match would
    const std::uint64_t diagonal = (((start & word.up) + word.up) ^ word.up) | start;
    std::uint64_t up = word.down | ~(diagonal | word.up), down = word.up & diagonal;
    const Step result = {up >> last & 1, down >> last & 1};
    up = up << 1 | above.up, down = down << 1 | above.down;
    word.up = down | ~(vertical | up);
    word.down = up & vertical;
    return result;
  }

  std::vector<Word> words_;
  std::uint32_t edits_;
  unsigned last_row_;
};

/// All ends with at most `most` edits in a text of A, C, G and T, in order.
inline std::vector<ScanEnd> scan_ends(std::string_view pattern, std::string_view text, std::uint32_t most) {
  std::vector<ScanEnd> ends;
  MyersColumn column(pattern);
  for (std::uint64_t end = 0;; ++end) {
    if (column.edits() <= most) ends.push_back({end, column.edits()});
    if (end == text.size()) return ends;
    column.advance(text[end]);
  }
}

/// Calls call(offset, bases) for each maximal stretch of a contig without N: no alignment goes beyond one.
template <class Call>
void for_each_stretch(std::string_view contig, const Call& call) {
  for (std::size_t begin = 0; begin < contig.size();) {
    std::size_t end = begin;
    while (end < contig.size() && contig[end] != 'N') ++end;
    if (end > begin) call(begin, contig.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace warpseed::test
