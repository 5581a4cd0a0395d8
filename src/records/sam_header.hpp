// The header of a SAM, BAM or CRAM file: its content and its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpseed::records {

/// The header's content. @HD, @SQ in the order given, @RG, @PG, @CO.
struct SamHeader {
  std::vector<std::pair<std::string, std::uint64_t>> contigs;  // name, length
  std::vector<std::string> read_group_lines;                   // "@RG\tID:..."
  std::string command_line;                                    // for @PG CL
  std::vector<std::string> program_lines;      // @PG lines of the programs that processed the reads before
  std::vector<std::string> comment_lines;      // "@CO\t..."
  std::vector<std::uint8_t> alt_contigs = {};  // [contigs] 1: written with AH:*; empty: no ALT contigs
  std::vector<std::string> contig_lines = {};  // [contigs] the whole @SQ line instead, if not empty; or none
  bool adds_program = true;                    // false: program_lines are all
};

/// What is wrong with the fields of a line, of any kind but @CO: each is KEY:VALUE without control characters, each key
/// occurs once. Empty: nothing.
std::string field_problem(std::string_view line);

/// Takes "@RG\tID:x\tSM:y", with real tabs or the two characters \t as bwa does, checks it and returns it with tabs.
/// Throws InputError if it does not begin with @RG or has no ID.
std::string parse_read_group(std::string_view text);

/// The two characters \t of a text become a tab, \\ one backslash.
std::string unescape_header(std::string_view text);

/// A text as the value of a header's field: without tabs and line ends, which become two characters.
std::string escape_header(std::string_view text);

/// The value of a field of a header line, such as "SN"; empty if there is none.
std::string_view header_field(std::string_view line, std::string_view key);

/// The ID of a line from parse_read_group(); empty for an empty line.
std::string read_group_id(const std::string& line);

/// One line each. This program follows (PP) each of program_lines that no other follows. Throws InputError for a contig
/// name that SAM does not allow.
std::string header_text(const SamHeader& header, bool sorted);

}  // namespace warpseed::records
