// Cases built by hand, with the result that follows from the scoring (1, -4, gaps 6 + 1 per base, 5 for clipping).
#include <algorithm>

#include "catch.hpp"
#include "read_cases.hpp"

using namespace warpseed;
using namespace warpseed::test;

TEST_CASE("reads at a contig's start and end", "[align][cases]") {
  const std::string &one = cases().one, &two = cases().two, &twice = cases().twice, &foreign = cases().foreign;
  const auto read = [&](const std::string& bases) { return line_of(cases().single(bases).front()); };
  CHECK(read(one.substr(0, 100)) == line(0, 0, 0, "100M"));
  CHECK(read(two.substr(0, 100)) == line(0, 1, 0, "100M"));
  CHECK(read(one.substr(one.size() - 100)) == line(0, 0, one.size() - 100, "100M"));
  CHECK(read(twice.substr(twice.size() - 100)) == line(0, 2, twice.size() - 100, "100M"));
  CHECK(read(reverse_complement(two.substr(two.size() - 100))) == line(16, 1, two.size() - 100, "100M"));
  // Bases past an end are clipped, also where another contig follows in the index.
  CHECK(read(foreign.substr(0, 20) + two.substr(0, 80)) == line(0, 1, 0, "20S80M"));
  CHECK(read(one.substr(one.size() - 80) + foreign.substr(0, 20)) == line(0, 0, one.size() - 80, "80M20S"));
  CHECK(read(reverse_complement(one.substr(one.size() - 80) + foreign.substr(0, 20))) ==
        line(16, 0, one.size() - 80, "80M20S"));
}

TEST_CASE("a read across a contig's border is clipped there, or split", "[align][cases]") {
  const std::string &one = cases().one, &two = cases().two;
  const ReadRecords clipped = cases().single(one.substr(one.size() - 80) + two.substr(0, 20));
  REQUIRE(clipped.size() == 1);
  CHECK(line_of(clipped[0]) == line(0, 0, one.size() - 80, "80M20S"));
  const ReadRecords split = cases().single(one.substr(one.size() - 60) + two.substr(0, 40));
  REQUIRE(split.size() == 2);
  CHECK(line_of(split[0]) == line(0, 0, one.size() - 60, "60M40S"));
  CHECK(line_of(split[1]) == line(2048, 1, 0, "60H40M"));
}

TEST_CASE("mismatches at a read's end are kept up to the clip penalty", "[align][cases]") {
  const std::string plain = cases().one.substr(3000, 100);
  const auto read = [&](const std::vector<std::size_t>& places) {
    return line_of(cases().single(changed(plain, places)).front());
  };
  CHECK(read({0}) == line(0, 0, 3000, "100M"));
  CHECK(read({99}) == line(0, 0, 3000, "100M"));
  CHECK(read({0, 1}) == line(0, 0, 3002, "2S98M"));
  CHECK(read({98, 99}) == line(0, 0, 3000, "98M2S"));
  CHECK(read({1}) == line(0, 0, 3000, "100M"));
  CHECK(read({0, 5}) == line(0, 0, 3000, "100M"));   // 4 + 4 - 4 lost, less than 5
  CHECK(read({0, 3}) == line(0, 0, 3004, "4S96M"));  // 8 - 2 lost
  std::string with_n = plain;
  with_n[50] = 'N', with_n[0] = 'N';
  const AlignmentRecord record = cases().single(with_n).front();
  CHECK(line_of(record) == line(0, 0, 3000, "100M"));
  CHECK(record.edit_distance == 2);
}

TEST_CASE("indels near a read's end", "[align][cases]") {
  const std::string& one = cases().one;
  // Two bases deleted, `tail` bases before the end: 8 for the gap, 5 for clipping, so 4 bases pay and 3 do not.
  for (const std::size_t tail : {3U, 4U, 5U, 8U}) {
    CAPTURE(tail);
    const std::size_t gap =
        find_position([&](std::size_t i) { return one[i - 1] != one[i + 1] && differs_shifted(one, i, i + tail, 2); });
    const std::size_t from = gap - (100 - tail);
    const std::string read = one.substr(from, 100 - tail) + one.substr(gap + 2, tail);
    const std::string head = std::to_string(100 - tail) + "M";
    const std::string wanted = tail == 3 ? head + "3S" : head + "2D" + std::to_string(tail) + "M";
    CHECK(line_of(cases().single(read).front()) == line(0, 0, from, wanted));
  }
  // Two bases inserted, 8 before the end.
  const std::size_t gap = find_position([&](std::size_t i) {
    return one[i - 1] == 'A' && one[i] == 'A' && gains_nothing(one, i, "CC" + one.substr(i, 8));
  });
  CHECK(line_of(cases().single(one.substr(gap - 90, 90) + "CC" + one.substr(gap, 8)).front()) ==
        line(0, 0, gap - 90, "90M2I8M"));
}

