// Long reads built by hand, with the records that follow from how they were built.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "align/base_world.hpp"
#include "catch.hpp"
#include "two_piece_oracle.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using records::AlignmentRecord;
using records::CigarOp;

struct LongCases {
  std::mt19937 rng{20261124};
  std::string one = test::random_bases(120000, rng), two = test::random_bases(60000, rng);
  std::string unit = test::random_bases(37, rng), foreign = test::random_bases(6000, rng);
  std::size_t array_begin = 80000;  // in `one`: 20 copies of the unit
  std::unique_ptr<test::BaseWorld> world;

  LongCases() {
    std::string array;
    for (int i = 0; i < 20; ++i) array += unit;
    one.replace(array_begin, array.size(), array);
    two.replace(30000, 100, 100, 'N');
    world =
        std::make_unique<test::BaseWorld>(std::vector<std::pair<std::string, std::string>>{{"one", one}, {"two", two}});
  }

  ReadRecords align(const std::string& read) const { return world->align({read}).front(); }
};

const LongCases& cases() {
  static const LongCases made;
  return made;
}

std::uint32_t clip_of(const AlignmentRecord& record, bool front) {
  const auto element = front ? record.cigar.front() : record.cigar.back();
  const CigarOp op = records::cigar_op(element);
  return op == CigarOp::soft_clip || op == CigarOp::hard_clip ? records::cigar_length(element) : 0;
}

/// What a record shows of the read as sequenced: [begin, end).
std::pair<std::size_t, std::size_t> shown(const AlignmentRecord& record, std::size_t length) {
  const bool reverse = records::is_reverse(record);
  return {clip_of(record, !reverse), length - clip_of(record, reverse)};
}

/// The lengths of a record's gaps of at least 30 bases, negative for deletions.
std::vector<int> long_gaps(const AlignmentRecord& record) {
  std::vector<int> gaps;
  for (const auto element : record.cigar) {
    const int length = static_cast<int>(records::cigar_length(element));
    if (length < 30) continue;
    if (records::cigar_op(element) == CigarOp::insertion) gaps.push_back(length);
    if (records::cigar_op(element) == CigarOp::deletion) gaps.push_back(-length);
  }
  return gaps;
}

bool is_close(std::int64_t a, std::int64_t b, std::int64_t most = 10) {
  return std::abs(a - b) <= most;
}

/// Substitutes every n-th base.
std::string worn(std::string bases, std::size_t n) {
  std::vector<std::size_t> positions;
  for (std::size_t at = n / 2; at < bases.size(); at += n) positions.push_back(at);
  return test::changed(std::move(bases), positions);
}

std::string mutated(const std::string& bases, unsigned one_in, std::mt19937& rng) {
  test::Codes codes;
  for (const char base : bases) codes.push_back(text::code_of_base(base));
  return test::letters_of(test::mutated(codes, one_in, rng));
}

}  // namespace

TEST_CASE("a long read is one record from its first to its last base", "[align][long][cases]") {
  const std::string read = worn(cases().one.substr(20000, 9000), 70);
  for (const bool reverse : {false, true}) {
    const ReadRecords records = cases().align(reverse ? test::reverse_complement(read) : read);
    REQUIRE(records.size() == 1);
    CHECK(records[0].position == 20000);
    CHECK(records::cigar_text(records[0].cigar) == "9000M");
    CHECK(records[0].mapq == 60);
    CHECK(records[0].edit_distance == 129);
    CHECK(records::is_reverse(records[0]) == reverse);
  }
}

TEST_CASE("deletions and insertions of 5,000 bases are gaps of one record", "[align][long][cases]") {
  const std::string &one = cases().one, &foreign = cases().foreign;
  const ReadRecords deleted = cases().align(worn(one.substr(10000, 6000) + one.substr(21000, 6000), 90));
  REQUIRE(deleted.size() == 1);
  CHECK(deleted[0].position == 10000);
  CHECK(long_gaps(deleted[0]) == std::vector<int>{-5000});
  const ReadRecords inserted =
      cases().align(worn(one.substr(10000, 6000) + foreign.substr(0, 5000) + one.substr(16000, 6000), 90));
  REQUIRE(inserted.size() == 1);
  const std::vector<int> gaps = long_gaps(inserted[0]);
  REQUIRE(gaps.size() == 1);
  CHECK(is_close(gaps[0], 5000, 2));
  CHECK(inserted[0].position == 10000);
}

