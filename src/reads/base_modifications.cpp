#include "reads/base_modifications.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace warpseed::reads {

namespace {

constexpr std::size_t value_begin = 3;  // of a packed tag: after its name and type

/// The tags' values; empty if missing.
struct ModificationTags {
  std::string_view positions, likelihoods, length;  // whole packed fields of MM, ML and MN
};

bool is_integer_type(char type) {
  return std::string_view("cCsSiI").find(type) != std::string_view::npos;
}

ModificationTags find_tags(std::string_view fields) {
  ModificationTags tags;
  while (!fields.empty()) {
    const std::size_t bytes = packed_tag_size(fields);
    if (bytes == 0) return {};
    const std::string_view field = fields.substr(0, bytes), name = field.substr(0, 2);
    if (name == "MM" && field[2] == 'Z') tags.positions = field;
    if (name == "ML" && field.substr(2, 2) == "BC") tags.likelihoods = field;
    if (name == "MN" && is_integer_type(field[2])) tags.length = field;
    fields.remove_prefix(bytes);
  }
  return tags;
}

/// A little-endian integer of MN's type.
std::uint64_t number_of(std::string_view field) {
  std::uint64_t value = 0;
  std::memcpy(&value, field.data() + value_begin, field.size() - value_begin);
  return value;
}

bool is_base(char base, char counted) {
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(base)));
  return counted == 'N' || upper == counted || (counted == 'T' && upper == 'U') || (counted == 'U' && upper == 'T');
}

/// The modifications of the shown part.
struct Trimmed {
  std::string positions;    // MM's text
  std::string likelihoods;  // ML's bytes
};

/// Reads one list of MM, "C+mh?,5,12", adds its part to `trimmed`. used: likelihoods before it; becomes that after it.
/// False if it is malformed.
bool trim_list(std::string_view list, std::string_view likelihoods, std::string_view bases, const ShownBases& shown,
               std::size_t& used, Trimmed& trimmed) {
  const std::size_t head_end = std::min(list.find(','), list.size());
  const std::string_view head = list.substr(0, head_end);
  if (head.size() < 3 || (head[1] != '+' && head[1] != '-')) return false;
  const std::string_view codes = head.substr(2, head.find_last_not_of("?.") - 1);
  if (codes.empty()) return false;
  const std::size_t kinds = std::isdigit(static_cast<unsigned char>(codes.front())) != 0 ? 1 : codes.size();
  const auto count = [&](std::size_t begin, std::size_t size) {
    const std::string_view some = bases.substr(begin, size);
    return std::count_if(some.begin(), some.end(), [&](char base) { return is_base(base, head[0]); });
  };
  const std::int64_t first = count(0, shown.begin), end = first + count(shown.begin, shown.size);
  trimmed.positions += head;
  const auto largest_skip = static_cast<std::int64_t>(bases.size());  // so that their sum does not overflow
  std::int64_t at = -1, last = first - 1;
  for (std::string_view rest = list.substr(head_end); !rest.empty(); used += kinds) {
    std::int64_t skipped = 0;
    const auto parsed = std::from_chars(rest.data() + 1, rest.data() + rest.size(), skipped);
    if (rest[0] != ',' || parsed.ec != std::errc{} || skipped < 0 || skipped > largest_skip) return false;
    rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
    at += skipped + 1;
    if (at < first || at >= end) continue;
    trimmed.positions += ',' + std::to_string(at - last - 1);
    last = at;
    if (!likelihoods.empty()) trimmed.likelihoods += likelihoods.substr(std::min(used, likelihoods.size()), kinds);
  }
  trimmed.positions += ';';
  return true;
}

std::optional<Trimmed> trim(const ModificationTags& tags, std::string_view bases, const ShownBases& shown) {
  constexpr std::size_t array_begin = value_begin + 1 + sizeof(std::uint32_t);
  const std::string_view likelihoods =
      tags.likelihoods.empty() ? std::string_view() : tags.likelihoods.substr(array_begin);
  std::string_view text = tags.positions.substr(value_begin, tags.positions.size() - value_begin - 1);
  Trimmed trimmed;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t end = text.find(';');
    if (end == std::string_view::npos) return std::nullopt;
    if (!trim_list(text.substr(0, end), likelihoods, bases, shown, used, trimmed)) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  if (!tags.likelihoods.empty() && used != likelihoods.size()) return std::nullopt;
  return trimmed;
}

}  // namespace

std::size_t trim_modifications(char* fields, std::size_t size, std::string_view bases, const ShownBases& shown) {
  if (shown.size == shown.of) return size;
  const std::string before(fields, size);
  const ModificationTags tags = find_tags(before);
  if (tags.positions.empty() || bases.size() != shown.of) return size;
  if (!tags.length.empty() && number_of(tags.length) != shown.of) return size;
  const std::optional<Trimmed> trimmed = trim(tags, bases, shown);
  if (!trimmed) return size;
  char* out = fields;
  const auto put = [&](const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(out, from, bytes);
    out += bytes;
  };
  for (std::string_view rest = before; !rest.empty();) {
    const std::string_view field = rest.substr(0, packed_tag_size(rest));
    rest.remove_prefix(field.size());
    const bool is_modification = field.data() == tags.positions.data() || field.data() == tags.likelihoods.data() ||
                                 field.data() == tags.length.data();
    if (!is_modification) {
      put(field.data(), field.size());
    } else if (shown.size == 0) {
      continue;
    } else if (field.data() == tags.positions.data()) {
      put(field.data(), value_begin);
      put(trimmed->positions.c_str(), trimmed->positions.size() + 1);
    } else if (field.data() == tags.likelihoods.data()) {
      const auto count = static_cast<std::uint32_t>(trimmed->likelihoods.size());
      put(field.data(), value_begin + 1);
      put(&count, sizeof count);
      put(trimmed->likelihoods.data(), count);
    } else {
      const std::uint64_t length = shown.size;
      put(field.data(), value_begin);
      put(&length, field.size() - value_begin);
    }
  }
  return static_cast<std::size_t>(out - fields);
}

}  // namespace warpseed::reads
