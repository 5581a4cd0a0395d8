// Counts in indices that are none, or of others. Those in ours are compared with htslib's where BAM is written.
#include "records/index_counts.hpp"

#include <cerrno>
#include <string>

#include "catch.hpp"
#include "core/temp_folder.hpp"

using namespace warpseed;
using namespace warpseed::records;

namespace {

/// A BAI index of one contig without records but with their counts, and its end.
std::string small_index(std::uint64_t mapped, std::uint64_t without_contig) {
  const auto append = [](std::string& to, auto number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  std::string index("BAI\1", 4);
  for (const std::uint32_t number : {1U, 1U, 37450U, 2U}) append(index, number);  // contigs, bins, the bin, its chunks
  for (const std::uint64_t number : {std::uint64_t{5}, std::uint64_t{6}, mapped, std::uint64_t{0}})
    append(index, number);
  append(index, std::uint32_t{0});  // windows
  append(index, without_contig);
  return index;
}

}  // namespace

TEST_CASE("counts are set in an index of as many contigs, which is whole", "[records]") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.bai");
  const auto set = [&](const std::string& index, std::size_t contigs) {
    folder.write("x.bai", index);
    IndexCounts counts;
    counts.contigs.resize(contigs, {7, 0});
    counts.without_contig = 9;
    return set_index_counts(path, counts);
  };
  CHECK(set(small_index(1, 2), 1));
  CHECK(test::content_of(path) == small_index(7, 9));
  CHECK_FALSE(set(small_index(1, 2), 2));
  CHECK(errno == EIO);
  for (std::size_t bytes = 0; bytes < small_index(1, 2).size(); ++bytes) {
    CAPTURE(bytes);
    CHECK_FALSE(set(small_index(1, 2).substr(0, bytes), 1));
    CHECK(errno == EIO);
  }
  CHECK_FALSE(set_index_counts(folder.file("none"), {}));
  CHECK(errno == ENOENT);
}
