// How reads are cut into batches.
#include "align/pipeline/batch_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catch.hpp"

namespace warpseed::align {

namespace {

constexpr std::uint64_t slice = Aligner::slice_reads, no_end = reads::ReadRange::no_end;

/// So many empty reads.
class EmptyReads final : public reads::ReadSource {
 public:
  EmptyReads(std::uint64_t count, bool paired) : left_(count), paired_(paired) {}

  bool next(reads::ReadBatch& batch, std::uint64_t count) override {
    batch.clear();
    for (std::uint64_t i = std::min(count, left_); i > 0; --i) batch.add("", "", "", "");
    left_ -= batch.size();
    return !batch.empty();
  }
  bool paired() const override { return paired_; }

 private:
  std::uint64_t left_;
  const bool paired_;
};

/// The sizes of all batches of `count` reads, of `most` reads each where that is possible.
std::vector<std::uint64_t> sizes_of(std::uint64_t count, bool paired, std::uint64_t most, std::uint64_t first = 0,
                                    std::uint64_t end = no_end) {
  EmptyReads source(count, paired);
  BatchReader reader(source, first);
  std::vector<std::uint64_t> sizes;
  for (reads::ReadBatch batch; reader.next(batch, most, end);) sizes.push_back(batch.size());
  return sizes;
}

}  // namespace

TEST_CASE("the first batches of pairs are small, since others wait until insert sizes are learnt from them",
          "[align]") {
  using Sizes = std::vector<std::uint64_t>;
  CHECK(sizes_of(9 * slice + 10, true, 4 * slice) == Sizes{slice, slice, slice, slice, 4 * slice, slice + 10});
  CHECK(sizes_of(7 * slice, true, 4 * slice, 6 * slice) == Sizes{slice, slice, 4 * slice, slice});
  CHECK(sizes_of(2 * slice, true, slice) == Sizes{slice, slice});
  CHECK(sizes_of(250, true, 100) == Sizes{100, 100, 50});
  CHECK(sizes_of(5 * slice, false, 4 * slice) == Sizes{4 * slice, slice});
}

TEST_CASE("batches end with the slice in which a range of reads ends", "[align]") {
  using Sizes = std::vector<std::uint64_t>;
  CHECK(sizes_of(9 * slice, true, 4 * slice, 0, 5 * slice + 2) == Sizes{slice, slice, slice, slice, 2 * slice});
  CHECK(sizes_of(9 * slice, false, 4 * slice, 0, 5 * slice + 2) == Sizes{4 * slice, slice + 2});
}

}  // namespace warpseed::align
