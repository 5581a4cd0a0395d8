// The file of a shard's statistics: what is written is read again; any damage is an error that names the file.
#include "align/report/shard_statistics.hpp"

#include <filesystem>
#include <random>
#include <span>

#include "align/report/merged_statistics.hpp"
#include "catch.hpp"
#include "core/binary_values.hpp"
#include "core/checksum.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "records/alignment_record.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using records::AlignmentRecord;

AlignmentRecord aligned(std::uint16_t flag, std::int64_t position, std::uint32_t length) {
  AlignmentRecord record;
  record.flag = flag, record.contig = 0, record.position = position, record.mapq = 60;
  record.template_length = 300;
  record.cigar = {records::cigar_element(records::CigarOp::match, length)};
  return record;
}

/// Contigs of 100 and 50 bases, with an N run in each.
ReferenceLayout two_contigs() {
  ReferenceLayout layout;
  layout.contig_names = {"one", "two"};
  layout.contig_begins = {0, 100, 150};
  layout.segments = {{0, 0}, {41, 60}, {82, 110}, {123, 150}};
  return layout;
}

ShardStatistics example(std::uint32_t number = 1) {
  ShardStatistics made;
  made.shard = {number, 2, (number - 1) * 4ULL, number * 4ULL, 8, {}};
  made.command_line = "warpseed align\t" + std::to_string(number);
  made.read_groups = {"", "a"};
  made.read_group_lines = {"@RG\tID:a"};
  made.index_path = "ref.wsi", made.index_checksum = 0xfedcba98;
  made.reference = two_contigs();
  made.insert_sizes.resize(2);
  made.insert_sizes[1][Orientation::fr] = {true, 300.25, 20.5, number, 400, {}};
  reads::ReadView read{};
  read.bases = "ACGT", read.qualities = "IIJ!", read.read_group = 1;
  AlignmentRecord record = aligned(records::sam_flag::proper_pair, 5, 4);
  record.mismatches = "1T2";
  made.statistics.add_pair(read, read, {record}, {aligned(records::sam_flag::proper_pair, 8, 4)});
  made.statistics.add_read(read, {aligned(0, 9, 4), aligned(records::sam_flag::secondary, 30, 4)});
  const std::string bases(1500, 'G');
  read.bases = bases, read.qualities = {};
  made.statistics.add_read(read, {aligned(0, 0, 1500)});
  return made;
}

std::string problem_with(std::string_view bytes) {
  return test::message_of<InputError>([&] { unpack_shard_statistics(bytes, "s.bam.statistics"); });
}

/// With the checksum of what it is now.
std::string sealed(std::string bytes) {
  bytes.resize(bytes.size() - 8);
  ValueWriter checksum;
  checksum(crc32(std::as_bytes(std::span(bytes))));
  return bytes + checksum.bytes();
}

std::string json_of(const AlignStatistics& statistics, const std::vector<InsertSizeDistributions>& distributions) {
  ReadGroupInsertSizes insert_sizes;
  for (std::uint32_t group = 0; group < distributions.size(); ++group)
    insert_sizes.set_learnt(group, distributions[group]);
  return report_json(statistics, insert_sizes, {"command", {"", "a"}});
}

}  // namespace

TEST_CASE("a shard's statistics are read as they were written", "[align][statistics][shards]") {
  const ShardStatistics made = example();
  const std::string bytes = packed(made);
  const ShardStatistics read = unpack_shard_statistics(bytes, "s");
  CHECK(packed(read) == bytes);
  CHECK(read.shard == made.shard);
  CHECK(read.command_line == made.command_line);
  CHECK(read.read_group_lines == made.read_group_lines);
  CHECK(read.index_checksum == made.index_checksum);
  CHECK(read.reference.segments == made.reference.segments);
  const std::string json = json_of(read.statistics, read.insert_sizes);
  CHECK(json == json_of(made.statistics, made.insert_sizes));
  CHECK(json.find("\"mean\": 300.250") != std::string::npos);
  CHECK(json.find("\"n50\": 1500") != std::string::npos);
  AlignStatistics sum = made.statistics, sum_of_read = read.statistics;
  sum += made.statistics, sum_of_read += read.statistics;
  CHECK(json_of(sum, made.insert_sizes) == json_of(sum_of_read, made.insert_sizes));
}

TEST_CASE("damaged statistics of a shard are refused", "[align][statistics][shards]") {
  const std::string bytes = packed(example());
  CHECK(problem_with(bytes).empty());
  CHECK(problem_with(sealed(bytes)).empty());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string problem = problem_with(std::string_view(bytes).substr(0, size));
    if (!problem.starts_with("s.bam.statistics: ") || problem.find("--json") == std::string::npos)
      FAIL(size << problem);
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
    if (!problem_with(changed).starts_with("s.bam.statistics: ")) FAIL("byte " << at << " changed unnoticed");
  }
  CHECK(problem_with(bytes + "x").find("damaged") != std::string::npos);
  std::string newer = bytes;
  newer[8] = 2;
  CHECK(problem_with(sealed(newer)).find("another version") != std::string::npos);
}

