// Header lines of -H and read groups of -R: what is accepted gives a header that htslib parses.
// Covers: src/records/header_lines.cpp src/records/sam_header.cpp
#include <htslib/sam.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "fuzz.hpp"
#include "records/header_lines.hpp"
#include "records/sam_header.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpseed;
  std::string_view input = fuzz::text_of(data, size);
  records::SamHeader header;
  header.contigs = {{"chr1", 1000}, {"HLA-A*01:01:01:01", 50}};
  header.command_line = "warpseed align\t-H";
  while (!input.empty()) {  // as the program does with a file of lines
    const std::size_t end = std::min(input.find('\n'), input.size());
    std::string line(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
    if (line.ends_with('\r')) line.pop_back();
    if (!fuzz::accepts("", [&] { records::add_header_line(records::unescape_header(line), header); })) return 0;
  }
  const std::string text = records::header_text(header, false);
  sam_hdr_t* parsed = sam_hdr_parse(text.size(), text.data());
  fuzz::require(parsed != nullptr, "htslib does not parse the header", text);
  fuzz::require(sam_hdr_nref(parsed) == 2, "another number of contigs", text);
  sam_hdr_destroy(parsed);
  return 0;
}
