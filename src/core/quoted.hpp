// Safe display of arbitrary input in messages.
#pragma once

#include <string>
#include <string_view>

namespace warpseed {

/// quoted(letter), quoted(text). An object, because overloads would compete with std::quoted, which fits a std::string
/// better and which headers of the standard library bring along, g++ 13's for instance.
struct Quoted {
  /// 'x', or "byte 0x1b" for an invisible byte.
  std::string operator()(char letter) const;

  /// "text" in double quotes: truncated if it is too long, with question marks for invalid UTF-8.
  std::string operator()(std::string_view text) const;
};
inline constexpr Quoted quoted;

/// A whole message as one line without terminal control: question marks for control characters, including line ends,
/// and for invalid UTF-8. File names and contig names may contain any byte.
std::string printable(std::string_view text);

}  // namespace warpseed
