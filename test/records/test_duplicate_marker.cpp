// Duplicates against a comparison of all pairs of records; the same flags for any number of records at a time.
#include "records/duplicate_marker.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "catch.hpp"
#include "records/bam_memory.hpp"
#include "records/fragments.hpp"
#include "records/name_order.hpp"
#include "records/record_order.hpp"
#include "records/writer_helpers.hpp"

using namespace warpseed;
using namespace warpseed::reads;
using namespace warpseed::records;
using test::Fragments;
using test::Known;
using test::Place;
using test::Read;

namespace {

/// Whether two pairs with both mates on one strand can be the same fragment, read first from either end.
bool alike(const Known& a, const Known& b, bool a_left, bool b_left) {
  const int differences = (a_left != b_left) + (a.place.reverse != b.place.reverse) + (a.first != b.first);
  return differences % 2 == 0;
}

bool is_left(const Known& a) {
  return a.place.contig != a.mate->contig ? a.place.contig < a.mate->contig : a.place.start() <= a.mate->start();
}

bool same_pair(const Known& a, const Known& b) {
  const bool left = is_left(a), one_strand = a.place.reverse == a.mate->reverse;
  if (left != is_left(b) || one_strand != (b.place.reverse == b.mate->reverse)) return false;
  if (a.place.contig != b.place.contig || a.mate->contig != b.mate->contig) return false;
  if (!one_strand) {
    return a.place.reverse == b.place.reverse && a.place.start() == b.place.start() &&
           a.mate->start() == b.mate->start();
  }
  if (!alike(a, b, left, left)) return false;
  return left ? a.place.low() == b.place.low() && a.mate->high() == b.mate->high()
              : a.place.high() == b.place.high() && a.mate->low() == b.mate->low();
}

bool same_start(const Known& a, const Known& b) {
  return a.place.contig == b.place.contig && a.place.reverse == b.place.reverse && a.place.start() == b.place.start();
}

/// Whether `a` is a duplicate of `b`.
bool yields(const Known& a, const Known& b) {
  if (!a.takes_part || !b.takes_part) return false;
  if (a.mate) {
    if (!b.mate || !same_pair(a, b)) return false;
    return a.score != b.score ? a.score < b.score : std::to_string(a.name) > std::to_string(b.name);
  }
  if (!same_start(a, b)) return false;
  if (b.mate) return true;
  if (a.score != b.score) return a.score < b.score;
  return std::pair(a.place.position, a.name) > std::pair(b.place.position, b.name);
}

std::vector<bool> wanted_flags(const std::vector<Known>& known) {
  std::vector<bool> flags;
  for (const Known& a : known) {
    flags.push_back(std::any_of(known.begin(), known.end(), [&](const Known& b) { return yields(a, b); }));
  }
  return flags;
}

/// The flags that are set, by the records' numbers in input order, where a call marks at most `at_a_time` records.
std::vector<bool> marked_flags(const Fragments& fragments, std::size_t at_a_time) {
  const std::int64_t reach = reach_of(store_scores(fragments.records));
  const std::vector<std::size_t> order = fragments.in_order();
  BamMemory memory;
  std::vector<BamRecord> copies;
  for (const std::size_t i : order) copies.emplace_back(*fragments.records[i].get(), memory);
  const auto is_near = [&](std::size_t i, std::size_t j) {
    const bam1_core_t &a = copies[i].get()->core, &b = copies[j].get()->core;
    return a.tid == b.tid && std::abs(a.pos - b.pos) <= reach;
  };
  MarkingMemory memory_of_marking;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    end = std::min(order.size(), begin + at_a_time);
    std::size_t first = begin, past = end;
    while (first > 0 && is_near(first - 1, begin)) --first;
    while (past < order.size() && is_near(past, end - 1)) ++past;
    std::vector<bam1_t*> some;
    std::vector<RecordFacts> facts;
    for (std::size_t i = first; i < past; ++i) {
      some.push_back(copies[i].get());
      facts.push_back(facts_of(*copies[i].get()));
    }
    mark_duplicates({some, facts, begin - first, end - first}, LibraryTable(), memory_of_marking);
  }
  std::vector<bool> flags(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) flags[order[i]] = (copies[i].get()->core.flag & BAM_FDUP) != 0;
  return flags;
}

}  // namespace

TEST_CASE("duplicates are those of a comparison of all pairs of records", "[records][duplicates]") {
  const unsigned count = GENERATE(0U, 1U, 2U, 40U, 900U);
  const unsigned places = GENERATE(2U, 8U, 400U);
  const std::size_t at_a_time = GENERATE(1U, 2U, 33U, 100000U);
  const unsigned seed = 41 + count + places;
  CAPTURE(count, places, at_a_time, seed);
  const Fragments fragments(seed, count, places);
  const std::vector<bool> flags = marked_flags(fragments, at_a_time);
  const std::vector<bool> wanted = wanted_flags(fragments.known);
  const bool as_wanted = flags == wanted;
  CHECK(as_wanted);
  if (count >= 900) CHECK(std::count(wanted.begin(), wanted.end(), true) > 20);
}

