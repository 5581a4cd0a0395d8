// Safe display of arbitrary input in messages.
#pragma once

#include <string>
#include <string_view>

namespace warpseed {

/// 'x', or "byte 0x1b" for an invisible byte.
std::string quoted(char letter);

/// "text" in double quotes: truncated if it is too long, with question marks for invalid UTF-8.
std::string quoted(std::string_view text);

/// A whole message as one line without terminal control: question marks for control characters, including line ends,
/// and for invalid UTF-8. File names and contig names may contain any byte.
std::string printable(std::string_view text);

}  // namespace warpseed
