#include "reads/pattern_source.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "oracle.hpp"

namespace warpseed {

namespace {

/// A file with these bytes, gone with the test.
class PatternFile {
 public:
  explicit PatternFile(std::string_view bytes)
      : path_(std::filesystem::temp_directory_path() / ("warpseed-patterns-" + std::to_string(getpid()))) {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  ~PatternFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Names and letters of all patterns.
Pairs patterns_in(std::string_view bytes) {
  const PatternFile file(bytes);
  PatternSource source(file.path());
  Pairs patterns;
  for (ReadBatch batch; source.next(batch);) {
    for (std::uint64_t i = 0; i < batch.size(); ++i) patterns.emplace_back(batch[i].name, batch[i].letters);
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
}

TEST_CASE("a batch of patterns has a fixed size", "[reads]") {
  std::string lines;
  for (std::uint64_t i = 0; i < PatternSource::batch_patterns + 5; ++i) lines += "ACG\n";
  const PatternFile file(lines);
  PatternSource source(file.path());
  ReadBatch batch;
  REQUIRE(source.next(batch));
  CHECK(batch.size() == PatternSource::batch_patterns);
  REQUIRE(source.next(batch));
  CHECK(batch.size() == 5);
  CHECK_FALSE(source.next(batch));
}

TEST_CASE("a pattern with a letter outside IUPAC names its line", "[reads]") {
  const std::string message = test::message_of<InputError>([] { patterns_in("ACGT\nAC-T\n"); });
  CHECK(test::contains(message, ":2: '-' is not a nucleotide"));
}

}  // namespace warpseed
