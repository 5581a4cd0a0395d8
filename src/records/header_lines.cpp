#include "records/header_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/quoted.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

/// Adds a line with an ID.
void add_with_id(const std::string& line, std::string_view kind, std::vector<std::string>& lines) {
  const std::string_view id = header_field(line, "ID");
  if (id.empty()) throw InputError(fmt::format("{} has no ID", kind));
  for (const std::string& other : lines) {
    if (other == line) return;
    if (header_field(other, "ID") != id) continue;
    throw InputError(fmt::format("another {} line has the ID {}; give this one another", kind, quoted(id)));
  }
  lines.push_back(line);
}

void replace_contig_line(const std::string& line, SamHeader& header) {
  const std::string_view name = header_field(line, "SN"), length = header_field(line, "LN");
  const auto contig = std::find_if(header.contigs.begin(), header.contigs.end(),
                                   [&](const auto& candidate) { return candidate.first == name; });
  if (contig == header.contigs.end())
    throw InputError(fmt::format("the index has no contig {}; name one of its contigs in SN", quoted(name)));
  if (length != std::to_string(contig->second)) {
    throw InputError(
        fmt::format("contig {} has {} bases in the index, LN:{} here; is it another version of the genome?",
                    quoted(name), contig->second, length));
  }
  header.contig_lines.resize(header.contigs.size());
  header.contig_lines[static_cast<std::size_t>(contig - header.contigs.begin())] = line;
}

}  // namespace

bool add_header_line(const std::string& line, SamHeader& header) {
  const std::string_view kind = std::string_view(line).substr(0, line.find('\t'));
  if (kind == "@HD") return false;
  if (line.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos)
    throw InputError(fmt::format("{} has a line end within; give one line at a time", quoted(line)));
  if (const std::string problem = kind == "@PG" || kind == "@SQ" ? field_problem(line) : ""; !problem.empty())
    throw InputError(fmt::format("{} {}; correct the field, with tabs around it", kind, problem));
  if (kind == "@RG") {
    add_with_id(parse_read_group(line), kind, header.read_group_lines);
  } else if (kind == "@PG") {
    add_with_id(line, kind, header.program_lines);
  } else if (kind == "@SQ") {
    replace_contig_line(line, header);
  } else if (kind == "@CO") {
    header.comment_lines.push_back(line);
  } else {
    throw InputError(fmt::format("{} is no header line; it begins with @CO, @PG, @RG or @SQ and a tab", quoted(line)));
  }
  return true;
}

}  // namespace warpseed::records
