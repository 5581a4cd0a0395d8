#include "text/genome.hpp"

#include <cassert>
#include <utility>

namespace warpseed {

void GenomeBuilder::reserve(std::uint64_t symbols) {
  genome_.words.reserve(symbols / 32 + 3);
}

void GenomeBuilder::begin_contig(std::string_view name) {
  if (size_ == 0 && genome_.names.empty()) {
    genome_.words.clear();
    genome_.segments.clear();
    genome_.contig_begins.clear();
  }
  end_segment();
  genome_.names.emplace_back(name);
  genome_.contig_begins.push_back(genome_size_);
}

void GenomeBuilder::push(std::uint8_t code) {
  word_ = word_ << 2 | code;
  if (++size_ % 32 == 0) genome_.words.push_back(std::exchange(word_, 0));
}

void GenomeBuilder::begin_segment() {
  genome_.segments.push_back({size_, genome_size_});
  in_segment_ = true;
}

void GenomeBuilder::end_segment() {
  if (!in_segment_) return;
  push(0);  // the separator's place
  in_segment_ = false;
}

namespace {

/// Eight letters at once: their 16 bits of code in the low bits of `codes`, or false if one is not ACGT/acgt.
/// Bits 1 and 2 of the letters tell A, C, T, G apart; whether a letter is one of them is checked by making it
/// again.
bool encode_eight(const char* letters, std::uint64_t& codes) {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  std::uint64_t bytes;
  __builtin_memcpy(&bytes, letters, 8);
  bytes &= ones * 0xDF;  // upper case
  const std::uint64_t low_gray = bytes >> 1 & ones, high = bytes >> 2 & ones;
  const std::uint64_t low = low_gray ^ high;  // A=00 C=01 G=10 T=11
  if (bytes != ones * 'A' + low * 2 + high * 6 + (low & high) * 11) return false;
  std::uint64_t pairs = __builtin_bswap64(high << 1 | low);  // two bits a byte, the first letter highest
  pairs = (pairs | pairs >> 6) & 0x000F000F000F000FULL;
  pairs = (pairs | pairs >> 12) & 0x000000FF000000FFULL;
  codes = (pairs | pairs >> 24) & 0xFFFF;
  return true;
}

}  // namespace

std::uint64_t GenomeBuilder::add(std::string_view letters) {
  assert(!genome_.names.empty());
  std::uint64_t i = 0;
  while (i < letters.size()) {
    std::uint64_t codes = 0;
    if (in_segment_ && size_ % 8 == 0 && i + 8 <= letters.size() && encode_eight(letters.data() + i, codes)) {
      word_ = word_ << 16 | codes;
      i += 8, size_ += 8, genome_size_ += 8;
      if (size_ % 32 == 0) genome_.words.push_back(std::exchange(word_, 0));
      continue;
    }
    const std::uint8_t code = code_of_letter(letters[i]);
    if (code == code_invalid) break;
    add_codes({&code, 1});
    ++i;
  }
  return i;
}

void GenomeBuilder::add_codes(std::span<const std::uint8_t> codes) {
  for (const std::uint8_t code : codes) {
    if (code > 3) {
      end_segment();
    } else {
      if (!in_segment_) begin_segment();
      push(code);
    }
    ++genome_size_;
  }
}

std::uint64_t GenomeBuilder::contig_length() const {
  return genome_size_ - genome_.contig_begins.back();
}

Genome GenomeBuilder::finish() {
  if (genome_.names.empty()) return {};
  end_segment();
  genome_.contig_begins.push_back(genome_size_);
  genome_.segments.push_back({size_, genome_size_});
  if (size_ % 32 != 0) genome_.words.push_back(word_ << 2 * (32 - size_ % 32));
  genome_.words.resize(size_ / 32 + 2);
  genome_.words.shrink_to_fit();
  Genome done = std::move(genome_);
  *this = GenomeBuilder();
  return done;
}

}  // namespace warpseed
