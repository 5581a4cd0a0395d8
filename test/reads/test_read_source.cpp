// Reads in batches: single files, two files, interleaved, compressed.
#include <htslib/bgzf.h>

#include "catch.hpp"
#include "reads/helpers.hpp"
#include "reads/read_source.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::reads;
using test::Read;

namespace {

std::vector<Read> all_of(const ReadInput& input, std::uint64_t count, std::vector<std::uint64_t>& sizes) {
  const auto source = open_reads(input);
  ReadBatch batch;
  std::vector<Read> reads;
  while (source->next(batch, count)) {
    sizes.push_back(batch.size());
    for (std::uint64_t i = 0; i < batch.size(); ++i) reads.emplace_back(batch[i]);
  }
  CHECK(batch.empty());
  CHECK_FALSE(source->next(batch, count));
  return reads;
}

std::string fastq(const std::vector<Read>& reads, std::uint64_t first, std::uint64_t step, const std::string& suffix) {
  std::string text;
  for (std::uint64_t i = first; i < reads.size(); i += step) {
    text += "@" + reads[i].name + suffix + "\n" + reads[i].bases + "\n+\n" + reads[i].qualities + "\n";
  }
  return text;
}

/// mode "w": BGZF, "wg": one gzip member, "wu": plain.
std::string write(const test::TempFolder& folder, const std::string& name, const std::string& text, const char* mode) {
  BGZF* file = bgzf_open(folder.file(name).c_str(), mode);
  REQUIRE(file != nullptr);
  REQUIRE(bgzf_write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  REQUIRE(bgzf_close(file) == 0);
  return folder.file(name);
}

std::vector<Read> random_pairs(std::uint64_t count) {
  std::mt19937 rng(14);
  std::vector<Read> reads;
  for (std::uint64_t i = 0; i < 2 * count; ++i) {
    reads.push_back(test::random_read("pair" + std::to_string(i / 2), 200, rng));
    reads.back().comment.clear();
  }
  return reads;
}

}  // namespace

TEST_CASE("reads come in batches in input order", "[reads][source]") {
  const std::string mode = GENERATE("wu", "w", "wg");
  const std::uint64_t count = GENERATE(2, 6, 64, 1000000);
  CAPTURE(mode, count);
  const test::TempFolder folder;
  const std::vector<Read> reads = random_pairs(333);
  std::vector<std::uint64_t> sizes, wanted;
  for (std::uint64_t left = reads.size(); left > 0; left -= std::min(left, count)) {
    wanted.push_back(std::min(left, count));
  }

  SECTION("single") {
    const std::string path = write(folder, "a.fq", fastq(reads, 0, 1, ""), mode.c_str());
    CHECK(all_of({path, "", false}, count, sizes) == reads);
    CHECK(sizes == wanted);
  }
  SECTION("interleaved") {
    const std::string path = write(folder, "a.fq", fastq(reads, 0, 1, ""), mode.c_str());
    CHECK(all_of({path, "", true}, count, sizes) == reads);
    CHECK(sizes == wanted);
  }
  SECTION("two files") {
    const std::string one = write(folder, "1.fq", fastq(reads, 0, 2, "/1"), mode.c_str());
    const std::string two = write(folder, "2.fq", fastq(reads, 1, 2, "/2"), "w");
    CHECK(all_of({one, two, false}, count, sizes) == reads);
    CHECK(sizes == wanted);
  }
}

TEST_CASE("an empty file has no reads", "[reads][source]") {
  const test::TempFolder folder;
  const std::string empty = folder.write("empty.fq", ""), other = folder.write("other.fq", "");
  std::vector<std::uint64_t> sizes;
  CHECK(all_of({empty, "", false}, 10, sizes).empty());
  CHECK(all_of({empty, "", true}, 10, sizes).empty());
  CHECK(all_of({empty, other, false}, 10, sizes).empty());
  const std::string packed = write(folder, "empty.fq.gz", "", "w");
  CHECK(all_of({packed, "", false}, 10, sizes).empty());
}

TEST_CASE("a truncated compressed file is an error", "[reads][source]") {
  const std::string mode = GENERATE("w", "wg");
  const test::TempFolder folder;
  const std::string path = write(folder, "a.fq.gz", fastq(random_pairs(2000), 0, 1, ""), mode.c_str());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  std::vector<std::uint64_t> sizes;
  CHECK_THROWS_AS(all_of({path, "", false}, 100, sizes), InputError);
}

TEST_CASE("the number of reads asked for may change", "[reads][source]") {
  const test::TempFolder folder;
  const std::vector<Read> reads = random_pairs(500);
  const std::string one = write(folder, "1.fq", fastq(reads, 0, 2, "/1"), "w");
  const std::string two = write(folder, "2.fq", fastq(reads, 1, 2, "/2"), "wg");
  const std::string both = write(folder, "both.fq", fastq(reads, 0, 1, ""), "wu");
  const unsigned seed = GENERATE(1U, 2U, 3U);
  CAPTURE(seed);
  for (const ReadInput& input : {ReadInput{one, two, false}, ReadInput{both, "", true}, ReadInput{both, "", false}}) {
    std::mt19937 rng(seed);
    const auto source = open_reads(input);
    ReadBatch batch;
    std::vector<Read> found;
    for (std::uint64_t count = 100; source->next(batch, count); count = 2 * (1 + rng() % 80)) {
      CHECK(batch.size() == std::min(count, reads.size() - found.size()));
      for (std::uint64_t i = 0; i < batch.size(); ++i) found.emplace_back(batch[i]);
    }
    CHECK(found == reads);
  }
}

TEST_CASE("with errors in both files the first pair's is reported", "[reads][source]") {
  const test::TempFolder folder;
  const std::vector<Read> reads = random_pairs(60);
  const std::uint64_t count = GENERATE(2, 10, 24, 1000);
  const std::uint64_t bad1 = GENERATE(0, 7, 23, 59), bad2 = GENERATE(0, 7, 24, 59), other_name = GENERATE(0, 7, 24, 59);
  CAPTURE(count, bad1, bad2, other_name);
  const auto spoilt = [&](std::uint64_t first, std::uint64_t bad) {
    std::string text;
    for (std::uint64_t i = first; i < reads.size(); i += 2) {
      const bool renamed = first == 1 && i / 2 == other_name;
      text += "@" + (renamed ? "stranger" : reads[i].name) + "\nACGT\n" + (i / 2 == bad ? "-" : "+") + "\nIIII\n";
    }
    return text;
  };
  const std::string one = write(folder, "1.fq", spoilt(0, bad1), "wu"),
                    two = write(folder, "2.fq", spoilt(1, bad2), "wu");
  std::vector<std::uint64_t> sizes;
  std::string message;
  try {
    all_of({one, two, false}, count, sizes);
  } catch (const InputError& error) {
    message = error.what();
  }
  const auto begins = [&](const std::string& path, std::uint64_t line) {
    return message.starts_with(path + ":" + std::to_string(line) + ": ");
  };
  CAPTURE(message);
  if (bad1 <= bad2 && bad1 <= other_name) {
    CHECK(begins(one, 4 * bad1 + 3));
  } else if (bad2 <= other_name) {
    CHECK(begins(two, 4 * bad2 + 3));
  } else {
    CHECK(begins(one, 4 * other_name + 1));
    CHECK(message.find(two + ":" + std::to_string(4 * other_name + 1)) != std::string::npos);
  }
  CHECK(sizes.size() == std::min({bad1, bad2, other_name}) / (count / 2));
}

TEST_CASE("a source can be destroyed before its end", "[reads][source]") {
  const test::TempFolder folder;
  const std::string one = write(folder, "1.fq", fastq(random_pairs(20000), 0, 2, ""), "w");
  const std::string two = write(folder, "2.fq", fastq(random_pairs(20000), 1, 2, ""), "wg");
  ReadBatch batch;
  CHECK(open_reads({one, two, false}) != nullptr);
  CHECK(open_reads({one, two, false})->next(batch, 100));
  CHECK(batch.size() == 100);
}