TEST_CASE("indels of thirty bases in the middle", "[align][cases]") {
  const std::string &one = cases().one, &foreign = cases().foreign;
  for (const std::size_t length : {100U, 150U}) {
    CAPTURE(length);
    const std::size_t half = length / 2;
    const std::size_t gap = find_position(
        [&](std::size_t i) { return one[i - 1] != one[i + 29] && one[i] != one[i + 30] && one[i + 1] != one[i + 31]; });
    const std::string half_text = std::to_string(half) + "M";
    const std::string without = one.substr(gap - half, half) + one.substr(gap + 30, half);
    CHECK(line_of(cases().single(without).front()) == line(0, 0, gap - half, half_text + "30D" + half_text));
    CHECK(line_of(cases().single(reverse_complement(without)).front()) ==
          line(16, 0, gap - half, half_text + "30D" + half_text));
  }
  // Inserted: 36 for the gap, which pays if more bases than that follow; a score that falls to 0 ends the extension.
  for (const std::size_t side : {60U, 38U}) {
    CAPTURE(side);
    const std::string extra = foreign.substr(100, 30);
    const std::size_t gap = find_position(
        [&](std::size_t i) { return one[i - 1] != extra.back() && one[i] != extra.front() && one[i + 1] != extra[1]; });
    const std::string read = one.substr(gap - side, side) + extra + one.substr(gap, side);
    const std::string side_text = std::to_string(side) + "M";
    CHECK(line_of(cases().single(read).front()) == line(0, 0, gap - side, side_text + "30I" + side_text));
  }
}

TEST_CASE("tails that are not in the genome are clipped", "[align][cases]") {
  const std::string& one = cases().one;
  const std::string tail(30, 'A');
  const std::size_t end = find_position([&](std::size_t i) { return gains_nothing(one, i, tail); });
  const std::string read = one.substr(end - 80, 80) + tail;
  CHECK(line_of(cases().single(read).front()) == line(0, 0, end - 80, "80M30S"));
  CHECK(line_of(cases().single(reverse_complement(read)).front()) == line(16, 0, end - 80, "80M30S"));
  // Base qualities, good or bad, do not matter.
  ReadBatch batch;
  for (const char quality : {'#', 'I'}) {
    batch.add("q", "", read, std::string(80, 'I') + std::string(30, quality));
  }
  const auto records = Aligner(*cases().world->index, AlignOptions{}, false).align(batch);
  for (const ReadRecords& record : records) CHECK(line_of(record.front()) == line(0, 0, end - 80, "80M30S"));
}

TEST_CASE("split reads and their clips", "[align][cases]") {
  const std::string &one = cases().one, &two = cases().two;
  const std::size_t from =  // neither part matches by chance in the other's position
      find_position([&](std::size_t i) { return two[i - 1] != one[2079] && two[i] != one[2080]; });
  const std::string read = one.substr(2000, 80) + two.substr(from, 70);
  const auto lines = [&](const AlignOptions& options) {
    std::vector<std::string> found;
    for (const AlignmentRecord& record : cases().single(read, options)) found.push_back(line_of(record));
    return found;
  };
  using Lines = std::vector<std::string>;
  const std::string primary = line(0, 0, 2000, "80M70S");
  AlignOptions options;
  CHECK(lines(options) == Lines{primary, line(2048, 1, from, "80H70M")});
  options.soft_clip_split = true;
  CHECK(lines(options) == Lines{primary, line(2048, 1, from, "80S70M")});
  options.split_as_secondary = true;
  CHECK(lines(options) == Lines{primary, line(256, 1, from, "80S70M")});
  options.soft_clip_split = false;
  CHECK(lines(options) == Lines{primary, line(256, 1, from, "80H70M")});
  const ReadRecords records = cases().single(read);
  CHECK(records[0].split == "two," + std::to_string(from + 1) + ",+,80S70M," + std::to_string(records[1].mapq) + ",0;");
  CHECK(records[1].split == "one,2001,+,80M70S," + std::to_string(records[0].mapq) + ",0;");
}

