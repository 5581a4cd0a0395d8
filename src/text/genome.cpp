#include "text/genome.hpp"

#include <cassert>
#include <utility>

#include "text/base_bytes.hpp"

namespace warpseed::text {

void GenomeBuilder::reserve(std::uint64_t symbols) {
  genome_.words.reserve(symbols / 32 + 3);
}

void GenomeBuilder::begin_contig(std::string_view name) {
  if (text_.size == 0 && genome_.names.empty()) {
    genome_.words.clear();
    genome_.segments.clear();
    genome_.contig_begins.clear();
  }
  end_segment();
  genome_.names.emplace_back(name);
  genome_.contig_begins.push_back(genome_size_);
}

inline void GenomeBuilder::TextEnd::push(std::uint64_t codes, unsigned count, std::vector<std::uint64_t>& words) {
  const unsigned filled = static_cast<unsigned>(size % 32) + count;
  size += count;
  if (filled < 32) {
    word = word << 2 * count | codes;
    return;
  }
  const unsigned left_over = filled - 32;  // symbols for the next word; filling it shifts out those above
  words.push_back(word << 2 * (count - left_over) | codes >> 2 * left_over);
  word = codes;
}

void GenomeBuilder::begin_segment() {
  genome_.segments.push_back({text_.size, genome_size_});
  in_segment_ = true;
}

void GenomeBuilder::end_segment() {
  if (!in_segment_) return;
  text_.push(0, 1, genome_.words);  // the separator
  in_segment_ = false;
}

std::uint64_t GenomeBuilder::add(std::string_view bases) {
  assert(!genome_.names.empty());
  const char* const begin = bases.data();
  const char* const end = begin + bases.size();
  const char* at = begin;
  while (at != end) {
    at = add_bases(at, end);
    at = add_unknown(at, end);
    if (at == end) break;
    const std::uint8_t code = code_of_base(*at);
    if (code == code_invalid) break;
    add_codes({&code, 1});  // U, or the first character of a segment or of a run of N
    ++at;
  }
  return static_cast<std::uint64_t>(at - begin);
}

/// Adds A, C, G and T while a segment is open; returns the position of the first other character.
const char* GenomeBuilder::add_bases(const char* at, const char* end) {
  if (!in_segment_) return at;
  const char* const begin = at;
  TextEnd text = text_;  // in registers during the loop
  while (end - at >= 8) {
    const EightCodes eight = encode_eight(load_eight(at));
    if (eight.count != 8) break;  // a predictable branch, so that the next eight do not wait for the count
    text.push(eight.codes, 8, genome_.words);
    at += 8;
  }
  const EightCodes rest = encode_eight(load_some(at, end));
  text.push(rest.codes >> 2 * (8 - rest.count), rest.count, genome_.words);
  at += rest.count;
  text_ = text;
  genome_size_ += static_cast<std::uint64_t>(at - begin);
  return at;
}

/// Counts N while no segment is open; returns the position of the first other character.
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
      text_.push(code, 1, genome_.words);
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
  genome_.segments.push_back({text_.size, genome_size_});
  const unsigned filled = static_cast<unsigned>(text_.size % 32);
  if (filled != 0) genome_.words.push_back(text_.word << 2 * (32 - filled));
  genome_.words.resize(text_.size / 32 + 2);
  Genome done = std::move(genome_);
  *this = GenomeBuilder();
  return done;
}

}  // namespace warpseed::text
