// Counts, profiles and the report: compared with made-up alignment columns, and small cases counted by hand.
#include <random>

#include "align/report/align_report.hpp"
#include "align/report/summary_text.hpp"
#include "catch.hpp"
#include "core/json_text.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::index;
using namespace warpseed::reads;
using namespace warpseed::records;

/// An alignment by its columns, in genome order: 'M' equal, 'X' different, 'R' N in the read, 'G' N in the genome, 'I'
/// only in the read, 'D' only in the genome, 'S' clipped.
struct Columns {
  std::string ops;
  bool reverse;

  std::size_t length() const { return ops.size() - static_cast<std::size_t>(std::count(ops.begin(), ops.end(), 'D')); }
};

CigarOp op_of(char column) {
  switch (column) {
    case 'I': return CigarOp::insertion;
    case 'D': return CigarOp::deletion;
    case 'S': return CigarOp::soft_clip;
    default: return CigarOp::match;
  }
}

AlignmentRecord record_of(const Columns& columns) {
  AlignmentRecord record;
  record.contig = 0, record.position = 0;
  record.flag = columns.reverse ? records::sam_flag::reverse : std::uint16_t{0};
  int run = 0;
  char before = ' ';
  for (const char column : columns.ops) {
    auto& cigar = record.cigar;
    const CigarOp op = op_of(column);
    const bool longer = !cigar.empty() && cigar_op(cigar.back()) == op;
    if (longer) cigar.back() = cigar_element(op, cigar_length(cigar.back()) + 1);
    if (!longer) cigar.push_back(cigar_element(op, 1));
    if (column == 'M') ++run;
    if (std::string_view("XRGD").find(column) != std::string_view::npos) {
      if (column != 'D' || before != 'D') record.mismatches += std::to_string(run) + (column == 'D' ? "^" : "");
      record.mismatches += column == 'G' ? "N" : "A";
      run = 0;
    }
    before = column;
  }
  record.mismatches += std::to_string(run);
  return record;
}

/// The read's bases as sequenced.
std::string letters_of(const Columns& columns) {
  std::string bases;
  for (const char column : columns.ops) {
    if (column != 'D') bases += column == 'R' ? 'N' : 'C';
  }
  if (columns.reverse) std::reverse(bases.begin(), bases.end());
  return bases;
}

void count(const Columns& columns, std::vector<PositionCounts>& wanted) {
  std::string ops = columns.ops;
  if (columns.reverse) std::reverse(ops.begin(), ops.end());
  wanted.resize(std::max(wanted.size(), columns.length()));
  std::size_t at = 0;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i] == 'D') {
      if (ops[i - 1] != 'D') ++wanted[at - 1].deletions;
      continue;
    }
    PositionCounts& here = wanted[at++];
    ++here.reads;
    here.aligned += ops[i] == 'M' || ops[i] == 'X';
    here.mismatches += ops[i] == 'X';
    here.inserted += ops[i] == 'I';
    here.soft_clipped += ops[i] == 'S';
  }
}

Columns random_columns(std::mt19937& rng) {
  std::string ops(rng() % 4, 'S');
  ops += 'M';
  for (std::size_t left = rng() % 120; left > 0; --left) ops += rng() % 4 != 0 ? 'M' : "XXRGIDIDDM"[rng() % 10];
  // A deletion next to an insertion breaks no rule, but MD merges the runs of deleted bases around it.
  for (std::size_t at; (at = ops.find("DI")) != std::string::npos;) ops[at + 1] = 'M';
  for (std::size_t at; (at = ops.find("ID")) != std::string::npos;) ops[at] = 'M';
  ops += 'M';
  ops.append(rng() % 4, 'S');
  return {ops, rng() % 2 == 0};
}

AlignmentRecord placed(std::uint16_t flag, std::int64_t position, std::uint8_t mapq, std::uint32_t length = 10) {
  AlignmentRecord record;
  record.flag = flag, record.contig = 0, record.position = position, record.mapq = mapq;
  record.cigar = {cigar_element(CigarOp::match, length)};
  record.mismatches = std::to_string(length);
  return record;
}

