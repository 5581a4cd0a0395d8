// Text for JSON files.
#pragma once

#include <string>
#include <string_view>

namespace warpseed {

/// A string with its quotes, as RFC 8259 has it. JSON is UTF-8: a byte that is no part of a letter in UTF-8 is taken for
/// Latin-1.
std::string json_string(std::string_view text);

}  // namespace warpseed
