// Lines from a byte source: their maximum length, and skipping.
#include "core/line_reader.hpp"

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using test::message_of;

namespace {

/// The sizes of all lines, with a limit of 100 bytes and blocks of `block_bytes`.
std::vector<std::uint64_t> sizes_of(const std::string& path, std::uint64_t block_bytes) {
  LineReader reader(open_bytes(path), block_bytes, {"list.txt", 100, "one name in a line"});
  std::vector<std::uint64_t> sizes;
  LineReader::Line line;
  for (reader.begin_record(); reader.next(line); reader.begin_record()) sizes.push_back(line.size);
  return sizes;
}

}  // namespace

TEST_CASE("a line beyond the limit is an error with its line number", "[core][lines]") {
  const std::uint64_t block_bytes = GENERATE(1U, 7U, 64U);
  const test::TempFolder folder;
  const std::string fits = folder.write("fits", "a\n" + std::string(100, 'x') + "\nb");
  CHECK(sizes_of(fits, block_bytes) == std::vector<std::uint64_t>{1, 100, 1});
  const std::string long_line = folder.write("long", "a\n" + std::string(1000, 'x') + "\nb");
  CHECK(message_of<InputError>([&] { sizes_of(long_line, block_bytes); }) ==
        "list.txt:2: the line has more than 100 bytes; one name in a line");
}

TEST_CASE("an endless line is an error at the limit", "[core][lines]") {
  LineReader reader(open_bytes("/dev/zero"), 1 << 16, {"zeros", 1 << 20, "give text"});
  LineReader::Line line;
  CHECK_THROWS_AS(reader.next(line), InputError);
}

TEST_CASE("skip_rest() reads the source to its end without storing it", "[core][lines]") {
  const std::uint64_t block_bytes = GENERATE(1U, 7U, 10000U);
  const test::TempFolder folder;
  LineReader reader(open_bytes(folder.write("a", "first\n" + std::string(1000, 'x') + "\nlast\n")), block_bytes,
                    {"a", 100, ""});
  LineReader::Line line;
  reader.begin_record();
  REQUIRE(reader.next(line));
  CHECK(reader.text(line) == "first");
  reader.skip_rest();
  CHECK_FALSE(reader.next(line));
  CHECK(reader.peek() == -1);
}