TEST_CASE("inversions", "[align][cases]") {
  const std::string& one = cases().one;
  const auto pairs_with = [&](std::size_t i, std::size_t j) {
    return reverse_complement(one.substr(i, 1)) == one.substr(j, 1);
  };
  // One border of an inversion; the other one is outside the read.
  const std::size_t at =
      find_position([&](std::size_t i) { return !pairs_with(i + 80, i + 469) && !pairs_with(i + 79, i + 470); });
  const ReadRecords edge = cases().single(one.substr(at, 80) + reverse_complement(one.substr(at + 400, 70)));
  REQUIRE(edge.size() == 2);
  CHECK(line_of(edge[0]) == line(0, 0, at, "80M70S"));
  CHECK(line_of(edge[1]) == line(2064, 0, at + 400, "70M80H"));
  // A whole inversion, 100 bases between 60 on both sides: the longest part is the primary record.
  const std::size_t from =
      find_position([&](std::size_t i) { return !pairs_with(i + 59, i + 160) && !pairs_with(i + 60, i + 159); });
  const ReadRecords whole = cases().single(one.substr(from, 60) + reverse_complement(one.substr(from + 60, 100)) +
                                           one.substr(from + 160, 60));
  REQUIRE(whole.size() == 3);
  CHECK(line_of(whole[0]) == line(16, 0, from + 60, "60S100M60S"));
  std::vector<std::string> sides = {line_of(whole[1]), line_of(whole[2])};
  std::sort(sides.begin(), sides.end());
  CHECK(sides[0] == line(2048, 0, from, "60M160H"));
  CHECK(sides[1] == line(2048, 0, from + 160, "160H60M"));
  // One that is shorter than both sides together: they form one chain, across the gap that it fills.
  const std::size_t near =
      find_position([&](std::size_t i) { return !pairs_with(i + 59, i + 130) && !pairs_with(i + 60, i + 129); });
  const ReadRecords small =
      cases().single(one.substr(near, 60) + reverse_complement(one.substr(near + 60, 70)) + one.substr(near + 130, 60));
  REQUIRE(small.size() == 3);
  CHECK(line_of(small[0]) == line(16, 0, near + 60, "60S70M60S"));
}

TEST_CASE("reads of 30 and of 1,000 bases", "[align][cases]") {
  const std::string& one = cases().one;
  CHECK(line_of(cases().single(one.substr(500, 30)).front()) == line(0, 0, 500, "30M"));
  CHECK(cases().single(one.substr(500, 29)).front().flag == records::sam_flag::unmapped);  // 29 < -T 30
  CHECK(cases().single(changed(one.substr(500, 30), {29})).front().flag == records::sam_flag::unmapped);
  const std::size_t gap =
      find_position([&](std::size_t i) { return one[i - 1] != one[i + 6] && one[i] != one[i + 7]; });
  std::string read = one.substr(gap - 400, 400) + one.substr(gap + 7, 600);
  for (std::size_t i = 50; i < 1000; i += 100) read = changed(read, {i});
  const AlignmentRecord record = cases().single(read).front();
  CHECK(line_of(record) == line(0, 0, gap - 400, "400M7D600M"));
  CHECK(record.edit_distance == 17);
  CHECK(record.score == 1000 - 10 * 5 - 13);
}

TEST_CASE("a read across the border of a tandem repeat takes the copy that needs no long gap", "[align][cases]") {
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U);
  std::mt19937 rng(seed);
  const std::size_t unit_length = 33 + seed;
  const std::string unit = random_bases(unit_length, rng);
  std::string bases = random_bases(1000, rng);
  for (int copy = 0; copy < 6; ++copy) bases += unit;
  const std::size_t border = bases.size();
  bases += random_bases(1000, rng);
  const BaseWorld world({{"g", bases}});
  const std::size_t from = border - 2 * unit_length + 4;
  const std::string within = bases.substr(from, border - from), beside = bases.substr(border, 45);
  std::string extra = "A";  // a base that is neither the one before nor the one after it
  for (const char* other = "CG"; extra[0] == within.back() || extra[0] == beside.front();) extra = *other++;
  const std::string read = within + extra + beside;
  CAPTURE(seed, read);
  for (const ReadRecords& records : world.align({read, reverse_complement(read)})) {
    CHECK(records.front().position == static_cast<std::int64_t>(from));
    CHECK(records.front().score == static_cast<std::int32_t>(read.size()) - 8);
  }
}

