#include "align/select/alt_contigs.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "core/line_reader.hpp"
#include "warpseed/error.hpp"

namespace warpseed::align {

namespace {

constexpr std::uint64_t block_bytes = 1 << 16;

/// The first column of a line, a valid SAM name: printable characters, no '>' of a FASTA header in front.
std::string_view name_of(std::string_view line, const std::string& path, std::uint64_t line_number) {
  const std::string_view name = line.substr(0, line.find('\t'));
  const auto visible = [](char letter) { return letter > ' ' && letter < '\x7f'; };
  if (name.empty() || name.front() == '>' || !std::all_of(name.begin(), name.end(), visible)) {
    throw InputError::at(path, line_number,
                         "no list of ALT contigs; each line begins with a contig's name, and a tab if more follows");
  }
  return name;
}

}  // namespace

std::string default_alt_list_path(const std::string& index_path) {
  constexpr std::string_view ending = ".wsi";
  const bool usual = index_path.ends_with(ending);
  return index_path.substr(0, index_path.size() - (usual ? ending.size() : 0)) + ".alt";
}

std::unordered_map<std::string_view, std::uint64_t> contig_numbers(const index::Index& index) {
  std::unordered_map<std::string_view, std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < index.contig_count(); ++i) numbers.emplace(index.contig_name(i), i);
  return numbers;
}

AltContigs read_alt_contigs(const std::string& path, const index::Index& index) {
  const std::unordered_map<std::string_view, std::uint64_t> numbers = contig_numbers(index);
  AltContigs alt;
  alt.flags.resize(index.contig_count());
  std::set<std::string, std::less<>> unknown;
  LineReader reader(open_bytes(path), block_bytes,
                    {input_name(path), LineLimit::of_text, "give a list of ALT contigs, one in a line"});
  LineReader::Line line;
  for (reader.begin_record(); reader.next(line); reader.begin_record()) {
    const std::string_view text = reader.text(line);
    if (text.empty() || text.front() == '@') continue;
    const std::string_view name = name_of(text, path, reader.line_number());
    const auto found = numbers.find(name);
    if (found == numbers.end()) {
      unknown.emplace(name);
    } else {
      alt.flags[found->second] = 1;
    }
  }
  alt.count = static_cast<std::uint64_t>(std::count(alt.flags.begin(), alt.flags.end(), 1));
  alt.unknown = unknown.size();
  return alt;
}

}  // namespace warpseed::align
