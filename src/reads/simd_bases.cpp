#include "reads/simd_bases.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "text/alphabet.hpp"

// Compiled for what the vectors need: on arm64 Highway asks for more than the compiler's own target.
HWY_BEFORE_NAMESPACE();
namespace warpseed::reads {

namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::FixedTag<std::uint8_t, 16>;
using Vector = hn::Vec<Bytes>;
constexpr std::size_t lanes = 16;

Vector load(const char* text) {
  return hn::LoadU(Bytes(), reinterpret_cast<const std::uint8_t*>(text));
}

/// Whether bad(vector) has no bit set for any character. The last vector overlaps the previous one; a text shorter than
/// a vector is copied and padded with `harmless`.
template <class Bad>
bool none_bad(std::string_view text, char harmless, const Bad& bad) {
  char copy[lanes];
  if (text.size() < lanes) {
    std::fill(std::copy(text.begin(), text.end(), copy), copy + lanes, harmless);
    text = {copy, lanes};
  }
  Vector all = bad(load(text.data() + text.size() - lanes));
  for (std::size_t i = 0; i + lanes < text.size(); i += lanes) all = hn::Or(all, bad(load(text.data() + i)));
  return hn::AllTrue(Bytes(), hn::Eq(all, hn::Zero(Bytes())));
}

/// The low four bits of A, C, G, T and N are distinct; any other character with the same bits differs from the table's.
struct CharacterTable {
  alignas(lanes) std::uint8_t of[lanes];
};

constexpr CharacterTable bases_by_low_bits(std::uint8_t fifth) {
  CharacterTable table{};
  for (auto& base : table.of) base = 0xFF;  // not upper case: differs from every character
  for (const char base : {'A', 'C', 'G', 'T'}) table.of[base & 0x0F] = static_cast<std::uint8_t>(base);
  table.of['N' & 0x0F] = fifth;
  return table;
}

/// Whether all characters are in the table, in either case.
bool only_of(const CharacterTable& sequence, std::string_view text) {
  const Vector table = hn::Load(Bytes(), sequence.of), low = hn::Set(Bytes(), 0x0F), upper = hn::Set(Bytes(), 0xDF);
  return none_bad(text, 'A', [&](Vector some) {
    return hn::Xor(hn::And(some, upper), hn::TableLookupBytes(table, hn::And(some, low)));
  });
}

/// BAM's four bits of a base by the character's low five bits, its position in the alphabet.
struct NibbleTable {
  alignas(lanes) std::uint8_t of[2 * lanes];
};

/// The complement swaps A with T and C with G: the four bits in reverse order.
constexpr NibbleTable make_nibble_table(bool complement) {
  NibbleTable table{};
  for (auto& nibble : table.of) nibble = 15;
  constexpr char sequence[] = "=ACMGRSVTWYHKDBN";
  for (std::uint8_t i = 1; i < 16; ++i) table.of[sequence[i] & 0x1F] = i;
  table.of['U' & 0x1F] = 8;
  for (auto& nibble : table.of) {
    const int reverse = (nibble & 1) << 3 | (nibble & 2) << 1 | (nibble & 4) >> 1 | nibble >> 3;
    if (complement) nibble = static_cast<std::uint8_t>(reverse);
  }
  return table;
}

constexpr NibbleTable nibble_of = make_nibble_table(false), complement_of = make_nibble_table(true);

/// The bases and their codes by the character's low four bits, which are distinct.
struct CodeTable {
  alignas(lanes) std::uint8_t base[lanes];
  alignas(lanes) std::uint8_t code[lanes];
};

constexpr CodeTable make_code_table(bool complemented) {
  CodeTable table{};
  for (auto& base : table.base) base = 0xFF;  // not upper case: differs from every character
  for (const char base : {'A', 'C', 'G', 'T', 'U'}) {
    const std::uint8_t code = text::code_of_base(base);
    table.base[base & 0x0F] = static_cast<std::uint8_t>(base);
    table.code[base & 0x0F] = complemented ? text::complement(code) : code;
  }
  return table;
}

constexpr CodeTable codes = make_code_table(false), complement_codes = make_code_table(true);

/// Makes codes of characters.
class Coder {
 public:
  explicit Coder(const CodeTable& table)
      : bases_(hn::Load(Bytes(), table.base)), codes_(hn::Load(Bytes(), table.code)) {}

