#include "overlap/region_fasta.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "overlap/line_text.hpp"
#include "text/alphabet.hpp"

namespace warpseed::overlap {

namespace {

constexpr std::uint64_t line_bases = 60;

}  // namespace

RegionFasta::RegionFasta(const text::GenomeView& text, const text::SequenceList& targets,
                         const text::SequenceList& queries)
    : text_(text), targets_(targets), queries_(queries) {
  if (text.contig_count() < targets.sequences.size()) {
    throw std::invalid_argument("RegionFasta: every target must be a contig of the text");
  }
}

void RegionFasta::append(std::span<const CommonRegion> regions, std::string& out) const {
  constexpr std::uint64_t header_bytes = 4 * number_bytes + 16;
  for (const CommonRegion& region : regions) {
    const std::string &target = targets_.sequences[region.target].name, &query = queries_.sequences[region.query].name;
    const std::uint64_t bound =
        header_bytes + target.size() + query.size() + region.length + region.length / line_bases + 1;
    append_lines(out, 1, bound, [&](std::uint64_t, char* at) {
      at = put_all(at, '>', target, ':', region.target_begin, '-', region.target_begin + region.length,
                   std::string_view("(+) "), query, ':', region.query_begin, '-', region.query_begin + region.length,
                   '(', "+-"[region.reverse], std::string_view(")\n"));
      return put_bases(region, at);
    });
  }
}

char* RegionFasta::put_bases(const CommonRegion& region, char* out) const {
  std::array<std::uint8_t, line_bases * 64> codes;  // whole lines
  GenomePos at = text_.contig_begins[region.target] + region.target_begin;
  const GenomePos end = at + region.length;
  while (at < end) {
    const std::uint64_t portion = std::min<std::uint64_t>(codes.size(), end - at);
    text::fetch_codes(text_, at, at + portion, codes.data());
    for (std::uint64_t i = 0; i < portion; i += line_bases) {
      const std::uint64_t line_end = std::min(i + line_bases, portion);
      for (std::uint64_t letter = i; letter < line_end; ++letter) *out++ = text::base_of_code(codes[letter]);
      *out++ = '\n';
    }
    at += portion;
  }
  return out;
}

}  // namespace warpseed::overlap