AlignmentRecord lost() {
  AlignmentRecord record;
  record.flag = records::sam_flag::unmapped;
  return record;
}

}  // namespace

TEST_CASE("differences by position in the read", "[align][statistics]") {
  std::mt19937 rng(61);
  ErrorProfile one, other;
  std::vector<PositionCounts> wanted;
  for (int i = 0; i < 500; ++i) {
    const Columns columns = random_columns(rng);
    const std::string bases = letters_of(columns);
    ReadView read{};
    read.bases = bases;
    (i % 3 == 0 ? one : other).add(record_of(columns), read);
    count(columns, wanted);
  }
  one += other;
  const std::vector<PositionCounts> found = one.positions();
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(i);
    const PositionCounts &is = found[i], &should = wanted[i];
    CHECK(is.reads == should.reads);
    CHECK(is.aligned == should.aligned);
    CHECK(is.mismatches == should.mismatches);
    CHECK(is.inserted == should.inserted);
    CHECK(is.deletions == should.deletions);
    CHECK(is.soft_clipped == should.soft_clipped);
  }
}

TEST_CASE("the summary of pairs counts each pair and mate once", "[align][statistics]") {
  constexpr std::uint16_t proper = records::sam_flag::proper_pair;
  AlignCounts counts;
  counts.add_pair({placed(proper, 0, 60)}, {placed(proper, 100, 1)});
  counts.add_pair({placed(proper, 0, 60)}, {placed(proper, 100, 0)});
  counts.add_pair({placed(0, 0, 60)}, {placed(0, 9000, 60)});
  counts.add_pair({placed(0, 0, 60)}, {placed(0, 9000, 0)});
  counts.add_pair({placed(0, 0, 60), placed(records::sam_flag::supplementary, 5, 60)}, {lost()});
  counts.add_pair({lost()}, {placed(0, 0, 0), placed(records::sam_flag::secondary, 5, 0)});
  counts.add_pair({lost()}, {lost()});
  CHECK(counts.secondary_records == 1);
  CHECK(counts.supplementary_records == 1);
  CHECK(counts.both_mapped == 4);
  CHECK(counts.one_mapped == 2);
  CHECK(summary_text(counts, SummaryForm::warpseed) ==
        "warpseed align: 10 of 14 reads mapped (71.43%)\n"
        "  14 reads\n"
        "     7  50.00%  unique (MAPQ above 0)\n"
        "     3  21.43%  repeated (MAPQ 0)\n"
        "     4  28.57%  unmapped\n"
        "  7 pairs\n"
        "     1  14.29%  proper, both mates unique\n"
        "     1  14.29%  proper, a mate repeated\n"
        "     1  14.29%  discordant, both mates unique\n"
        "     1  14.29%  discordant, a mate repeated\n"
        "     2  28.57%  one mate mapped\n"
        "     1  14.29%  unmapped\n");
  CHECK(summary_text(counts, SummaryForm::bowtie2) ==
        "7 reads; of these:\n"
        "  7 (100.00%) were paired; of these:\n"
        "    5 (71.43%) aligned concordantly 0 times\n"
        "    1 (14.29%) aligned concordantly exactly 1 time\n"
        "    1 (14.29%) aligned concordantly >1 times\n"
        "    ----\n"
        "    5 pairs aligned concordantly 0 times; of these:\n"
        "      1 (20.00%) aligned discordantly 1 time\n"
        "    ----\n"
        "    4 pairs aligned 0 times concordantly or discordantly; of these:\n"
        "      8 mates make up the pairs; of these:\n"
        "        4 (50.00%) aligned 0 times\n"
        "        2 (25.00%) aligned exactly 1 time\n"
        "        2 (25.00%) aligned >1 times\n"
        "71.43% overall alignment rate\n");
  AlignCounts twice = counts;
  twice += counts;
  CHECK(twice.reads == 28);
  CHECK(twice.rest_repeated == 4);
}

