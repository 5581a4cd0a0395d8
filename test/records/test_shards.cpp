// Shards and their merge, against one run over all reads, which other tests hold against samtools.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <random>

#include "catch.hpp"
#include "message_of.hpp"
#include "records/bam_memory.hpp"
#include "records/fragments.hpp"
#include "records/shard.hpp"
#include "records/shard_merge.hpp"
#include "records/writer_helpers.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::records;
using test::Fragments;

namespace {

SamHeader header_with_groups() {
  SamHeader header = test::small_header();
  header.comment_lines = {"@CO\tfrom a user"};
  return header;
}

WriterOptions options_for(const std::string& path, bool sort, bool mark) {
  WriterOptions options;
  options.path = path;
  options.format = AlignmentFormat::bam;
  options.threads = 2;
  options.sort = sort, options.mark_duplicates = mark;
  return options;
}

DuplicateSummary write(std::span<const BamRecord> records, const WriterOptions& options) {
  const auto writer = open_alignments(header_with_groups(), options);
  BamMemory memory;
  std::vector<BamRecord> copies;
  for (const BamRecord& record : records) copies.emplace_back(*record.get(), memory);
  writer->write(std::move(copies));
  const DuplicateSummary summary = writer->flush_sorted();
  writer->finish();
  return summary;
}

/// The first record of each read or pair, and the end.
std::vector<std::size_t> borders_of(const std::vector<BamRecord>& records) {
  std::vector<std::size_t> borders;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const bam1_t* record = records[i].get();
    const bool begins = (record->core.flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY | BAM_FREAD2)) == 0;
    if (begins) borders.push_back(i);
  }
  borders.push_back(records.size());
  return borders;
}

/// Writes the records in parts of about the same number of reads. Returns the files.
std::vector<std::string> write_shards(const test::TempFolder& folder, const std::vector<BamRecord>& records,
                                      std::uint32_t parts, bool sort, bool mark) {
  const std::vector<std::size_t> borders = borders_of(records);
  const std::uint64_t reads = borders.size() - 1;
  std::vector<std::string> paths;
  for (std::uint32_t part = 1; part <= parts; ++part) {
    const std::uint64_t first = reads * (part - 1) / parts, end = reads * part / parts;
    paths.push_back(folder.file("shard" + std::to_string(part) + ".bam"));
    WriterOptions options = options_for(paths.back(), sort, mark);
    options.shard = Shard{part, parts, first, end, reads};
    write(std::span(records).subspan(borders[first], borders[end] - borders[first]), options);
  }
  return paths;
}

std::string without_commands(std::string header) {
  for (std::size_t at = header.find("\tCL:"); at != std::string::npos; at = header.find("\tCL:", at + 1)) {
    header.erase(at, header.find('\n', at) - at);
  }
  return header;
}

}  // namespace

TEST_CASE("merged shards are the file of one run", "[records][shards]") {
  const unsigned seed = GENERATE(1U, 2U), places = GENERATE(3U, 700U);
  const std::uint32_t parts = GENERATE(1U, 2U, 7U);
  const auto [sort, mark] = GENERATE(std::pair(true, true), std::pair(true, false), std::pair(false, false));
  const MergeSizes sizes = GENERATE(MergeSizes{1, 1}, MergeSizes{3000, 700}, MergeSizes{});
  CAPTURE(seed, places, parts, sort, mark, sizes.range_bytes, sizes.block_bytes);
  const Fragments fragments(seed, 600, places);
  const test::TempFolder folder;
  const DuplicateSummary one = write(fragments.records, options_for(folder.file("one.bam"), sort, mark));
  std::vector<std::string> paths = write_shards(folder, fragments.records, parts, sort, mark);
  std::shuffle(paths.begin(), paths.end(), std::mt19937(seed));
  ShardMerge merge(paths, sizes);
  CHECK(merge.is_sorted() == sort);
  CHECK(merge.marks_duplicates() == mark);
  std::atomic<std::size_t> observed{0};
  const DuplicateSummary merged = merge.write(options_for(folder.file("merged.bam"), sort, mark), "warpseed merge",
                                              [&](const auto& some) { observed += some.size(); });
  CHECK(observed == fragments.records.size());
  CHECK_FALSE(std::filesystem::exists(folder.file("merged.bam")));
  merge.finish();
  std::string header_of_one, header_of_merged;
  CHECK(test::lines_in(folder.file("merged.bam"), &header_of_merged) ==
        test::lines_in(folder.file("one.bam"), &header_of_one));
  CHECK(without_commands(header_of_merged) == without_commands(header_of_one));
  CHECK(header_of_merged.find("CL:warpseed align; warpseed merge\n") != std::string::npos);
  CHECK(merged.all.of_pairs_marked == one.all.of_pairs_marked);
  CHECK(merged.all.single_marked == one.all.single_marked);
  CHECK(merged.all.compared() == one.all.compared());
  if (mark && places == 3) CHECK(merged.all.marked() > 100);
  CHECK(folder.names().size() == (sort ? 2 : 1) * (parts + 2));
}

