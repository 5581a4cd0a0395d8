// Text for JSON files.
#pragma once

#include <string>
#include <string_view>

namespace warpseed {

/// A quoted string by RFC 8259. JSON is UTF-8: bytes that are not valid UTF-8 are taken as Latin-1.
std::string json_string(std::string_view text);

}  // namespace warpseed
