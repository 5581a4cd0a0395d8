// What messages show of any bytes.
#include "core/quoted.hpp"

#include "catch.hpp"

using namespace warpseed;

TEST_CASE("letters in messages", "[core]") {
  CHECK(quoted('x') == "'x'");
  CHECK(quoted(' ') == "byte 0x20");
  CHECK(quoted('\x1B') == "byte 0x1b");
  CHECK(quoted('\xE4') == "byte 0xe4");
}

TEST_CASE("texts in messages", "[core]") {
  CHECK(quoted("") == "\"\"");
  CHECK(quoted("chr 1") == "\"chr 1\"");
  CHECK(quoted("a\tb\x1B[1m\x7F") == "\"a?b?[1m?\"");
  CHECK(quoted("\u00e4\u20ac") == "\"\u00e4\u20ac\"");
  CHECK(quoted("\xE4x\xE2\x82") == "\"?x??\"");
  CHECK(quoted(std::string(40, 'a')) == "\"" + std::string(40, 'a') + "\"");
  CHECK(quoted(std::string(41, 'a')) == "\"" + std::string(40, 'a') + "...\"");
  CHECK(quoted(std::string(39, 'a') + "\u20acb") == "\"" + std::string(39, 'a') + "\u20ac...\"");  // no letter is cut
}
