// What a message shows of input that may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace warpseed {

/// 'x', or "byte 0x1b" of a byte that cannot be seen.
std::string quoted(char letter);

/// "text" in double quotes: its beginning, where a line cannot hold it, and question marks for what is no text (UTF-8).
std::string quoted(std::string_view text);

/// All of a message as one line that a terminal shows and does not obey: question marks for control characters, line ends
/// among them, and for what is no text (UTF-8). File names and contig names may hold any byte.
std::string printable(std::string_view text);

}  // namespace warpseed