TEST_CASE("the summary of single reads", "[align][statistics]") {
  AlignCounts counts;
  CHECK(summary_text(counts, SummaryForm::bowtie2).starts_with("0 reads; of these:\n  0 (0.00%) were unpaired"));
  CHECK(summary_text(counts, SummaryForm::warpseed).starts_with("warpseed align: 0 of 0 reads mapped (0.00%)\n"));
  counts.add_read({placed(0, 0, 60)});
  counts.add_read({placed(0, 0, 0)});
  counts.add_read({lost()});
  CHECK(summary_text(counts, SummaryForm::warpseed) ==
        "warpseed align: 2 of 3 reads mapped (66.67%)\n"
        "  3 reads\n"
        "    1  33.33%  unique (MAPQ above 0)\n"
        "    1  33.33%  repeated (MAPQ 0)\n"
        "    1  33.33%  unmapped\n");
  CHECK(summary_text(counts, SummaryForm::bowtie2) ==
        "3 reads; of these:\n"
        "  3 (100.00%) were unpaired; of these:\n"
        "    1 (33.33%) aligned 0 times\n"
        "    1 (33.33%) aligned exactly 1 time\n"
        "    1 (33.33%) aligned >1 times\n"
        "66.67% overall alignment rate\n");
}

TEST_CASE("single reads among pairs are counted apart from mates", "[align][statistics]") {
  AlignCounts counts;
  counts.add_pair({placed(records::sam_flag::proper_pair, 0, 60)}, {placed(records::sam_flag::proper_pair, 300, 60)});
  counts.add_pair({lost()}, {lost()});
  counts.add_read({placed(0, 0, 60), placed(records::sam_flag::supplementary, 0, 60)});
  counts.add_read({lost()});
  counts.add_read({placed(0, 0, 0)});
  AlignCounts other;
  other.add_read({lost()});
  counts += other;
  CHECK(counts.reads == 8);
  CHECK(counts.pairs() == 2);
  CHECK(counts.singles_among_pairs() == 4);
  CHECK(other.singles_among_pairs() == 0);
  CHECK(counts.supplementary_records == 1);
  CHECK(summary_text(counts, SummaryForm::warpseed) ==
        "warpseed align: 4 of 8 reads mapped (50.00%)\n"
        "  8 reads\n"
        "    3  37.50%  unique (MAPQ above 0)\n"
        "    1  12.50%  repeated (MAPQ 0)\n"
        "    4  50.00%  unmapped\n"
        "  2 pairs\n"
        "    1  50.00%  proper, both mates unique\n"
        "    0   0.00%  proper, a mate repeated\n"
        "    0   0.00%  discordant, both mates unique\n"
        "    0   0.00%  discordant, a mate repeated\n"
        "    0   0.00%  one mate mapped\n"
        "    1  50.00%  unmapped\n"
        "  4 single reads\n"
        "    1  25.00%  unique\n"
        "    1  25.00%  repeated\n"
        "    2  50.00%  unmapped\n");
  const std::string text = summary_text(counts, SummaryForm::bowtie2);
  CHECK(text.starts_with("6 reads; of these:\n  2 (33.33%) were paired; of these:\n    1 (50.00%) aligned conc"));
  CHECK(
      text.ends_with("  4 (66.67%) were unpaired; of these:\n"
                     "    2 (50.00%) aligned 0 times\n"
                     "    1 (25.00%) aligned exactly 1 time\n"
                     "    1 (25.00%) aligned >1 times\n"
                     "50.00% overall alignment rate\n"));
}

