#include "records/few_bits.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

// Compiled for what the vectors need: on arm64 Highway asks for more than the compiler's own target.
HWY_BEFORE_NAMESPACE();
namespace warpseed::records {

namespace {

namespace hn = hwy::HWY_NAMESPACE;
constexpr std::size_t lanes = 16;
using Bytes = hn::FixedTag<std::uint8_t, lanes>;
using Vector = hn::Vec<Bytes>;

struct Table {
  alignas(lanes) std::uint8_t of[lanes];
};

Vector load(const Table& table) {
  return hn::Load(Bytes(), table.of);
}

/// The low half of each pair of lanes: f(low lane, high lane) as a number of 16 bits, whose low byte stays.
template <class Join>
Vector join_pairs(Vector codes, const Join& join) {
  const Bytes d;
  const auto joined = hn::BitCast(d, join(hn::BitCast(hn::Repartition<std::uint16_t, Bytes>(), codes)));
  return hn::ConcatEven(d, joined, joined);
}

/// An integer of so many bytes: it moves the low lanes of a vector at once.
template <std::size_t bytes>
using Integer =
    std::conditional_t<bytes == 8, std::uint64_t, std::conditional_t<bytes == 4, std::uint32_t, std::uint16_t>>;

/// Stores the low `whole` bytes of a vector; only `bytes` of them where it has fewer.
template <std::size_t whole>
void store_low(Vector vector, std::uint8_t* out, std::size_t bytes) {
  using Low = Integer<whole>;
  const Low low = hn::GetLane(hn::BitCast(hn::Repartition<Low, Bytes>(), vector));
  if (bytes == whole) {
    std::memcpy(out, &low, whole);
  } else {
    std::memcpy(out, &low, bytes);
  }
}

/// Calls work(vector, begin, count) for each 16 of `size` bytes; the last vector is padded with `padding`.
template <class Work>
void for_vectors(const std::uint8_t* from, std::size_t size, std::uint8_t padding, const Work& work) {
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) work(hn::LoadU(Bytes(), from + i), i, lanes);
  if (i == size) return;
  std::uint8_t copy[lanes];
  std::memset(copy, padding, lanes);
  std::memcpy(copy, from + i, size - i);
  work(hn::LoadU(Bytes(), copy), i, size - i);
}

/// Stores make(low lanes) for each 16 of `size` bytes; each byte of `from` makes `per_byte` of them.
template <std::size_t per_byte, class Make>
void make_vectors(const std::uint8_t* from, std::uint8_t* out, std::size_t size, const Make& make) {
  constexpr std::size_t bytes = lanes / per_byte;
  const auto made = [&](Integer<bytes> low) {
    return make(hn::BitCast(Bytes(), hn::Set(hn::Repartition<Integer<bytes>, Bytes>(), low)));
  };
  Integer<bytes> low = 0;
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes, from += bytes) {
    std::memcpy(&low, from, bytes);
    hn::StoreU(made(low), Bytes(), out + i);
  }
  if (i == size) return;
  std::memcpy(&low, from, (size - i + per_byte - 1) / per_byte);
  alignas(lanes) std::uint8_t copy[lanes];
  hn::Store(made(low), Bytes(), copy);
  std::memcpy(out + i, copy, size - i);
}

constexpr std::uint8_t unknown = 0x10;  // beyond all codes

/// Two bits of each base by BAM's four.
constexpr Table code_of_base = {{unknown, 0, 1, unknown, 2, unknown, unknown, unknown, 3, unknown, unknown, unknown,
                                 unknown, unknown, unknown, unknown}};

/// Two bases by their two bits each, the first one higher, as BAM has them.
constexpr Table make_pair_table() {
  Table table{};
  for (unsigned pair = 0; pair < lanes; ++pair)
    table.of[pair] = static_cast<std::uint8_t>(1U << (pair >> 2) << 4 | 1U << (pair & 3));
  return table;
}

/// Lanes of odd numbers have all bits set.
constexpr Table odd_lanes = {{0, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF}};

/// 16 codes of a width, a byte each, as the low bytes of the result.
template <unsigned width>
Vector packed_codes(Vector codes) {
  if constexpr (width == 1) codes = join_pairs(codes, [](auto two) { return hn::Or(two, hn::ShiftRight<7>(two)); });
  if constexpr (width <= 2) codes = join_pairs(codes, [](auto two) { return hn::Or(two, hn::ShiftRight<6>(two)); });
  return join_pairs(codes, [](auto two) { return hn::Or(two, hn::ShiftRight<4>(two)); });
}

/// In each pair of lanes a low lane and, in the other one, the same shifted.
template <int shift>
Vector twice(Vector lower) {
  const Vector both = hn::InterleaveLower(Bytes(), lower, lower);
  return hn::IfThenElse(hn::MaskFromVec(load(odd_lanes)), hn::ShiftRight<shift>(both), both);
}

/// The reverse of packed_codes().
template <unsigned width>
Vector unpacked_codes(Vector packed) {
  Vector codes = twice<4>(packed);
  if constexpr (width <= 2) codes = twice<2>(codes);
  if constexpr (width == 1) codes = twice<1>(codes);
  return hn::And(codes, hn::Set(Bytes(), (1U << width) - 1));
}

/// Of each of 8 bytes the four high bits, then the four low ones.
Vector high_then_low(Vector bytes) {
  const Bytes d;
  const Vector both = hn::InterleaveLower(d, bytes, bytes);
  return hn::IfThenElse(hn::MaskFromVec(load(odd_lanes)), hn::And(both, hn::Set(d, 0x0F)), hn::ShiftRight<4>(both));
}

