// Arbitrary bytes in messages.
#include "core/quoted.hpp"

#include <iomanip>  // has a std::quoted, which is not to be taken for ours
#include <string>
#include <utility>

#include "catch.hpp"

using namespace warpseed;

TEST_CASE("characters in messages", "[core]") {
  CHECK(quoted('x') == "'x'");
  CHECK(quoted(' ') == "byte 0x20");
  CHECK(quoted('\x1B') == "byte 0x1b");
  CHECK(quoted('\xE4') == "byte 0xe4");
}

TEST_CASE("whole messages contain no terminal control", "[core]") {
  CHECK(printable("") == "");
  CHECK(printable("cannot open a\x1B[31m\nb\r.fq: no such file") == "cannot open a?[31m?b?.fq: no such file");
  CHECK(printable("\u009b31m \u00a0\u00e4 \xFF") == "?31m \u00a0\u00e4 ?");  // U+009B begins a command, as ESC [ does
  const std::string long_path(500, 'x');
  CHECK(printable(long_path) == long_path);
}

TEST_CASE("texts in messages", "[core]") {
  CHECK(quoted("") == "\"\"");
  CHECK(quoted("chr 1") == "\"chr 1\"");
  std::string name = "chr 1";
  CHECK(quoted(name) == "\"chr 1\"");
  CHECK(quoted(std::as_const(name)) == "\"chr 1\"");
  CHECK(quoted("a\tb\x1B[1m\x7F") == "\"a?b?[1m?\"");
  CHECK(quoted("\u00e4\u20ac") == "\"\u00e4\u20ac\"");
  CHECK(quoted("\u009b31m") == "\"?31m\"");
  CHECK(quoted("\xE4x\xE2\x82") == "\"?x??\"");
  CHECK(quoted(std::string(40, 'a')) == "\"" + std::string(40, 'a') + "\"");
  CHECK(quoted(std::string(41, 'a')) == "\"" + std::string(40, 'a') + "...\"");
  CHECK(quoted(std::string(39, 'a') + "\u20acb") == "\"" + std::string(39, 'a') + "\u20ac...\"");  // not mid-character
}
