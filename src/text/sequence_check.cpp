#include "text/sequence_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/quoted.hpp"

namespace warpseed::text {

std::string letter_error(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  if (letter == '-' || letter == '.')
    return fmt::format("'{}' is a gap of an alignment; remove the gaps from the sequence", letter);
  if (letter == '*') return "'*' is no nucleotide; remove it, or write N where a base is unknown";
  if (letter == '\r') return "a carriage return within a line; end lines in LF or CRLF";
  if (letter == ' ' || letter == '\t') return "white space within a sequence; remove it";
  if (letter == '@' || letter == '+') {
    return fmt::format("'{}' is no nucleotide; if this is FASTQ, convert it to FASTA first", letter);
  }
  if (byte < 0x20 || byte > 0x7E) return quoted(letter) + " is no letter; is this a text file?";
  return fmt::format("letter '{}' is no nucleotide (IUPAC: ACGTURYSWKMBDHVN); write N where a base is unknown", letter);
}

std::string name_error(std::string_view name) {
  if (name[0] == '*' || name[0] == '=')
    return fmt::format("the name \"{}\" begins with a sign that means something else in SAM; rename it", name);
  const auto odd = std::find_if(name.begin(), name.end(), [](char letter) { return letter >= 0 && letter <= ' '; });
  return odd == name.end() ? std::string() : quoted(*odd) + " in a sequence's name; is this a text file?";
}

std::optional<RepeatedName> find_repeated(const std::vector<std::string>& names) {
  struct Hashed {
    std::size_t hash;
    std::uint64_t number;
    auto operator<=>(const Hashed&) const = default;
  };
  std::vector<Hashed> sorted(names.size());  // 16 bytes per name; a set of names would take a hundred
  for (std::uint64_t i = 0; i < names.size(); ++i) sorted[i] = {std::hash<std::string>{}(names[i]), i};
  std::sort(sorted.begin(), sorted.end());

  std::optional<RepeatedName> repeated;
  for (std::size_t begin = 0; begin < sorted.size(); ++begin) {
    for (std::size_t i = begin + 1; i < sorted.size() && sorted[i].hash == sorted[begin].hash; ++i) {
      const bool same = names[sorted[i].number] == names[sorted[begin].number];
      if (same && (!repeated || sorted[i].number < repeated->second))
        repeated = {sorted[begin].number, sorted[i].number};
    }
  }
  return repeated;
}

}  // namespace warpseed::text
