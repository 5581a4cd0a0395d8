#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "oracle.hpp"
#include "warpseed/error.hpp"
#include "warpseed/reads.hpp"

namespace warpseed {

namespace {

/// "name comment bases qualities;" of each read of a file, `count` at a time.
std::string all_of(ReadReader& reader, std::size_t count) {
  std::string text;
  while (true) {
    const std::vector<Read>& reads = reader.next(count);
    if (reads.empty()) return text;
    CHECK(reads.size() <= count);
    for (const Read& read : reads) {
      text += std::string(read.name) + ' ' + std::string(read.comment) + ' ' + std::string(read.bases) + ' ' +
              std::string(read.qualities) + ';';
    }
  }
}

}  // namespace

TEST_CASE("a reader gives the reads of files in their order", "[api]") {
  const test::TempFolder folder;
  const std::string first = folder.write("1.fq", "@a/1 x y\nACGT\n+\nIIII\n@b/1\nNN\n+\n!J\n@c/1\nT\n+\nI\n");
  const std::string second = folder.write("2.fq", "@a/2\nGG\n+\nII\n@b/2\nC\n+\n#\n@c/2\nA\n+\nI\n");
  const std::size_t count = GENERATE(1, 2, 100);
  ReadReader single({first}, Context({"cpu", 1}));
  CHECK_FALSE(single.paired());
  CHECK(all_of(single, count) == "a x y ACGT IIII;b  NN !J;c  T I;");
  CHECK(single.next(5).empty());
  ReadReader pairs({first, second});
  CHECK(pairs.paired());
  CHECK(all_of(pairs, 2 * count) == "a x y ACGT IIII;a  GG II;b  NN !J;b  C #;c  T I;c  A I;");
  ReadReader adjacent({folder.write("12.fa", ">p\nACGT\n>p\nTT\n"), "", true});
  CHECK(adjacent.paired());
  CHECK(all_of(adjacent, 2 * count) == "p  ACGT ;p  TT ;");
  ReadReader none({folder.write("none.fq", "")});
  CHECK(none.next(count).empty());
}

TEST_CASE("bad files and calls of a reader are reported", "[api]") {
  const test::TempFolder folder;
  const std::string reads = folder.write("a.fq", "@a\nACGT\n+\nIIII\n");
  CHECK_THROWS_AS(ReadReader({reads, reads}), InputError);
  CHECK_THROWS_AS(ReadReader({reads, folder.file("b.fq"), true}), InputError);
  CHECK_THROWS_AS(ReadReader({folder.file("missing.fq")}), std::runtime_error);
  ReadReader damaged({folder.write("short.fq", "@a\nACGT\n+\nII\n")});
  CHECK(test::contains(test::message_of<InputError>([&] { damaged.next(10); }), "short.fq:"));
  ReadReader pairs({reads, folder.write("2.fq", "@a\nACGT\n+\nIIII\n")});
  CHECK_THROWS_AS(pairs.next(3), std::invalid_argument);
}

}  // namespace warpseed
