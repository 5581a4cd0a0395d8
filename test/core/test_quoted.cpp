// Arbitrary bytes in messages.
#include "core/quoted.hpp"

#include <iomanip>  // has a std::quoted, which is not to be taken for ours
#include <string>
#include <utility>

#include "catch.hpp"
#include "core/utf8.hpp"

using namespace warpseed;

TEST_CASE("characters in messages", "[core]") {
  CHECK(quoted('x') == "'x'");
  CHECK(quoted('!') == "'!'");
  CHECK(quoted('~') == "'~'");
  CHECK(quoted('\x7F') == "byte 0x7f");
  CHECK(quoted(' ') == "byte 0x20");
  CHECK(quoted('\x1B') == "byte 0x1b");
  CHECK(quoted('\xE4') == "byte 0xe4");
}

TEST_CASE("a character of UTF-8 ends where its bytes do", "[core]") {
  // The first and last characters of each length, and what is next to them (the Unicode standard, table 3-7).
  for (const char* whole : {"\x01", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                            "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    const std::string text = whole;
    CHECK(utf8_character(text) == text.size());
    CHECK(utf8_character(text + "x") == text.size());
    if (text.size() > 1) CHECK(utf8_character(text.substr(0, text.size() - 1)) == 0);
  }
  for (const char* none : {"\x80", "\xC1\xBF", "\xC2\x7F", "\xC2\xC0", "\xE0\x9F\xBF", "\xED\xA0\x80",
                           "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82x"}) {
    CHECK(utf8_character(none) == 0);
  }
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