TEST_CASE("a sorted file's summary counts what was marked and what was compared", "[records][duplicates][writer]") {
  const test::TempFolder folder;
  WriterOptions options;
  options.path = folder.file("x.bam");
  options.format = AlignmentFormat::bam;
  options.sort = options.mark_duplicates = true;
  options.sort_memory_bytes = GENERATE(5000ULL, 1ULL << 30);
  Fragments fragments(77, 900, 50);
  const std::vector<bool> wanted = wanted_flags(fragments.known);
  const auto taking_part = std::count_if(fragments.known.begin(), fragments.known.end(),
                                         [](const Known& known) { return known.takes_part; });
  const auto writer = open_alignments(test::small_header(), options);
  writer->write(std::move(fragments.records));
  const DuplicateCounts counts = writer->flush_sorted().all;
  CHECK(counts.marked() == static_cast<std::uint64_t>(std::count(wanted.begin(), wanted.end(), true)));
  CHECK(counts.compared() == static_cast<std::uint64_t>(taking_part));
}

TEST_CASE("clipped bases belong to a read's ends", "[records][duplicates]") {
  AlignmentRecord record;
  record.flag = BAM_FPAIRED | BAM_FREAD1;
  record.contig = record.mate_contig = 0;
  record.position = 100, record.mate_position = 3;
  record.cigar = {cigar_element(CigarOp::hard_clip, 4), cigar_element(CigarOp::soft_clip, 3),
                  cigar_element(CigarOp::match, 5),     cigar_element(CigarOp::insertion, 2),
                  cigar_element(CigarOp::deletion, 7),  cigar_element(CigarOp::match, 1)};
  record.mate_cigar = "10S2M4N1M1S20H";
  const Read read("r", "", std::string(15, 'A'), std::string(15, 'I'));
  const BamRecord made(record, read.view(), "", false);
  CHECK(ends_of(made.get()).low == 93);
  CHECK(ends_of(made.get()).high == 112);
  CHECK(mate_ends_of(made.get()).low == -7);
  CHECK(mate_ends_of(made.get()).high == 30);

  record.mate_cigar.clear();
  const BamRecord without(record, read.view(), "", false);
  CHECK_THROWS_AS(mate_ends_of(without.get()), std::invalid_argument);
}

TEST_CASE("names in the order of samtools sort -n", "[records][duplicates]") {
  const std::vector<std::string> in_order = {"",
                                             "00x",
                                             "007",
                                             "07",
                                             "7",
                                             "7:01",
                                             "7:1",
                                             "7:1a",
                                             "7:2",
                                             "7a",
                                             "08",
                                             "8b9",
                                             "8b9c",
                                             "8b10",
                                             "18",
                                             "18446744073709551616",
                                             "18446744073709551617",
                                             "A12",
                                             "_",
                                             "a",
                                             "a!",
                                             "a00",
                                             "a00:1",
                                             "a0",
                                             "a0:3",
                                             "a9",
                                             "a:1",
                                             "ab",
                                             "a~"};
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    for (std::size_t j = 0; j < in_order.size(); ++j) {
      CAPTURE(in_order[i], in_order[j]);
      const int compared = compare_names(in_order[i].c_str(), in_order[j].c_str());
      CHECK((compared < 0) == (i < j));
      CHECK((compared > 0) == (i > j));
    }
  }
}

TEST_CASE("marked bytes do not depend on threads or memory", "[records][duplicates][writer]") {
  const test::TempFolder folder;
  const auto write = [&](const std::string& name, int threads, std::uint64_t memory_bytes) {
    WriterOptions options;
    options.path = folder.file(name);
    options.format = AlignmentFormat::bam;
    options.threads = threads;
    options.sort = options.mark_duplicates = true;
    options.sort_memory_bytes = memory_bytes;
    const auto writer = open_alignments(test::small_header(), options);
    for (unsigned seed = 51; seed < 54; ++seed) writer->write(Fragments(seed, 900, 50).records);
    const DuplicateCounts counts = writer->flush_sorted().all;
    writer->finish();
    return counts.marked();
  };
  const std::uint64_t marked = write("a.bam", 1, 1ULL << 30);
  CHECK(marked > 100);
  CHECK(write("b.bam", 2, 1ULL << 30) == marked);
  CHECK(write("c.bam", 1, 100000) == marked);
  CHECK(write("d.bam", 2, 5000) == marked);  // more runs than can be open at once
  for (const std::string name : {"b", "c", "d"}) {
    const bool same = test::content_of(folder.file(name + ".bam")) == test::content_of(folder.file("a.bam"));
    CHECK(same);
  }
  const auto lines = test::lines_in(folder.file("a.bam"));
  const auto flagged = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    return (std::stoi(line.substr(line.find('\t') + 1)) & BAM_FDUP) != 0;
  });
  CHECK(static_cast<std::uint64_t>(flagged) == marked);
}

TEST_CASE("duplicates cannot be marked without sorting", "[records][duplicates][writer]") {
  const test::TempFolder folder;
  WriterOptions options;
  options.path = folder.file("x.sam");
  options.mark_duplicates = true;
  CHECK_THROWS_AS(open_alignments(test::small_header(), options), std::invalid_argument);
  CHECK(folder.names().empty());
}
