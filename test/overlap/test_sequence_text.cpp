#include "overlap/sequence_text.hpp"

#include <random>

#include "catch.hpp"
#include "overlap/match_oracle.hpp"

namespace warpseed {

using namespace overlap;
using namespace text;

namespace {

/// Bases with runs of N of any length between them and at both ends.
test::Contigs sequences_with_n(std::size_t longest_run, std::mt19937& rng) {
  test::Contigs sequences;
  for (int i = 0; i < 5; ++i) {
    std::string bases(rng() % 3, 'N');
    for (int run = 0; run < 40; ++run) {
      bases += test::random_bases(1 + rng() % longest_run, 4, rng);
      bases.append(1 + rng() % (rng() % 8 == 0 ? longest_run : 3), 'N');
    }
    if (rng() % 2 == 0) bases += 'A';
    sequences.push_back(bases);
  }
  sequences.push_back("NNN");
  return sequences;
}

/// Checks every base of one side's sequences against the text.
void check_positions(const SequenceText& text, const test::Contigs& bases, bool is_query, bool reverse) {
  std::uint64_t wrong = 0;
  for (std::uint32_t sequence = 0; sequence < bases.size(); ++sequence) {
    for (std::uint64_t offset = 0; offset < bases[sequence].size(); ++offset) {
      const SequencePosition place = {sequence, offset, is_query, reverse};
      const auto position = text.position(place);
      const char letter = bases[sequence][offset];
      if (letter == 'N' || !position) {
        wrong += letter != 'N' || position;
        continue;
      }
      const SequencePosition back = text.location(*position);
      wrong += "ACGT"[text.genome().text[*position]] != letter;
      wrong += back.sequence != sequence || back.offset != offset || back.reverse != reverse;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every base except N has a position in the text", "[overlap][sequence_text]") {
  const std::size_t longest_run = GENERATE(1U, 40U, 3000U);
  std::mt19937 rng(static_cast<unsigned>(longest_run));
  CAPTURE(longest_run);
  const test::Contigs targets = sequences_with_n(longest_run, rng), queries = sequences_with_n(longest_run, rng);
  test::Contigs reversed;
  for (const std::string& bases : queries) reversed.push_back(test::reverse_complement(bases));
  const SequenceText text(test::file_of(targets), test::file_of(queries), Strands::both, 1);
  check_positions(text, targets, false, false);
  check_positions(text, queries, true, false);
  check_positions(text, reversed, true, true);
}

TEST_CASE("a text of N alone has no positions", "[overlap][sequence_text]") {
  const SequenceText text(test::file_of({"NNNN"}), test::file_of({"N"}), Strands::both, 1);
  check_positions(text, {"NNNN"}, false, false);
  check_positions(text, {"N"}, true, true);
}

}  // namespace warpseed