TEST_CASE("an inversion is a record on the other strand between two others", "[align][long][cases]") {
  const std::string& one = cases().one;
  for (const std::size_t size : {300U, 1000U, 3000U}) {
    CAPTURE(size);
    const std::string read =
        one.substr(30000, 4000) + test::reverse_complement(one.substr(34000, size)) + one.substr(34000 + size, 5000);
    ReadRecords records = cases().align(worn(read, 110));
    REQUIRE(records.size() == 3);
    std::sort(records.begin(), records.end(),
              [](const AlignmentRecord& a, const AlignmentRecord& b) { return a.position < b.position; });
    CHECK(records[0].position == 30000);
    CHECK(is_close(records[0].position + records::reference_span(records[0].cigar), 34000));
    CHECK(records::is_reverse(records[1]));
    CHECK(is_close(records[1].position, 34000));
    CHECK(is_close(records[1].position + records::reference_span(records[1].cigar), 34000 + static_cast<int>(size)));
    CHECK_FALSE(records::is_reverse(records[2]));
    CHECK(is_close(records[2].position, 34000 + static_cast<int>(size)));
  }
}

TEST_CASE("a translocation and a chimeric read are split where their parts meet", "[align][long][cases]") {
  const std::string &one = cases().one, &two = cases().two;
  const std::string read = worn(one.substr(5000, 3500) + two.substr(40000, 2500), 80);
  const ReadRecords records = cases().align(read);
  REQUIRE(records.size() == 2);
  CHECK(records[0].contig == 0);
  CHECK(records[1].contig == 1);
  CHECK(is_close(static_cast<int>(shown(records[0], read.size()).second), 3500));
  CHECK(is_close(static_cast<int>(shown(records[1], read.size()).first), 3500));
  CHECK((records[1].flag & records::sam_flag::supplementary) != 0);
  CHECK(records[0].split.find("two,") == 0);
  CHECK(records[1].split.find("one,") == 0);
  CHECK(records[0].mapq == 60);
  CHECK(records[1].mapq == 60);
}

TEST_CASE("a foldback read is two records of one stretch of the genome", "[align][long][cases]") {
  const std::string arm = worn(cases().one.substr(50000, 4000), 95);
  const std::string read = arm + test::reverse_complement(arm).substr(0, 3000);
  const ReadRecords records = cases().align(read);
  REQUIRE(records.size() == 2);
  CHECK(records::is_reverse(records[0]) != records::is_reverse(records[1]));
  CHECK(records[0].position == 50000);
  CHECK(is_close(records[1].position, 51000));
  CHECK(is_close(static_cast<int>(shown(records[1], read.size()).first), 4000));
}

TEST_CASE("a tandem array that is longer or shorter in the read is one gap", "[align][long][cases]") {
  const LongCases& all = cases();
  const std::string before = all.one.substr(all.array_begin - 3000, 3000);
  const std::string after = all.one.substr(all.array_begin + 20 * all.unit.size(), 3000);
  for (const int copies : {12, 30}) {
    CAPTURE(copies);
    std::string array;
    for (int i = 0; i < copies; ++i) array += all.unit;
    const ReadRecords records = all.align(worn(before + array + after, 130));
    REQUIRE(records.size() == 1);
    CHECK(records[0].position == static_cast<std::int64_t>(all.array_begin) - 3000);
    int sum = 0;
    for (const auto element : records[0].cigar) {
      const int length = static_cast<int>(records::cigar_length(element));
      if (records::cigar_op(element) == CigarOp::insertion) sum += length;
      if (records::cigar_op(element) == CigarOp::deletion) sum -= length;
    }
    CHECK(sum == (copies - 20) * static_cast<int>(all.unit.size()));
  }
}

TEST_CASE("long reads over a contig's end, with adapters, and over N", "[align][long][cases]") {
  const std::string &one = cases().one, &two = cases().two, &foreign = cases().foreign;
  const ReadRecords over = cases().align(one.substr(one.size() - 3000) + foreign.substr(0, 1000));
  REQUIRE(over.size() == 1);
  CHECK(over[0].position == static_cast<std::int64_t>(one.size()) - 3000);
  CHECK(clip_of(over[0], false) == 1000);
  // What follows in the index is another contig.
  const ReadRecords across = cases().align(one.substr(one.size() - 3000) + two.substr(0, 2000));
  REQUIRE(across.size() == 2);
  CHECK(records::cigar_text(across[0].cigar) == "3000M2000S");
  CHECK(records::cigar_text(across[1].cigar) == "3000H2000M");
  const ReadRecords adapters =
      cases().align(foreign.substr(0, 40) + worn(one.substr(70000, 5000), 60) + foreign.substr(40, 40));
  REQUIRE(adapters.size() == 1);
  CHECK(is_close(clip_of(adapters[0], true), 40));
  CHECK(is_close(clip_of(adapters[0], false), 40));
  const ReadRecords with_n = cases().align(two.substr(28000, 5000));
  REQUIRE(with_n.size() == 1);
  CHECK(records::cigar_text(with_n[0].cigar) == "5000M");
  CHECK(with_n[0].edit_distance == 100);
  std::string unknown = one.substr(90000, 4000);
  unknown.replace(2000, 50, 50, 'N');
  const ReadRecords read_n = cases().align(unknown);
  REQUIRE(read_n.size() == 1);
  CHECK(records::cigar_text(read_n[0].cigar) == "4000M");
}

