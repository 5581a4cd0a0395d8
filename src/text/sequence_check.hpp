// Checks of sequences and their names, and the messages for wrong ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpseed::text {

/// Cause and remedy for a character outside IUPAC.
std::string letter_error(char letter);

/// What is wrong with a sequence's name, which is not empty: a first letter that has another meaning in SAM, white space
/// or a control character. Empty: nothing.
std::string name_error(std::string_view name);

/// Two sequences of the same name.
struct RepeatedName {
  std::uint64_t first = 0, second = 0;
};

/// The repeated name with the smallest `second`. Memory: 16 bytes per name.
std::optional<RepeatedName> find_repeated(const std::vector<std::string>& names);

}  // namespace warpseed::text