/// All bits are set in lanes that have the value.
Vector where(Vector some, std::uint8_t value) {
  return hn::VecFromMask(Bytes(), hn::Eq(some, hn::Set(Bytes(), value)));
}

/// Calls use(constant of the width) for a width of 1, 2 or 4 bits.
template <class Use>
void with_width(unsigned bits, const Use& use) {
  if (bits == 1) return use(std::integral_constant<unsigned, 1>());
  if (bits == 2) return use(std::integral_constant<unsigned, 2>());
  use(std::integral_constant<unsigned, 4>());
}

}  // namespace

bool pack_two_bits(const std::uint8_t* from, std::size_t bases, std::uint8_t* out) {
  const Bytes d;
  const Vector codes = load(code_of_base);
  Vector seen = hn::Zero(d);
  constexpr std::uint8_t two_a = 0x11;
  const auto pack = [&](Vector pairs, std::size_t begin, std::size_t count) {
    const Vector first = hn::TableLookupBytes(codes, hn::ShiftRight<4>(pairs));
    const Vector second = hn::TableLookupBytes(codes, hn::And(pairs, hn::Set(d, 0x0F)));
    seen = hn::Or(seen, hn::Or(first, second));
    const Vector four_bits = hn::Or(hn::ShiftLeft<2>(first), second);
    const Vector quads =
        join_pairs(four_bits, [](auto two) { return hn::Or(hn::ShiftLeft<4>(two), hn::ShiftRight<8>(two)); });
    store_low<lanes / 2>(quads, out + begin / 2, (count + 1) / 2);
  };
  const std::size_t whole = bases / 2;
  for_vectors(from, whole / lanes * lanes, two_a, pack);
  std::uint8_t last[lanes];  // with the base without a neighbour
  const std::size_t begin = whole / lanes * lanes, left = (bases + 1) / 2 - begin;
  if (left > 0) {
    std::memcpy(last, from + begin, left);
    if (bases % 2 != 0) last[left - 1] = static_cast<std::uint8_t>((last[left - 1] & 0xF0) | 1);
    for_vectors(last, left, two_a, [&](Vector pairs, std::size_t, std::size_t count) { pack(pairs, begin, count); });
  }
  return hn::AllTrue(d, hn::Eq(hn::And(seen, hn::Set(d, unknown)), hn::Zero(d)));
}

void unpack_two_bits(const std::uint8_t* from, std::size_t bases, std::uint8_t* out) {
  static constexpr Table pairs = make_pair_table();
  const Vector table = load(pairs);
  make_vectors<2>(from, out, (bases + 1) / 2,
                  [&](Vector quads) { return hn::TableLookupBytes(table, high_then_low(quads)); });
  if (bases % 2 != 0) out[bases / 2] &= 0xF0;
}

bool QualitySet::has_all(std::span<const std::uint8_t> qualities) const {
  const Bytes d;
  Vector all_found = hn::Set(d, 0xFF);
  for_vectors(qualities.data(), qualities.size(), qualities_[0], [&](Vector some, std::size_t, std::size_t) {
    Vector found = hn::Zero(d);
    for (std::size_t code = 0; code < count_; ++code) found = hn::Or(found, where(some, qualities_[code]));
    all_found = hn::And(all_found, found);
  });
  return hn::AllTrue(d, hn::Eq(all_found, hn::Set(d, 0xFF)));
}

void QualitySet::add(std::span<const std::uint8_t> qualities) {
  if (qualities.empty() || count_ > most) return;
  if (count_ > 0 && has_all(qualities)) return;
  for (const std::uint8_t quality : qualities) {
    const auto end = qualities_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (std::find(qualities_.begin(), end, quality) != end) continue;
    if (count_ < most) qualities_[count_] = quality;
    if (++count_ > most) return;
  }
}

std::uint8_t* QualitySet::pack(std::span<const std::uint8_t> qualities, std::uint8_t* out) const {
  if (bits() == 0) return out;
  const auto codes_of = [&](Vector some) {
    Vector codes = hn::Zero(Bytes());
    for (std::size_t code = 1; code < count_; ++code) {
      const Vector number = hn::Set(Bytes(), static_cast<std::uint8_t>(code));
      codes = hn::Or(codes, hn::And(where(some, qualities_[code]), number));
    }
    return codes;
  };
  with_width(bits(), [&](auto width) {
    for_vectors(qualities.data(), qualities.size(), qualities_[0],
                [&](Vector some, std::size_t begin, std::size_t count) {
                  store_low<lanes * width / 8>(packed_codes<width>(codes_of(some)), out + begin * width / 8,
                                               packed_bytes(count, width));
                });
  });
  return out + packed_bytes(qualities.size(), bits());
}

void unpack_qualities(const std::uint8_t* from, unsigned bits,
                      const std::array<std::uint8_t, QualitySet::most>& qualities, std::span<std::uint8_t> out) {
  if (bits == 0) {
    std::fill(out.begin(), out.end(), qualities[0]);
    return;
  }
  const Vector table = hn::LoadU(Bytes(), qualities.data());
  with_width(bits, [&](auto width) {
    make_vectors<8 / width>(from, out.data(), out.size(),
                            [&](Vector packed) { return hn::TableLookupBytes(table, unpacked_codes<width>(packed)); });
  });
}

}  // namespace warpseed::records
HWY_AFTER_NAMESPACE();