TEST_CASE("low-complexity ends are clipped and do not move a read", "[align][long][cases]") {
  const std::string middle = worn(cases().one.substr(40000, 3000), 75);
  std::string repeat;
  while (repeat.size() < 800) repeat += "CA";
  const ReadRecords records = cases().align(std::string(700, 'A') + middle + repeat);
  REQUIRE(records.size() == 1);
  CHECK(is_close(records[0].position, 40000));
  CHECK(is_close(clip_of(records[0], true), 700));
  CHECK(is_close(clip_of(records[0], false), 800));
}

TEST_CASE("a read of a million bases is aligned whole", "[align][long][cases]") {
  std::mt19937 rng(17);
  const std::string genome = test::random_bases(1100000, rng);
  const test::BaseWorld world(std::vector<std::pair<std::string, std::string>>{{"g", genome}});
  const std::string read = mutated(genome.substr(50000, 1000000), 25, rng);
  const ReadRecords records = world.align({read}).front();
  REQUIRE(records.size() == 1);
  CHECK(is_close(records[0].position, 50000));
  CHECK(is_close(records::reference_span(records[0].cigar), 1000000, 20));
  CHECK(records[0].cigar.size() > 65535 / 2);
  CHECK(records[0].mapq == 60);
}

TEST_CASE("a read of a long tandem array alone is aligned to it, without certainty", "[align][long][cases]") {
  std::mt19937 rng(12);
  const std::string unit = test::random_bases(30, rng);
  std::string array;
  for (int i = 0; i < 300; ++i) array += unit;
  const test::BaseWorld world(std::vector<std::pair<std::string, std::string>>{
      {"g", test::random_bases(5000, rng) + array + test::random_bases(5000, rng)}});
  const ReadRecords records = world.align({worn(array.substr(0, 3000), 200)}).front();
  REQUIRE(records::is_mapped(records[0]));
  CHECK(records[0].position >= 5000 - 30);
  CHECK(records[0].position + records::reference_span(records[0].cigar) <= 5000 + 9000 + 30);
  CHECK(shown(records[0], 3000).second - shown(records[0], 3000).first > 2800);
  for (const AlignmentRecord& record : records) CHECK(record.mapq == 0);
}

TEST_CASE("noisy reads of an array of similar copies are aligned to their own copy or uncertain",
          "[align][long][cases]") {
  const unsigned seed = 1;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  const std::string unit = test::random_bases(1000, rng);
  std::string genome = test::random_bases(5000, rng);
  for (int i = 0; i < 600; ++i) {
    std::string copy = unit;
    for (char& base : copy) {
      if (rng() % 67 == 0) base = "ACGT"[rng() % 4];
    }
    genome += copy;
  }
  genome += test::random_bases(5000, rng);
  const test::BaseWorld world(std::vector<std::pair<std::string, std::string>>{{"g", genome}});
  std::vector<std::string> reads;
  std::vector<std::int64_t> origins;
  for (int i = 0; i < 400; ++i) {
    const std::size_t origin = 6000 + rng() % 590000;
    reads.push_back(mutated(genome.substr(origin, 1600), 8, rng));
    origins.push_back(static_cast<std::int64_t>(origin));
  }
  int right = 0, right_and_sure = 0, sure_and_wrong = 0;
  const std::vector<ReadRecords> aligned = world.align(reads);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const AlignmentRecord& record = aligned[i].front();
    const bool is_right = records::is_mapped(record) && is_close(record.position, origins[i], 200);
    sure_and_wrong += !is_right && record.mapq > 20 ? 1 : 0;
    right += is_right ? 1 : 0;
    right_and_sure += is_right && record.mapq == 60 ? 1 : 0;
  }
  CHECK(right >= 385);
  CHECK(right_and_sure >= 350);
  CHECK(sure_and_wrong <= 3);
}

TEST_CASE("reads of random bases are unmapped", "[align][long][cases]") {
  const ReadRecords records = cases().align(cases().foreign);
  REQUIRE(records.size() == 1);
  CHECK_FALSE(records::is_mapped(records[0]));
}

