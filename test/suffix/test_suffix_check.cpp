// The linear check of a suffix array: every change of a right array must be found.
#include "suffix/suffix_check.hpp"

#include "catch.hpp"
#include "oracle.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

using Rows = std::vector<std::uint64_t>;
using Bytes = std::vector<std::uint8_t>;

constexpr int thread_counts[] = {1, 2, 5};

/// Texts with repeats, where a change may show only in the ranks of what follows.
std::vector<test::NamedText> checked_texts() {
  std::mt19937 rng(101);
  const std::string same = test::random_bases(40, 4, rng);
  return {
      {"one base", {"A"}},
      {"two contigs of one base", {"A", "A"}},
      {"one letter", {std::string(70, 'T')}},
      {"period 2", {std::string("ACACACACACACACACACACACACACACACAC")}},
      {"Fibonacci", {test::fibonacci_bases(90)}},
      {"equal contigs", {same, same, same}},
      {"random", {test::random_bases(64, 4, rng), "NN", test::random_bases(31, 2, rng) + "N" + same}},
  };
}

template <class Pos>
std::vector<Pos> as(const Rows& rows) {
  std::vector<Pos> narrow;
  for (const std::uint64_t row : rows) narrow.push_back(static_cast<Pos>(row));
  return narrow;
}

/// Whether the check finds a wrong row, with positions of both widths. One thread: such texts are one block of work.
template <class Text>
bool is_refused(const Text& text, const Rows& rows) {
  return first_wrong_row(text, as<std::uint32_t>(rows), 1) < rows.size() &&
         first_wrong_row(text, rows, 1) < rows.size();
}

template <class Text>
bool is_accepted(const Text& text, const Rows& rows) {
  return first_wrong_row(text, as<std::uint32_t>(rows), 1) == rows.size() &&
         first_wrong_row(text, rows, 1) == rows.size();
}

/// Every pair of rows swapped, every row made a copy of every other.
template <class Text>
void require_all_pairs_refused(const Text& text, const Rows& right) {
  for (std::size_t a = 0; a < right.size(); ++a) {
    for (std::size_t b = 0; b < right.size(); ++b) {
      if (a == b) continue;
      CAPTURE(a, b);
      Rows copied = right;
      copied[a] = right[b];
      if (!is_refused(text, copied)) FAIL("a duplicate row is not found");
      if (a > b) continue;
      Rows swapped = right;
      std::swap(swapped[a], swapped[b]);
      if (!is_refused(text, swapped)) FAIL("two swapped rows are not found");
    }
  }
}

/// Positions outside the text, in each row: just past its end, and the largest.
template <class Text>
void require_positions_beyond_refused(const Text& text, const Rows& right) {
  for (std::size_t row = 0; row < right.size(); ++row) {
    for (const std::uint64_t beyond :
         {std::uint64_t{right.size()}, std::uint64_t{right.size() + 1}, std::uint64_t{0xFFFFFFFF}}) {
      CAPTURE(row, beyond);
      Rows wrong = right;
      wrong[row] = beyond;
      REQUIRE(is_refused(text, wrong));
    }
    Rows wide = right;
    wide[row] += std::uint64_t{1} << 32;  // right in its low bits
    REQUIRE(first_wrong_row(text, wide, 1) < right.size());
  }
}

template <class Text>
void require_other_orders_refused(const Text& text, const Rows& right) {
  if (right.size() < 2) return;
  Rows reversed(right.rbegin(), right.rend()), rotated = right, numbers(right.size());
  REQUIRE(is_refused(text, reversed));
  std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
  REQUIRE(is_refused(text, rotated));
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  REQUIRE(is_refused(text, numbers) == (numbers != right));
  REQUIRE(is_refused(text, Rows(right.size(), 0)));
}

}  // namespace

TEST_CASE("the check accepts the right array of a genome and finds every change", "[suffix]") {
  for (const test::NamedText& text : checked_texts()) {
    CAPTURE(text.name);
    const Genome genome = test::genome_of(text.contigs);
    const GenomeView view = genome.view();
    const Rows right = test::sorted_suffixes(test::symbols_of(text.contigs));
    REQUIRE(is_accepted(view, right));
    require_all_pairs_refused(view, right);
    require_positions_beyond_refused(view, right);
    require_other_orders_refused(view, right);
  }
}

TEST_CASE("the check accepts the right array of bytes and finds every change", "[suffix]") {
  std::mt19937 rng(102);
  Bytes random(65), few(64);
  for (auto& byte : random) byte = static_cast<std::uint8_t>(rng());
  for (auto& byte : few) byte = rng() % 4 == 0 ? 255 : 0;
  for (const Bytes& bytes : {Bytes{0}, Bytes{255, 0}, Bytes(33, 0), Bytes(33, 255), random, few}) {
    CAPTURE(bytes.size());
    const std::span<const std::uint8_t> text(bytes);
    const Rows right = test::sorted_suffixes({bytes.begin(), bytes.end()});
    REQUIRE(is_accepted(text, right));
    require_all_pairs_refused(text, right);
    require_positions_beyond_refused(text, right);
    require_other_orders_refused(text, right);
  }
}

TEST_CASE("separators out of order are found", "[suffix]") {
  const test::Contigs contigs = {"A", "A", "A", "A"};
  const Genome genome = test::genome_of(contigs);
  const Rows right = {1, 3, 5, 7, 0, 2, 4, 6};
  REQUIRE(is_accepted(genome.view(), right));
  CHECK(is_refused(genome.view(), {1, 5, 3, 7, 0, 2, 4, 6}));
  CHECK(is_refused(genome.view(), {1, 5, 3, 7, 0, 4, 2, 6}));  // bases as their separators
  CHECK(is_refused(genome.view(), {0, 2, 4, 6, 1, 3, 5, 7}));  // bases before separators
}

TEST_CASE("the first row of an array of another size is wrong", "[suffix]") {
  const Genome genome = test::genome_of({"ACGT"});
  const Bytes bytes = {3, 1, 2};
  for (const std::size_t size : {0U, 1U, 2U, 4U, 6U, 100U}) {
    CAPTURE(size);
    CHECK(first_wrong_row(genome.view(), Rows(size, 0), 2) == 0);
    CHECK(first_wrong_row(bytes, Rows(size, 0), 2) == 0);
  }
  CHECK(first_wrong_row(test::genome_of({}).view(), Rows(), 1) == 0);  // nothing is wrong: 0 rows
  CHECK(first_wrong_row(Bytes(), Rows(), 1) == 0);
}

TEST_CASE("a change in any block of a long array is found, the first one by every number of threads", "[suffix]") {
  const std::string bases(200'000, 'A');
  const Genome genome = test::genome_of({bases});
  std::vector<std::uint32_t> right(bases.size() + 1);
  for (std::uint32_t row = 0; row < right.size(); ++row) right[row] = static_cast<std::uint32_t>(bases.size()) - row;
  REQUIRE(first_wrong_row(genome.view(), right, 2) == right.size());
  for (const std::size_t row : {0U, 1U, 65'534U, 65'535U, 65'536U, 131'071U, 131'072U, 199'998U, 199'999U}) {
    auto wrong = right;
    std::swap(wrong[row], wrong[row + 1]);
    const std::uint64_t found = first_wrong_row(genome.view(), wrong, 1);
    CAPTURE(row, found);
    CHECK(found <= row);
    CHECK(found + 2 >= row);  // a row's next suffix can be in the row before, where its rank reveals the change
    for (const int threads : thread_counts) CHECK(first_wrong_row(genome.view(), wrong, threads) == found);
  }
}

}  // namespace warpseed
