#include "reads/pattern_source.hpp"

#include <vector>

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "oracle.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace reads;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Names and bases of all patterns.
Pairs patterns_in(std::string_view bytes) {
  const test::TempFolder folder;
  const std::string path = folder.write("patterns", bytes);
  PatternSource source(path);
  Pairs patterns;
  for (ReadBatch batch; source.next(batch);) {
    for (std::uint64_t i = 0; i < batch.size(); ++i) patterns.emplace_back(batch[i].name, batch[i].bases);
  }
  return patterns;
}

}  // namespace

TEST_CASE("patterns come from FASTA, FASTQ and plain lines", "[reads]") {
  CHECK(patterns_in("").empty());
  CHECK(patterns_in("ACGT") == Pairs{{"ACGT", "ACGT"}});
  CHECK(patterns_in("ACGT\r\n\nnn\n") == Pairs{{"ACGT", "ACGT"}, {"", ""}, {"nn", "nn"}});
  CHECK(patterns_in(">a b\nAC\nGT\n>c\nT\n") == Pairs{{"a", "ACGT"}, {"c", "T"}});
  CHECK(patterns_in("@q\nAC\n+\nII\n") == Pairs{{"q", "AC"}});
  CHECK(patterns_in(">x/1\nAC\n>x/2\nGT\n") == Pairs{{"x/1", "AC"}, {"x/2", "GT"}});  // not mates
}

TEST_CASE("a batch of patterns has a fixed size", "[reads]") {
  std::string lines;
  for (std::uint64_t i = 0; i < PatternSource::batch_patterns + 5; ++i) lines += "ACG\n";
  const test::TempFolder folder;
  const std::string path = folder.write("patterns", lines);
  PatternSource source(path);
  ReadBatch batch;
  REQUIRE(source.next(batch));
  CHECK(batch.size() == PatternSource::batch_patterns);
  REQUIRE(source.next(batch));
  CHECK(batch.size() == 5);
  CHECK_FALSE(source.next(batch));
}

TEST_CASE("a pattern with a character outside IUPAC names its line", "[reads]") {
  const std::string message = test::message_of<InputError>([] { patterns_in("ACGT\nAC-T\n"); });
  CHECK(test::contains(message, ":2: '-' is not a nucleotide"));
}

}  // namespace warpseed
