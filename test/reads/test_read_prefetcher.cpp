// Portions of a file of reads: by number and by bytes.
#include <fmt/format.h>

#include "catch.hpp"
#include "reads/helpers.hpp"
#include "reads/read_prefetcher.hpp"

using namespace warpseed;
using namespace warpseed::reads;
using test::Read;

namespace {

std::string fastq_record(const Read& read) {
  std::string text = "@" + read.name;
  if (!read.comment.empty()) text += " " + read.comment;
  return text + "\n" + read.bases + "\n+\n" + read.qualities + "\n";
}

/// Reads of a batch after the first one with which it had enough.
std::uint64_t reads_beyond_enough(const ReadBatch& batch, const TextLimits& limits) {
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < batch.size(); ++i) {
    const Read read(batch[i]);
    bytes += read.name.size() + read.comment.size() + read.bases.size() + read.qualities.size();
    const bool enough = i + 1 >= limits.least_reads && i + 1 <= limits.most_reads && bytes >= limits.enough_bytes;
    if (enough) return batch.size() - i - 1;
  }
  return 0;
}

}  // namespace

TEST_CASE("portions have all reads in order, and end where the limits of their text say", "[reads][prefetcher]") {
  const std::uint64_t most_bytes = GENERATE(1, 700, 5000, 1000000);
  const TextLimits limits =
      GENERATE_COPY(TextLimits{.most_bytes = most_bytes},
                    TextLimits{.most_bytes = most_bytes, .enough_bytes = 1500, .least_reads = 3, .most_reads = 8});
  const std::uint64_t longest = GENERATE(10, 400, 3000);
  CAPTURE(most_bytes, limits.enough_bytes, longest);
  std::mt19937 rng(33);
  std::vector<Read> expected;
  std::string text;
  std::uint64_t longest_record = 0;
  for (int i = 0; i < 300; ++i) {
    expected.push_back(test::random_read(fmt::format("r{}", i), longest, rng));
    const std::string record = fastq_record(expected.back());
    longest_record = std::max<std::uint64_t>(longest_record, record.size());
    text += record;
  }
  ReadPrefetcher prefetcher(ReadParser(std::make_unique<test::MemorySource>(text), "memory"), limits);
  std::vector<Read> found;
  ReadPortion portion;
  while (found.size() < expected.size()) {
    const std::uint64_t count = 1 + rng() % 40;
    prefetcher.take(count, portion);
    REQUIRE(!portion.error);
    REQUIRE(!portion.reads.empty());
    REQUIRE(portion.reads.size() <= count);
    REQUIRE(portion.lines.size() == portion.reads.size());
    CHECK(portion.reads.text_bytes() < most_bytes + longest_record);
    CHECK(reads_beyond_enough(portion.reads, limits) == 0);
    for (std::uint64_t i = 0; i < portion.reads.size(); ++i) {
      CHECK(portion.lines[i] == 4 * found.size() + 1);
      found.emplace_back(portion.reads[i]);
    }
  }
  CHECK(found == expected);
  prefetcher.take(1, portion);
  CHECK(portion.reads.empty());
  CHECK(!portion.error);
}
