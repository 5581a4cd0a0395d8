// Mates whose alignments are known by construction: what is proper, and which of equal alignments is chosen.
#include <algorithm>

#include "catch.hpp"
#include "read_cases.hpp"

using namespace warpseed;
using namespace warpseed::test;

TEST_CASE("mates that overlap, dovetail, read through", "[align][cases]") {
  const std::string &one = cases().one, &foreign = cases().foreign;
  const auto check = [](const std::pair<AlignmentRecord, AlignmentRecord>& mates, const std::string& first,
                        const std::string& second, std::int64_t length) {
    CHECK(line_of(mates.first) == first);
    CHECK(line_of(mates.second) == second);
    CHECK(mates.first.template_length == length);
    CHECK(mates.second.template_length == -length);
  };
  const auto cut = [&](std::size_t from, std::size_t length) { return one.substr(from, length); };
  check(cases().pair(cut(4000, 100), reverse_complement(cut(4020, 100))), line(99, 0, 4000, "100M"),
        line(147, 0, 4020, "100M"), 120);
  check(cases().pair(reverse_complement(cut(4020, 100)), cut(4000, 100)), line(83, 0, 4020, "100M"),
        line(163, 0, 4000, "100M"), -120);
  check(cases().pair(cut(4000, 100), reverse_complement(cut(4000, 100))), line(99, 0, 4000, "100M"),
        line(147, 0, 4000, "100M"), 100);
  // Each extends past the other's 5' end: still FR, 80 bases.
  check(cases().pair(cut(4020, 100), reverse_complement(cut(4000, 100))), line(99, 0, 4020, "100M"),
        line(147, 0, 4000, "100M"), 80);
  // Past each other: RF, no proper pair.
  check(cases().pair(cut(4150, 100), reverse_complement(cut(4000, 100))), line(97, 0, 4150, "100M"),
        line(145, 0, 4000, "100M"), -52);
  // A fragment of 60 bases, followed by adapter in both mates.
  const std::string adapter = foreign.substr(200, 40), other = foreign.substr(300, 40);
  const std::size_t from = find_position([&](std::size_t i) {
    std::string before = one.substr(i - 40, 40), mirrored = other;
    std::reverse(before.begin(), before.end());
    std::string complemented = reverse_complement(other);
    std::reverse(complemented.begin(), complemented.end());
    return gains_nothing(one, i + 60, adapter) && gains_nothing(before, 0, complemented);
  });
  check(cases().pair(cut(from, 60) + adapter, reverse_complement(cut(from, 60)) + other), line(99, 0, from, "60M40S"),
        line(147, 0, from, "40S60M"), 60);
}

TEST_CASE("mates of different length, short and long ones", "[align][cases]") {
  const std::string& one = cases().one;
  struct Lengths {
    std::size_t first, second, fragment;
  };
  for (const auto& [first, second, fragment] :
       {Lengths{36, 150, 300}, {150, 36, 300}, {36, 36, 200}, {250, 250, 480}}) {
    CAPTURE(first, second);
    const auto mates =
        cases().pair(one.substr(7000, first), reverse_complement(one.substr(7000 + fragment - second, second)));
    CHECK(line_of(mates.first) == line(99, 0, 7000, std::to_string(first) + "M"));
    CHECK(line_of(mates.second) == line(147, 0, 7000 + fragment - second, std::to_string(second) + "M"));
    CHECK(mates.first.template_length == static_cast<std::int64_t>(fragment));
  }
}

TEST_CASE("of two equal alignments the one near the mate is chosen", "[align][cases]") {
  const std::string& twice = cases().twice;
  for (const std::size_t copy : {5000U, 15000U}) {
    CAPTURE(copy);
    const auto mates = cases().pair(twice.substr(copy - 150, 100), reverse_complement(twice.substr(copy + 50, 100)));
    CHECK(line_of(mates.first) == line(99, 2, copy - 150, "100M"));
    CHECK(line_of(mates.second) == line(147, 2, copy + 50, "100M"));
    CHECK(mates.first.mapq == 60);
    CHECK(mates.second.mapq > 0);
  }
  // The same for a mate without an exact match of 19 bases, which needs mate rescue.
  const auto worn = [](const std::string& bases) { return changed(bases, {10, 25, 40, 55, 70, 85}); };
  for (const std::size_t copy : {5000U, 15000U}) {
    CAPTURE(copy);
    const auto mates =
        cases().pair(twice.substr(copy - 150, 100), reverse_complement(worn(twice.substr(copy + 50, 100))));
    CHECK(line_of(mates.first) == line(99, 2, copy - 150, "100M"));
    CHECK(line_of(mates.second) == line(147, 2, copy + 50, "100M"));
    CHECK(mates.second.score == 70);
  }
}

TEST_CASE("the orientation of a library is learnt", "[align][cases]") {
  const std::string& one = cases().one;
  struct Library {
    const char* name;
    bool turn_first, turn_second;  // of fragments on the forward strand, the left mate first
    int flags[2];
  };
  const auto& [name, turn_first, turn_second, flags] =
      GENERATE(Library{"FR", false, true, {99, 147}}, Library{"RF", true, false, {83, 163}},
               Library{"FF", false, false, {67, 131}}, Library{"RR", true, true, {115, 179}});
  CAPTURE(name);
  std::vector<std::string> reads;
  for (std::size_t i = 0; i < 100; ++i) {
    const std::size_t from = 500 + 150 * i, fragment = 400 + 7 * i % 61;
    const std::string left = one.substr(from, 100), right = one.substr(from + fragment - 100, 100);
    reads.push_back(turn_first ? reverse_complement(left) : left),
        reads.push_back(turn_second ? reverse_complement(right) : right);
  }
  const auto records = cases().world->align(reads, true);
  for (std::size_t i = 0; i < records.size(); ++i) {
    CAPTURE(i);
    const std::size_t pair = i / 2, from = 500 + 150 * pair, fragment = 400 + 7 * pair % 61;
    CHECK(line_of(records[i].front()) == line(flags[i % 2], 0, i % 2 == 0 ? from : from + fragment - 100, "100M"));
  }
}

TEST_CASE("given insert sizes define proper pairs", "[align][cases]") {
  const std::string& one = cases().one;
  const auto flags = [&](std::size_t fragment) {
    ReadBatch batch;
    batch.add("p", "", one.substr(9000, 100), "");
    batch.add("p", "", reverse_complement(one.substr(9000 + fragment - 100, 100)), "");
    Aligner aligner(*cases().world->index, AlignOptions{}, true);
    aligner.set_insert_sizes(given_insert_sizes(350, 35, 0, 0, Scoring{}));
    const auto records = aligner.align(batch);
    return std::pair(records[0].front().flag, records[1].front().flag);
  };
  CHECK(flags(350) == std::pair<std::uint16_t, std::uint16_t>(99, 147));
  CHECK(flags(490) == std::pair<std::uint16_t, std::uint16_t>(99, 147));  // mean + 4 deviations
  CHECK(flags(491) == std::pair<std::uint16_t, std::uint16_t>(97, 145));
  CHECK(flags(209) == std::pair<std::uint16_t, std::uint16_t>(97, 145));
  CHECK(flags(210) == std::pair<std::uint16_t, std::uint16_t>(99, 147));
}