TEST_CASE("an alignment in a tandem repeat with as many inserted as deleted bases does not hide the ungapped one",
          "[align][cases]") {
  // GA repeats of human chromosome 20 and a read of them: its longest seed is two bases off the best diagonal.
  const std::string place =
      "CCAGAAGAGAGAAAGAAAGAGAGAGAGAGAGAGAGAGAGAGAGAGAGAGAGAGAGAGAGAGAAGAAGGAAGGAAGGAAGGAAGGGCAGAAAGCAGACCAGA";
  const std::string read =
      "CCAGAAGAGAGAAAGAAAGAAAGAGAGAGAGAGAGAGAGAGAGAGAGGGAGGGAGGGAGGGAAGAAGGAAGGAAGGGAGGAAGGGCAGAAAGCAGACCAGA";
  std::mt19937 rng(18);
  const BaseWorld world({{"g", random_bases(200, rng) + place + random_bases(200, rng)}});
  for (const ReadRecords& records : world.align({read, reverse_complement(read)})) {
    CHECK(records.front().position == 200);
    CHECK(cigar_text(records.front().cigar) == "101M");
    CHECK(records.front().score == 101 - 6 * 5);
  }
}

TEST_CASE("replaced bases become an insertion and a deletion with an aligned pair between them", "[align][cases]") {
  std::mt19937 rng(19);
  for (int round = 0; round < 200; ++round) {
    const std::size_t from = 1000 + rng() % 15000, taken = 3 + rng() % 8;
    std::string given = random_bases(3 + rng() % 8, rng);
    if (given.size() == taken) given += 'A';
    const std::string read = cases().one.substr(from, 80) + given + cases().one.substr(from + 80 + taken, 75);
    CAPTURE(round, read);
    const AlignmentRecord record = cases().single(read).front();
    int score = 0;
    for (std::size_t i = 0; i < record.cigar.size(); ++i) {
      const bool gap =
          cigar_op(record.cigar[i]) == CigarOp::insertion || cigar_op(record.cigar[i]) == CigarOp::deletion;
      if (gap) score -= 6 + static_cast<int>(cigar_length(record.cigar[i]));
      if (gap) REQUIRE(cigar_op(record.cigar[i + 1]) == CigarOp::match);
    }
    int aligned = 0, gap_bases = 0;
    for (const CigarElement e : record.cigar) {
      aligned += cigar_op(e) == CigarOp::match ? static_cast<int>(cigar_length(e)) : 0;
      const bool gap = cigar_op(e) == CigarOp::insertion || cigar_op(e) == CigarOp::deletion;
      gap_bases += gap ? static_cast<int>(cigar_length(e)) : 0;
    }
    REQUIRE(record.score == score + aligned - 5 * (record.edit_distance - gap_bases));  // AS is the path's score
  }
}

TEST_CASE("all records of a read have the same fields for an unmapped mate", "[align][cases]") {
  const std::string read = cases().one.substr(2000, 80) + cases().two.substr(3000, 70);
  const std::vector<ReadRecords> records = cases().world->align({read, cases().foreign.substr(0, 100)}, true);
  REQUIRE(records[0].size() == 2);
  for (const AlignmentRecord& record : records[0]) {
    CHECK(record.mate_contig == 0);
    CHECK(record.mate_position == 2000);
  }
  CHECK(records[1].front().contig == 0);
  CHECK(records[1].front().position == 2000);
}

TEST_CASE("of alignments with equal scores the one with the lower clip penalty is chosen", "[align][cases]") {
  std::mt19937 rng(17);
  const std::string read = random_bases(100, rng);
  const std::string near_end = changed(read, {97}), off_end = changed(read, {97, 98, 99});  // both score 97
  const std::string bases = random_bases(500, rng) + off_end + random_bases(500, rng) + near_end +
                            random_bases(500, rng) + off_end + random_bases(500, rng);
  const BaseWorld world({{"g", bases}});
  const std::vector<std::string> reads(30, read);  // the tie break depends on the read's number
  for (const ReadRecords& records : world.align(reads)) {
    CHECK(records.front().position == 1100);
    CHECK(records.front().score == 97);
    CHECK(records.front().mapq == 0);
  }
}
