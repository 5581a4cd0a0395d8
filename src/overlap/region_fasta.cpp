#include "overlap/region_fasta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "text/alphabet.hpp"

namespace warpseed {

RegionFasta::RegionFasta(const GenomeView& text, const SequenceList& targets, const SequenceList& queries)
    : text_(text), targets_(targets), queries_(queries) {
  if (text.contig_count() < targets.sequences.size()) {
    throw std::invalid_argument("RegionFasta: every target must be a contig of the text");
  }
}

void RegionFasta::append(std::span<const CommonRegion> regions, std::string& out) const {
  for (const CommonRegion& region : regions) {
    fmt::format_to(std::back_inserter(out), ">{}:{}-{}(+) {}:{}-{}({})\n", targets_.sequences[region.target].name,
                   region.target_begin, region.target_begin + region.length, queries_.sequences[region.query].name,
                   region.query_begin, region.query_begin + region.length, region.reverse ? '-' : '+');
    append_bases(region, out);
  }
}

void RegionFasta::append_bases(const CommonRegion& region, std::string& out) const {
  constexpr std::uint64_t line_letters = 60;
  std::array<std::uint8_t, line_letters * 64> codes;  // whole lines
  GenomePos at = text_.contig_begins[region.target] + region.target_begin;
  const GenomePos end = at + region.length;
  while (at < end) {
    const std::uint64_t portion = std::min<std::uint64_t>(codes.size(), end - at);
    fetch_codes(text_, at, at + portion, codes.data());
    for (std::uint64_t i = 0; i < portion; i += line_letters) {
      const std::uint64_t line_end = std::min(i + line_letters, portion);
      for (std::uint64_t letter = i; letter < line_end; ++letter) out += letter_of_code(codes[letter]);
      out += '\n';
    }
    at += portion;
  }
}

}  // namespace warpseed
