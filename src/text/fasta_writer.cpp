#include <algorithm>
#include <stdexcept>
#include <vector>

#include "text/fasta.hpp"

namespace warpseed::text {

void write_fasta(const GenomeView& genome, std::span<const std::string_view> names,
                 const std::function<void(std::string_view)>& write) {
  constexpr std::uint64_t line_bases = 60;
  constexpr std::uint64_t portion = line_bases << 14;  // whole lines, about a megabyte
  if (names.size() != genome.contig_count()) throw std::invalid_argument("write_fasta: one name a contig");
  std::vector<std::uint8_t> codes;
  std::string text;
  for (std::uint64_t contig = 0; contig < names.size(); ++contig) {
    text.assign(1, '>').append(names[contig]).append(1, '\n');
    const std::uint64_t end = genome.contig_begins[contig + 1];
    for (std::uint64_t at = genome.contig_begins[contig]; at < end; at += portion) {
      codes.resize(std::min(portion, end - at));
      fetch_codes(genome, at, at + codes.size(), codes.data());
      for (std::size_t i = 0; i < codes.size(); ++i) {
        text += base_of_code(codes[i]);
        if ((i + 1) % line_bases == 0 || i + 1 == codes.size()) text += '\n';
      }
      write(text);
      text.clear();
    }
  }
}

}  // namespace warpseed::text