TEST_CASE("orientations are seen from the first mate", "[align][statistics]") {
  constexpr std::uint16_t back = records::sam_flag::reverse;
  AlignStatistics statistics(true);
  const std::string bases(10, 'A');
  ReadView read{};
  read.bases = bases;
  read.read_group = 2;
  const auto add = [&](std::uint16_t flag1, std::int64_t position1, std::uint16_t flag2, std::int64_t position2) {
    AlignmentRecord one = placed(flag1, position1, 60), two = placed(flag2, position2, 60);
    one.template_length = -300;
    statistics.add_pair(read, read, {one}, {two});
  };
  add(0, 100, back, 300), add(back, 300, 0, 100);                         // FR
  add(0, 300, back, 100), add(back, 100, 0, 300), add(0, 200, back, 90);  // RF
  add(0, 100, 0, 300), add(back, 300, back, 100), add(records::sam_flag::proper_pair, 100, 0, 300), add(0, 1, 0, 2);
  add(0, 300, 0, 100), add(back, 100, back, 300), add(0, 3, 0, 2), add(back, 3, back, 4), add(back, 3, back, 5);
  REQUIRE(statistics.insert_sizes.size() == 3);
  CHECK(statistics.insert_sizes[2].orientations == std::array<std::uint64_t, 4>{4, 2, 3, 5});
  CHECK(statistics.insert_sizes[2].all_sizes() == InsertSizeCounts::Sizes{{300, 1}});
  CHECK(statistics.insert_sizes[2].sizes[static_cast<unsigned>(Orientation::ff)] == InsertSizeCounts::Sizes{{300, 1}});
  CHECK(statistics.insert_sizes[2].pairs == 14);
}

TEST_CASE("a report of few reads, character by character", "[align][statistics]") {
  AlignStatistics statistics(true);
  ReadView read{};
  read.bases = "AC";
  AlignmentRecord record = placed(0, 5, 60, 2);
  record.mismatches = "1T0";
  statistics.add_read(read, {record});
  statistics.add_read(read, {placed(0, 5, 1, 2)});
  ReportContext context{"warpseed align \"x\\y\"", {""}};
  context.read_group_lines = {"@RG\tID:a\tLB:l\tSM:s\"", "@RG\tID:b"};
  const std::string text = report_json(statistics, ReadGroupInsertSizes(), context);
  CHECK(text.starts_with("{\n  \"schema_version\": 1,\n  \"program\": \"warpseed align\",\n  \"version\": \""));
  CHECK(text.find("\n  \"command\": \"warpseed align \\\"x\\\\y\\\"\",\n"
                  "  \"read_groups\": [\n"
                  "    {\n"
                  "      \"id\": \"a\",\n"
                  "      \"sample\": \"s\\\"\",\n"
                  "      \"library\": \"l\"\n"
                  "    },\n"
                  "    {\n"
                  "      \"id\": \"b\",\n"
                  "      \"sample\": null,\n"
                  "      \"library\": null\n"
                  "    }\n"
                  "  ],\n"
                  "  \"paired\": false,\n") != std::string::npos);
  CHECK(text.find("\"mapping_qualities\": [0, 1, 0, ") != std::string::npos);
  CHECK(text.find("insert_sizes") == std::string::npos);
  CHECK(text.find("coverage") == std::string::npos);
  CHECK(text.find("  \"by_position\": {\n"
                  "    \"reads\": {\n"
                  "      \"mapped_reads\": [2, 2],\n"
                  "      \"aligned_bases\": [2, 2],\n"
                  "      \"mismatches\": [0, 1],\n"
                  "      \"inserted_bases\": [0, 0],\n"
                  "      \"deletions\": [0, 0],\n"
                  "      \"soft_clipped_bases\": [0, 0],\n"
                  "      \"mismatch_rate\": [0, 0.5],\n"
                  "      \"insertion_rate\": [0, 0],\n"
                  "      \"deletion_rate\": [0, 0],\n"
                  "      \"soft_clip_rate\": [0, 0]\n"
                  "    }\n"
                  "  },\n") != std::string::npos);
  CHECK(text.find("  \"base_qualities\": {\n"
                  "    \"reads\": {\n"
                  "      \"bases\": [],\n"
                  "      \"mean\": [],\n"
                  "      \"lower_quartile\": [],\n"
                  "      \"median\": [],\n"
                  "      \"upper_quartile\": []\n"
                  "    }\n"
                  "  },\n"
                  "  \"gc_percent\": {\n"
                  "    \"reads\": [0, 0, ") != std::string::npos);
  CHECK(text.ends_with(", 0, 0]\n  }\n}\n"));
}