TEST_CASE("shards that are not all of one run are refused", "[records][shards]") {
  const Fragments fragments(1, 60, 30);
  const test::TempFolder folder, other;
  const auto message = [](std::vector<std::string> paths) {
    return test::message_of<InputError>([&] { ShardMerge merge(paths); });
  };
  const std::vector<std::string> paths = write_shards(folder, fragments.records, 3, true, true);
  CHECK(message({paths[0], paths[2]}).find("part 2 of 3 is missing") != std::string::npos);
  CHECK(message({paths[1]}).find("part 1, 3 of 3 are missing") != std::string::npos);
  CHECK(message({paths[0], paths[1], paths[1], paths[2]}).find("both are part 2 of 3") != std::string::npos);
  write(fragments.records, options_for(folder.file("one.bam"), true, true));
  CHECK(message({folder.file("one.bam")}).find("one.bam: no shard") != std::string::npos);
  const auto mixed_with = [&](const std::vector<std::string>& others) {
    return message({paths[0], others[1], others[2]});
  };
  CHECK(mixed_with(write_shards(other, fragments.records, 4, true, true)).find("part of 4, not of 3") !=
        std::string::npos);
  CHECK(mixed_with(write_shards(other, Fragments(1, 61, 30).records, 3, true, true)).find("of 61 reads, not of 60") !=
        std::string::npos);
  CHECK(mixed_with(write_shards(other, fragments.records, 3, false, false)).find("one is sorted") != std::string::npos);
  CHECK(mixed_with(write_shards(other, fragments.records, 3, true, false)).find("--mark-duplicates") !=
        std::string::npos);
}

TEST_CASE("a shard's line names its part", "[records][shards]") {
  const Shard shard = {3, 16, 5, 9, 1ULL << 40, {}};
  CHECK(shard_line(shard) == "@CO\twarpseed shard\tPT:3/16\tRD:5-9/1099511627776");
  CHECK(parse_shard_line(shard_line(shard)) == shard);
  const Shard to_mark = {1, 1, 0, 0, 0, 151};
  CHECK(shard_line(to_mark) == "@CO\twarpseed shard\tPT:1/1\tRD:0-0/0\tDP:151");
  CHECK(parse_shard_line(shard_line(to_mark)) == to_mark);
  for (const std::string line :
       {"@CO\tother", "@CO\twarpseed shard\tPT:0/1\tRD:0-0/0", "@CO\twarpseed shard\tPT:2/1\tRD:0-0/0",
        "@CO\twarpseed shard\tPT:1/1\tRD:3-2/4", "@CO\twarpseed shard\tPT:1/1\tRD:0-5/4", "@CO\twarpseed shard\tPT:1/1",
        "@CO\twarpseed shard\tPT:1/1x\tRD:0-0/0", "@CO\twarpseed shard\tPT:1/1\tRD:0-0/0\tDP:1x",
        "@CO\twarpseed shard\tPT:1/1\tRD:0-99999999999999999999/4"}) {
    CAPTURE(line);
    CHECK_FALSE(parse_shard_line(line).has_value());
  }
}