TEST_CASE("statistics of a shard with any content and a right checksum do no harm", "[align][statistics][shards]") {
  const std::string bytes = packed(example());
  std::mt19937 rng(5);
  for (std::size_t at = 8; at + 8 < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(rng());
    if (rng() % 2) changed[8 + rng() % (bytes.size() - 16)] = static_cast<char>(rng());
    if (rng() % 4 == 0) changed.resize(17 + rng() % (bytes.size() - 16));
    try {
      const ShardStatistics read = unpack_shard_statistics(sealed(changed), "s");
      CHECK(CoverageMap(read.reference.view()).windows({}).size() < 3000);
      CHECK(!json_of(read.statistics, read.insert_sizes).empty());
    } catch (const InputError&) {
    }
  }
}

TEST_CASE("a layout of a reference that cannot be is refused", "[align][statistics][shards]") {
  CHECK(two_contigs().is_valid());
  const auto valid = [](const auto& change) {
    ReferenceLayout layout = two_contigs();
    change(layout);
    return layout.is_valid();
  };
  CHECK(valid([](ReferenceLayout& layout) { layout.segments = {{0, 150}}; }));  // of N alone
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.segments.clear(); }));
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.contig_begins.clear(); }));
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.contig_begins[0] = 1; }));
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.contig_begins[1] = 150; }));
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.contig_begins[1] = 90; }));   // in a segment
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.contig_begins[1] = 120; }));  // the same
  CHECK_FALSE(
      valid([](ReferenceLayout& layout) { layout.contig_begins[2] = layout.segments[3].genome_begin = 1ULL << 50; }));
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.contig_names.pop_back(); }));
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.segments[1].genome_begin = 30; }));  // in the one before
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.segments[1].text_begin = 0; }));
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.segments[2].genome_begin = 60; }));
  CHECK_FALSE(valid([](ReferenceLayout& layout) { layout.segments[3].genome_begin = 151; }));
}

TEST_CASE("the statistics of a run from those of its shards and from its records", "[align][statistics][shards]") {
  const test::TempFolder folder;
  std::vector<records::ShardFile> shards;
  for (std::uint32_t number : {1U, 2U}) {
    const ShardStatistics made = example(number);
    const std::string path = folder.file("s" + std::to_string(number) + ".bam");
    folder.write("s" + std::to_string(number) + ".bam.statistics", packed(made));
    shards.push_back({path, made.shard, "warpseed align\\t" + std::to_string(number)});
    shards.back().shard.longest_span = 100;  // which the statistics do not have
  }
  MergedStatistics merged(shards);
  reads::ReadView read{};
  read.name = "r", read.bases = "ACGT", read.qualities = "IIII";
  const auto record = [&](const AlignmentRecord& of) { return records::BamRecord(of, read, "", false); };
  const auto add = [&](const AlignmentRecord& of) {
    const records::BamRecord made = record(of);
    const bam1_t* const pointer = made.get();
    merged.add(std::span(&pointer, 1));
  };
  for (int i = 0; i < 3; ++i) add(aligned(0, 4, 4)), add(aligned(records::sam_flag::supplementary, 96, 4));
  add(aligned(records::sam_flag::secondary, 20, 4)), add(aligned(records::sam_flag::unmapped, 20, 4));
  CHECK(test::message_of<InputError>([&] { (void)merged.total(); }).find("8 records, and by their statistics 10") !=
        std::string::npos);
  add(aligned(0, 4, 4)), add(aligned(0, 6, 4));
  const AlignStatistics total = merged.total();
  AlignStatistics sum = example(1).statistics;
  sum += example(2).statistics;
  CHECK(json_of(total, example(2).insert_sizes) == json_of(sum, example(2).insert_sizes));
  CHECK(merged.insert_sizes().of(1)[Orientation::fr].low == 2);  // the last shard's
  const ReportContext context = merged.context("warpseed merge");
  CHECK(context.command_line == "warpseed align\t1; warpseed merge");
  CoverageWindow all;
  for (const CoverageWindow& window : context.coverage->windows(total.window_bases)) all += window;
  CHECK(all.aligned_bases == 32);
  CHECK(all.covered_bases == 10);
  CHECK(all.known_bases == 120);
  const auto problem = [&](const AlignmentRecord& of) { return test::message_of<InputError>([&] { add(of); }); };
  CHECK(problem(aligned(0, 97, 4)).find("'r': its alignment ends after its contig") != std::string::npos);
  AlignmentRecord other = aligned(0, 0, 4);
  other.contig = 2;
  CHECK(!problem(other).empty());

  const auto refusal = [&] { return test::message_of<InputError>([&] { MergedStatistics refused(shards); }); };
  shards[1].command_line += "0";
  CHECK(refusal().find("s2.bam.statistics: of another run than") != std::string::npos);
  shards[1].command_line.pop_back();
  shards[1].shard.end_read = 7;
  CHECK(refusal().find("s2.bam.statistics: of another run than") != std::string::npos);
  shards[1].shard.end_read = 8;
  ShardStatistics changed = example(2);
  changed.index_checksum = 1;
  folder.write("s2.bam.statistics", packed(changed));
  CHECK(refusal().find("s2.bam.statistics: of another index (ref.wsi, checksum 00000001)") != std::string::npos);
  changed = example(2);
  changed.read_groups[1] = "b";
  folder.write("s2.bam.statistics", packed(changed));
  CHECK(refusal().find("s2.bam.statistics: of other read groups") != std::string::npos);
  std::filesystem::remove(folder.file("s2.bam.statistics"));
  CHECK(refusal().find("s2.bam.statistics: no such file") != std::string::npos);
}