  hn::Mask<Bytes> known(Vector some) const {
    return hn::Eq(hn::TableLookupBytes(bases_, low(some)), hn::And(some, hn::Set(Bytes(), 0xDF)));
  }

  /// Of characters that are known; others get any code.
  Vector codes(Vector some) const { return hn::TableLookupBytes(codes_, low(some)); }

 private:
  static Vector low(Vector some) { return hn::And(some, hn::Set(Bytes(), 0x0F)); }

  const Vector bases_, codes_;
};

/// The low two bits of all bytes, the first one's in the highest bits. The other bits must be 0.
std::uint32_t low_pairs(Vector bytes) {
  alignas(lanes) static constexpr std::uint8_t low_bytes_reversed[lanes] = {12, 8, 4, 0};
  const hn::Repartition<std::uint16_t, Bytes> of_two;
  const hn::Repartition<std::uint32_t, Bytes> of_four;
  const auto two = hn::BitCast(of_two, bytes);
  const auto pairs = hn::And(hn::Or(hn::ShiftLeft<2>(two), hn::ShiftRight<8>(two)), hn::Set(of_two, 0x0F));
  const auto four = hn::BitCast(of_four, pairs);
  const auto fours = hn::Or(hn::ShiftLeft<4>(four), hn::ShiftRight<16>(four));  // in the low byte of each
  const Vector gathered = hn::TableLookupBytes(hn::BitCast(Bytes(), fours), hn::Load(Bytes(), low_bytes_reversed));
  return hn::GetLane(hn::BitCast(of_four, gathered));
}

/// Calls work(vector, i) for the vectors of a text, or of its reverse; i is the first character's position. The last
/// vector may be padded with anything.
template <class Work>
void for_vectors(std::string_view text, bool reverse, const Work& work) {
  alignas(lanes) static constexpr std::uint8_t last_to_first[lanes] = {15, 14, 13, 12, 11, 10, 9, 8,
                                                                       7,  6,  5,  4,  3,  2,  1, 0};
  const Vector order = hn::Load(Bytes(), last_to_first);
  const std::size_t size = text.size(), whole = size / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    if (reverse) {
      work(hn::TableLookupBytes(load(text.data() + size - i - lanes), order), i);
    } else {
      work(load(text.data() + i), i);
    }
  }
  if (whole == size) return;
  char copy[lanes] = {};
  if (reverse) {
    std::reverse_copy(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size - whole), copy);
  } else {
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(whole), text.end(), copy);
  }
  work(load(copy), whole);
}

/// Stores the first bytes of a vector, fewer than all.
void store_some(Vector vector, std::uint8_t* out, std::size_t bytes) {
  alignas(lanes) std::uint8_t copy[lanes];
  hn::Store(vector, Bytes(), copy);
  std::copy_n(copy, bytes, out);
}

}  // namespace

bool only_acgt(std::string_view sequence) {
  static constexpr CharacterTable acgt = bases_by_low_bits(0xFF);
  return only_of(acgt, sequence);
}

bool only_acgtn(std::string_view sequence) {
  static constexpr CharacterTable acgtn = bases_by_low_bits('N');
  return only_of(acgtn, sequence);
}

bool only_printable(std::string_view text) {
  const Vector first = hn::Set(Bytes(), '!'), last = hn::Set(Bytes(), '~');
  return none_bad(text, '!', [&](Vector some) { return hn::Xor(some, hn::Min(hn::Max(some, first), last)); });
}

void codes_of(std::string_view sequence, bool reverse, std::uint8_t* out) {
  const Coder coder(reverse ? complement_codes : codes);
  const Vector unknown = hn::Set(Bytes(), text::code_n);
  for_vectors(sequence, reverse, [&](Vector some, std::size_t at) {
    const Vector found = hn::IfThenElse(coder.known(some), coder.codes(some), unknown);
    if (at + lanes <= sequence.size()) {
      hn::StoreU(found, Bytes(), out + at);
    } else {
      store_some(found, out + at, sequence.size() - at);
    }
  });
}

