#include "records/sam_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "core/quoted.hpp"
#include "warpseed/error.hpp"
#include "warpseed/version.hpp"

namespace warpseed::records {

namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

[[noreturn]] void fail_read_group(std::string_view text, std::string_view problem) {
  throw InputError(fmt::format("read group \"{}\" {}; write it as '@RG\\tID:x\\tSM:y'", escape_header(text), problem));
}

/// A key has a letter, then a letter or a digit (SAM specification 1.6, section 1.3).
bool is_key_and_value(std::string_view field) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return field.size() > 3 && field[2] == ':' && is_letter(field[0]) &&
         (is_letter(field[1]) || (field[1] >= '0' && field[1] <= '9'));
}

/// Programs that no other program follows.
std::vector<std::string_view> last_programs(const std::vector<std::string>& lines) {
  std::set<std::string_view> followed;
  for (const std::string& line : lines) followed.insert(header_field(line, "PP"));
  std::vector<std::string_view> last;
  for (const std::string& line : lines) {
    const std::string_view id = header_field(line, "ID");
    if (!id.empty() && !followed.contains(id)) last.push_back(id);
  }
  return last;
}

/// This program's @PG lines: one, or one per chain of earlier programs, as in samtools.
std::string own_program_lines(const SamHeader& header) {
  std::set<std::string> taken;
  for (const std::string& line : header.program_lines) taken.emplace(header_field(line, "ID"));
  std::vector<std::string_view> before = last_programs(header.program_lines);
  if (before.empty()) before.emplace_back();
  std::string text;
  for (const std::string_view previous : before) {
    std::string id = "warpseed";
    for (int number = 1; !taken.insert(id).second; ++number) id = fmt::format("warpseed.{}", number);
    text += fmt::format("@PG\tID:{}\tPN:warpseed", id);
    if (!previous.empty()) text += fmt::format("\tPP:{}", previous);
    text.append("\tVN:").append(version);
    if (!header.command_line.empty()) text += "\tCL:" + escape_header(header.command_line);
    text += '\n';
  }
  return text;
}

/// SAM's @SQ allows no spaces, quotes, commas, backslashes and brackets in names (specification 1.6, section 1.2.1):
/// SA, XA and other programs' regions would be ambiguous.
void require_sam_name(const std::string& name) {
  for (const char letter : name) {
    if (letter > ' ' && letter <= '~' && std::string_view("\\,\"`'()[]{}<>").find(letter) == std::string_view::npos)
      continue;
    throw InputError(fmt::format("contig \"{}\": SAM takes no {} in a reference's name; rename it and index again",
                                 name, letter > ' ' && letter <= '~' ? fmt::format("'{}'", letter) : "such byte"));
  }
}

}  // namespace

std::string escape_header(std::string_view text) {
  std::string field;
  for (const char letter : text) {
    switch (letter) {
      case '\t': field += "\\t"; break;
      case '\n': field += "\\n"; break;
      case '\r': field += "\\r"; break;
      default: field += letter;
    }
  }
  return field;
}

std::string unescape_header(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
    if (next == 't' || next == '\\') {
      plain += next == 't' ? '\t' : '\\';
      ++i;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::string_view header_field(std::string_view line, std::string_view key) {
  for (const std::string_view field : split(line, '\t')) {
    if (field.size() > 3 && field.substr(0, 2) == key && field[2] == ':') return field.substr(3);
  }
  return {};
}

std::string header_text(const SamHeader& header, bool sorted) {
  std::string text = sorted ? "@HD\tVN:1.6\tSO:coordinate\n" : "@HD\tVN:1.6\tSO:unsorted\tGO:query\n";
  for (std::size_t i = 0; i < header.contigs.size(); ++i) {
    const bool alt = i < header.alt_contigs.size() && header.alt_contigs[i] != 0;
    const auto& [name, length] = header.contigs[i];
    require_sam_name(name);
    if (i < header.contig_lines.size() && !header.contig_lines[i].empty()) {
      const bool marked = !alt || !header_field(header.contig_lines[i], "AH").empty();
      text += header.contig_lines[i] + (marked ? "\n" : "\tAH:*\n");
      continue;
    }
    text += fmt::format("@SQ\tSN:{}\tLN:{}{}\n", name, length, alt ? "\tAH:*" : "");
  }
  for (const std::string& line : header.read_group_lines) text += line + "\n";
  for (const std::string& line : header.program_lines) text += line + "\n";
  if (header.adds_program) text += own_program_lines(header);
  for (const std::string& line : header.comment_lines) text += line + "\n";
  return text;
}

std::string field_problem(std::string_view line) {
  std::set<std::string_view> keys;
  const std::vector<std::string_view> fields = split(line, '\t');
  for (const std::string_view field : std::span(fields).subspan(1)) {
    if (!is_key_and_value(field)) return fmt::format("has {}, not KEY:VALUE", quoted(field));
    const auto visible = [](char c) { return static_cast<unsigned char>(c) >= ' '; };
    if (!std::all_of(field.begin(), field.end(), visible)) return "has a control character";
    if (!keys.insert(field.substr(0, 2)).second) return fmt::format("has {} twice", field.substr(0, 2));
  }
  return {};
}

std::string parse_read_group(std::string_view text) {
  std::string line = unescape_header(text);
  if (split(line, '\t')[0] != "@RG") fail_read_group(line, "does not begin with @RG and a tab");
  if (const std::string problem = field_problem(line); !problem.empty()) fail_read_group(line, problem);
  if (header_field(line, "ID").empty()) fail_read_group(line, "has no ID");
  return line;
}

std::string read_group_id(const std::string& line) {
  return std::string(header_field(line, "ID"));
}

}  // namespace warpseed::records
