// JSON strings of arbitrary bytes.
#include "core/json_text.hpp"

#include "catch.hpp"

using namespace warpseed;

TEST_CASE("JSON strings", "[core][json]") {
  CHECK(json_string("") == "\"\"");
  CHECK(json_string("a\"b\\c\n\x7F") == "\"a\\\"b\\\\c\\u000a\\u007f\"");
  CHECK(json_string("\u00e4\u20ac\U0001F600") == "\"\u00e4\u20ac\U0001F600\"");
  CHECK(json_string("\xE4x") == "\"\\u00e4x\"");
  CHECK(json_string("\xC0\x80") == "\"\\u00c0\\u0080\"");             // overlong encoding
  CHECK(json_string("\xED\xA0\x80") == "\"\\u00ed\\u00a0\\u0080\"");  // a surrogate
  CHECK(json_string("\xE2\x82") == "\"\\u00e2\\u0082\"");
}
