// Optional fields in BAM's packing, byte by byte.
#include "reads/packed_tags.hpp"

#include <string>

#include "catch.hpp"

using namespace warpseed;
using namespace warpseed::reads;
using namespace std::string_literals;

namespace {

std::string shown(std::string fields, const ShownBases& bases) {
  fields.resize(trim_packed_tags(fields.data(), fields.size(), bases));
  return fields;
}

}  // namespace

TEST_CASE("sizes of packed tags", "[reads][tags]") {
  const auto size = [](const std::string& fields) { return packed_tag_size(fields); };
  CHECK(size("XAAx") == 4);
  CHECK(size("XAc1rest") == 4);
  CHECK(size("XAS12rest") == 5);
  CHECK(size("XAf1234rest") == 7);
  CHECK(size("XAZtext\0rest"s) == 8);
  CHECK(size("XAZ\0"s) == 4);
  CHECK(size("XABs\2\0\0\0abcdrest"s) == 12);
  CHECK(size("XABC\0\0\0\0rest"s) == 8);
}

TEST_CASE("truncated or malformed packed tags", "[reads][tags]") {
  for (const std::string& fields : {std::string(), std::string("XA"), std::string("XAZ"), std::string("XAZtext"),
                                    std::string("XAi123"), std::string("XAB"), "XABs\2\0\0\0abc"s,
                                    "XABC\xFF\xFF\xFF\xFF"s, "XABZ\0\0\0\0"s, std::string("XAq1"), "XABs\0\0\0"s}) {
    CAPTURE(fields);
    CHECK(packed_tag_size(fields) == 0);
  }
}

TEST_CASE("per-base tags are trimmed and reversed as SEQ is", "[reads][tags]") {
  const std::string fields = "BCZACG\0OQZ1234\0XAi0000U2Zabcd\0E2ZACGn\0QTZ1234\0"s;
  CHECK(shown(fields, {0, 4, 4, false}) == fields);
  const std::string reversed = "BCZACG\0OQZ4321\0XAi0000U2Zdcba\0E2ZnCGT\0QTZ1234\0"s;
  CHECK(shown(fields, {0, 4, 4, true}) == reversed);
  CHECK(shown(reversed, {0, 4, 4, true}) == fields);
  CHECK(shown(fields, {1, 2, 4, false}) == "BCZACG\0OQZ23\0XAi0000U2Zbc\0E2ZCG\0QTZ1234\0"s);
  CHECK(shown(fields, {2, 2, 4, true}) == "BCZACG\0OQZ43\0XAi0000U2Zdc\0E2ZnC\0QTZ1234\0"s);
  CHECK(shown(fields, {0, 0, 4, true}) == "BCZACG\0XAi0000QTZ1234\0"s);
  CHECK(shown(fields, {0, 5, 5, true}) == fields);  // length differs from the read's
  CHECK(shown("", {0, 4, 4, true}).empty());
  CHECK_THROWS_AS(shown("XAi", {0, 4, 4, true}), std::invalid_argument);
}

TEST_CASE("tags that align writes", "[reads][tags]") {
  CHECK(is_written_by_align("NM"));
  CHECK(is_written_by_align("XA"));
  CHECK_FALSE(is_written_by_align("RG"));
  CHECK_FALSE(is_written_by_align("BC"));
}
