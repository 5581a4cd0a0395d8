#include "align/pipeline/read_alignments.hpp"

#include <algorithm>
#include <iterator>

#include "reads/simd_bases.hpp"

namespace warpseed::align {

namespace {

/// Reverses the order of a word's 32 pairs of bits.
std::uint64_t reversed_pairs(std::uint64_t word) {
  word = (word >> 2 & 0x3333333333333333ULL) | (word & 0x3333333333333333ULL) << 2;
  word = (word >> 4 & 0x0F0F0F0F0F0F0F0FULL) | (word & 0x0F0F0F0F0F0F0F0FULL) << 4;
  return __builtin_bswap64(word);
}

/// Reverses the order of the pairs in words [count]; the last word has `spare` unused bits. word(i): the i-th with the
/// spare bits 0.
template <class Word>
void reverse_pairs(std::size_t count, unsigned spare, Word word, std::uint64_t* reversed) {
  std::uint64_t next = count > 0 ? reversed_pairs(word(count - 1)) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t here = next;
    next = i + 1 < count ? reversed_pairs(word(count - 2 - i)) : 0;
    reversed[i] = spare == 0 ? here : here << spare | next >> (64 - spare);
  }
}

/// Builds the four parts of a read, see packed_strand(), `part` words each.
void pack_bases(std::string_view sequence, std::size_t part, std::uint64_t* words) {
  std::uint64_t *const unknown = words + part, *const reverse = unknown + part, *const reverse_unknown = reverse + part;
  const std::size_t count = (sequence.size() + 31) / 32;
  const bool any_unknown = reads::code_words_of(sequence, words, unknown);
  const auto spare = static_cast<unsigned>(2 * (32 * count - sequence.size()));
  const auto complement_of = [&](std::size_t i) {
    const std::uint64_t bases = ~words[i] & ~(unknown[i] | unknown[i] << 1);
    return i + 1 < count ? bases : bases >> spare << spare;
  };
  reverse_pairs(count, spare, complement_of, reverse);
  if (any_unknown) {
    reverse_pairs(
        count, spare, [&](std::size_t i) { return unknown[i]; }, reverse_unknown);
  } else {
    std::fill_n(reverse_unknown, count, 0);
  }
  for (std::uint64_t* one : {words, unknown, reverse, reverse_unknown}) std::fill(one + count, one + part, 0);
}

}  // namespace

PackedRead& PackedRead::operator=(const PackedRead& other) {
  if (this == &other) return *this;
  if (other.own_) {
    assign(other.bases_);
  } else {
    assign(other.bases_, other.words_, other.codes_);
    has_words_ = other.has_words_, has_codes_ = other.has_codes_;
  }
  return *this;
}

void PackedRead::assign(std::string_view bases) {
  if (!own_) own_ = std::make_unique<Memory>();
  own_->bases = bases;
  own_->words.resize(words_of(bases.size()));
  own_->codes.resize(code_bytes(bases.size()));
  assign(own_->bases, own_->words.data(), own_->codes.data());
}

void PackedRead::assign(std::string_view bases, std::uint64_t* words, std::uint8_t* codes) {
  bases_ = bases, words_ = words, codes_ = codes;
  has_words_ = has_codes_ = false;
}

void PackedRead::make_words() const {
  pack_bases(bases_, packed_words(length()), words_);
  has_words_ = true;
}

void PackedRead::make_codes() const {
  reads::codes_of(bases_, false, codes_);
  reads::codes_of(bases_, true, codes_ + length());
  has_codes_ = true;
}

}  // namespace warpseed::align