bool code_words_of(std::string_view sequence, std::uint64_t* words, std::uint64_t* unknown) {
  constexpr std::size_t bases_a_word = 2 * lanes;
  const Coder coder(codes);
  std::uint64_t all_unknown = 0;
  const auto add = [&](const char* bases, std::size_t word) {
    const Vector first = load(bases), second = load(bases + lanes);
    const hn::Mask<Bytes> known1 = coder.known(first), known2 = coder.known(second);
    words[word] = std::uint64_t{low_pairs(hn::IfThenElseZero(known1, coder.codes(first)))} << 32 |
                  low_pairs(hn::IfThenElseZero(known2, coder.codes(second)));
    unknown[word] = 0;
    if (hn::AllTrue(Bytes(), hn::And(known1, known2))) return;
    const Vector one = hn::Set(Bytes(), 1);
    unknown[word] =
        std::uint64_t{low_pairs(hn::IfThenZeroElse(known1, one))} << 32 | low_pairs(hn::IfThenZeroElse(known2, one));
    all_unknown |= unknown[word];
  };
  const std::size_t whole = sequence.size() / bases_a_word;
  for (std::size_t word = 0; word < whole; ++word) add(sequence.data() + word * bases_a_word, word);
  if (whole * bases_a_word == sequence.size()) return all_unknown != 0;
  char copy[bases_a_word];
  const std::string_view rest = sequence.substr(whole * bases_a_word);
  std::fill(std::copy(rest.begin(), rest.end(), copy), std::end(copy), 'A');  // whose code is 0
  add(copy, whole);
  return all_unknown != 0;
}

void pack_bases(std::string_view sequence, bool reverse, std::uint8_t* out) {
  const Bytes d;
  const NibbleTable& nibbles = reverse ? complement_of : nibble_of;
  const Vector table1 = hn::Load(d, nibbles.of), table2 = hn::Load(d, nibbles.of + lanes), none = hn::Set(d, 15);
  const hn::Repartition<std::uint16_t, Bytes> pairs;
  for_vectors(sequence, reverse, [&](Vector some, std::size_t at) {
    const Vector low = hn::And(some, hn::Set(d, 15));
    const auto in_second = hn::Ne(hn::And(some, hn::Set(d, 16)), hn::Zero(d));
    const Vector found =
        hn::IfThenElse(in_second, hn::TableLookupBytes(table2, low), hn::TableLookupBytes(table1, low));
    const auto is_letter = hn::Eq(hn::And(some, hn::Set(d, 0xC0)), hn::Set(d, 0x40));
    const auto two = hn::BitCast(pairs, hn::IfThenElse(is_letter, found, none));
    // In the low byte of each pair: the first base in the high bits, the second one in the low bits.
    const auto packed = hn::BitCast(d, hn::Or(hn::ShiftLeft<4>(two), hn::ShiftRight<8>(two)));
    const Vector bytes = hn::ConcatEven(d, packed, packed);
    if (at + lanes <= sequence.size()) {
      const hn::Half<Bytes> half;
      hn::StoreU(hn::LowerHalf(half, bytes), half, out + at / 2);
    } else {
      store_some(bytes, out + at / 2, (sequence.size() - at + 1) / 2);
    }
  });
  if (sequence.size() % 2 == 1) out[sequence.size() / 2] &= 0xF0;
}

void pack_qualities(std::string_view qualities, bool reverse, std::uint8_t* out) {
  const Vector zero = hn::Set(Bytes(), '!');
  for_vectors(qualities, reverse, [&](Vector some, std::size_t at) {
    const Vector numbers = hn::Sub(some, zero);
    if (at + lanes <= qualities.size()) {
      hn::StoreU(numbers, Bytes(), out + at);
    } else {
      store_some(numbers, out + at, qualities.size() - at);
    }
  });
}

}  // namespace warpseed::reads
HWY_AFTER_NAMESPACE();