namespace {

test::Codes codes_of(const std::string& bases) {
  test::Codes codes;
  for (const char base : bases) codes.push_back(text::code_of_base(base));
  return codes;
}

/// What a record scores, and what its read can score at most within the stretch of the genome that it comes from, by the
/// whole matrix.
struct Scored {
  int found = 0, possible = 0;
};

Scored scored(const AlignmentRecord& record, const std::string& read, const std::string& genome, std::size_t begin,
              std::size_t length) {
  const LongScoring scoring;
  const test::Codes query = codes_of(read), stretch = codes_of(genome.substr(begin, length));
  const DiagonalBand band = DiagonalBand::around(static_cast<int>(query.size()), static_cast<int>(stretch.size()), 300);
  Cigar cigar;
  for (const auto element : record.cigar) {
    if (records::cigar_op(element) != CigarOp::soft_clip) cigar.push_back(element);
  }
  const auto clipped = static_cast<std::ptrdiff_t>(clip_of(record, true));
  const test::Codes aligned(query.begin() + clipped, query.end());
  const test::Codes from_here = codes_of(genome.substr(static_cast<std::size_t>(record.position), length + 100));
  return {test::Walked(cigar, aligned, from_here, scoring).score,
          test::TwoPieceMatrix(query, stretch, band, scoring).best.back().back()};
}

}  // namespace

TEST_CASE("an alignment along anchors scores what dynamic programming over the whole read does", "[align][long]") {
  std::mt19937 rng(31);
  const std::string& one = cases().one;
  std::int64_t found = 0, possible = 0;
  int equal = 0;
  constexpr int rounds = 24;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t begin = 1000 + rng() % 70000, length = 1200 + rng() % 1200;
    const std::string read = mutated(one.substr(begin, length), round % 2 == 0 ? 8 : 30, rng);
    CAPTURE(round, begin, length);
    const ReadRecords records = cases().align(read);
    REQUIRE(records.size() == 1);
    const Scored one_read = scored(records[0], read, one, begin, length);
    found += one_read.found, possible += one_read.possible;
    equal += one_read.found >= one_read.possible ? 1 : 0;
    CHECK(one_read.found >= one_read.possible - 40);
  }
  CHECK(found * 1000 >= possible * 998);
  CHECK(equal * 10 >= rounds * 7);
}

TEST_CASE("a read with more deletions than insertions is aligned to its ends", "[align][long]") {
  const unsigned seed = 34;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  for (int round = 0; round < 3; ++round) {
    std::string read;
    for (const char base : cases().one.substr(2000 + rng() % 10000, 100000)) {
      if (rng() % 7 == 0) continue;
      read += rng() % 12 == 0 ? "ACGT"[rng() % 4] : base;
    }
    CAPTURE(round);
    const ReadRecords records = cases().align(read);
    REQUIRE(records.size() == 1);
    CHECK(clip_of(records[0], true) + clip_of(records[0], false) < 100);
  }
}

TEST_CASE("an anchor in the wrong copy of a tandem repeat's unit is not on the path", "[align][long]") {
  // The read lost the base that the unit's first copy has and the second has not, and 12 bases downstream: its first copy
  // equals the second one, and the change of diagonal to that is not taken back. Other anchors are far.
  const unsigned seed = 33;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  std::string genome, read;
  const auto add = [&](const std::string& in_genome, const std::string& in_read) {
    genome += in_genome, read += in_read;
  };
  for (int site = 0; site < 6; ++site) {  // the whole matrix, with which the result is compared, grows by its square
    const std::string before = test::random_bases(80, rng), after = test::random_bases(80, rng);
    const std::string unit = test::random_bases(20, rng), clean = test::random_bases(400, rng);
    std::string second = unit;
    second.erase(8, 1);
    while (second[8] == unit[8]) second[8] = "ACGT"[rng() % 4];  // so that the base lost is one
    add(clean, clean);
    add(before, worn(before, 8));
    add(unit + second, second + worn(second, 4));
    add(after, worn(after.substr(0, 34) + after.substr(46), 8));
    add(clean, clean);
  }
  const test::BaseWorld world({{"tandem", test::random_bases(20000, rng) + genome + test::random_bases(20000, rng)}});
  const ReadRecords records = world.align({read}).front();
  REQUIRE(records.size() == 1);
  CHECK(records[0].position == 20000);
  const Scored one_read =
      scored(records[0], read, std::string(20000, 'A') + genome + std::string(200, 'A'), 20000, genome.size());
  CHECK(one_read.found == one_read.possible);
}

TEST_CASE("a read of many copies of a short sequence has a bounded number of parts", "[align][long][cases]") {
  const std::string copy = cases().one.substr(20000, 60);
  std::string read;
  for (int i = 0; i < 1000; ++i) read += copy;
  read.replace(30000, 300, cases().one.substr(50000, 300));
  const ReadRecords records = cases().align(read);
  CHECK(records.size() > 200);
  CHECK(records.size() * records.size() <= read.size());
  CHECK(records.front().position == 50000);  // the best parts are kept
  std::size_t bytes = 0;
  for (const AlignmentRecord& record : records) bytes += record.split.size();
  CHECK(bytes < 60 * read.size());
}
