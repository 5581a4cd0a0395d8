#include "text/genome.hpp"

#include <cassert>
#include <utility>

#include "text/letters.hpp"

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

std::uint64_t GenomeBuilder::add(std::string_view letters) {
  assert(!genome_.names.empty());
  const char* const begin = letters.data();
  const char* const end = begin + letters.size();
  const char* at = begin;
  while (at != end) {
    at = add_bases(at, end);
    at = add_unknown(at, end);
    if (at == end) break;
    const std::uint8_t code = code_of_letter(*at);
    if (code == code_invalid) break;
    add_codes({&code, 1});  // U, or the first letter of a segment or of a run of N
    ++at;
  }
  return static_cast<std::uint64_t>(at - begin);
}

/// Takes A, C, G and T while a segment is open; returns where another letter stands.
const char* GenomeBuilder::add_bases(const char* at, const char* end) {
  if (!in_segment_) return at;
  const char* const begin = at;
  std::uint64_t word = word_;
  unsigned used = 2 * static_cast<unsigned>(size_ % 32);
  unsigned count = 8;
  while (count == 8 && at != end) {
    const EightCodes eight = encode_eight(load_some(at, end));
    count = eight.count;
    at += count;
    const unsigned bits = 2 * count;
    const std::uint64_t codes = eight.codes >> (16 - bits);
    if (used + bits < 64) {
      word = word << bits | codes;
      used += bits;
    } else {
      used = used + bits - 64;  // these bits are left over for the next word
      genome_.words.push_back(word << (bits - used) | codes >> used);
      word = codes;  // the bits above `used` leave at the top as the word fills
    }
  }
  word_ = word;
  size_ += static_cast<std::uint64_t>(at - begin);
  genome_size_ += static_cast<std::uint64_t>(at - begin);
  return at;
}

/// Takes N while no segment is open; returns where another letter stands.
const char* GenomeBuilder::add_unknown(const char* at, const char* end) {
  if (in_segment_) return at;
  const char* const begin = at;
  unsigned count = 8;
  while (count == 8 && at != end) at += count = count_n(load_some(at, end));
  genome_size_ += static_cast<std::uint64_t>(at - begin);
  return at;
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
  Genome done = std::move(genome_);
  *this = GenomeBuilder();
  return done;
}

}  // namespace warpseed
