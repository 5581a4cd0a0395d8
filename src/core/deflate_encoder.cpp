#include "core/deflate_encoder.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/deflate_header_core.hpp"
#include "core/huffman_code.hpp"

namespace warpseed {

using namespace deflate;

namespace {

constexpr std::size_t slack = 4096;  // the bit writer writes 8 bytes at once; headers of codes have 400 at most

/// Fills bytes from their lowest bit on.
class BitWriter {
 public:
  explicit BitWriter(std::byte* out) : begin_(out), out_(out) {}

  /// Up to 56 bits between two calls of flush().
  void put(std::uint64_t bits, std::uint32_t count) {
    pending_ |= bits << count_;
    count_ += count;
  }

  /// Leaves less than 8 bits.
  void flush() {
    std::memcpy(out_, &pending_, sizeof pending_);
    out_ += count_ >> 3;
    pending_ >>= count_ & ~7U;
    count_ &= 7;
  }

  /// Fills the last byte with zeros and returns how many there are.
  std::size_t finish() {
    flush();
    const auto bytes = static_cast<std::size_t>(out_ - begin_);
    return bytes + (count_ > 0 ? 1 : 0);
  }

 private:
  std::byte *const begin_, *out_;
  std::uint64_t pending_ = 0;
  std::uint32_t count_ = 0;
};

/// Some bits, in one word for tables of them.
struct Bits {
  std::uint32_t value = 0;  // the bits above their number, which takes 5 bits

  static Bits of(std::uint32_t bits, std::uint32_t count) { return {bits << 5 | count}; }
  std::uint64_t bits() const { return value >> 5; }
  std::uint32_t count() const { return value & 31; }
};

/// How often each symbol occurs, with the end of the block.
struct Counts {
  std::array<std::uint32_t, literal_symbols> literals = {};
  std::array<std::uint32_t, distance_symbols> distances = {};
  std::uint64_t extra_bits = 0;
};

/// Four tables, since one byte often follows itself, and an increment waits for the last one of the same number.
void count_bytes(const std::uint8_t* bytes, std::uint32_t count, std::uint32_t* counts) {
  std::array<std::array<std::uint32_t, 256>, 4> tables = {};
  std::uint32_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const std::uint64_t word = load_64(bytes + i);
    for (unsigned byte = 0; byte < 8; ++byte) ++tables[byte % 4][word >> (8 * byte) & 0xFF];
  }
  for (; i < count; ++i) ++tables[0][bytes[i]];
  for (std::size_t symbol = 0; symbol < 256; ++symbol) {
    counts[symbol] = tables[0][symbol] + tables[1][symbol] + tables[2][symbol] + tables[3][symbol];
  }
}

Counts count(const Tokens& tokens) {
  Counts counts;
  count_bytes(tokens.literals.data(), tokens.literal_count, counts.literals.data());
  counts.literals[end_of_block] = 1;
  for (std::uint32_t length = 3; length <= max_match; ++length) {
    const std::uint32_t matches = tokens.of_length[length];
    if (matches == 0) continue;
    const SymbolBits symbol = length_symbol(length);
    counts.literals[symbol.symbol] += matches;
    counts.extra_bits += std::uint64_t{matches} * symbol.extra_bits;
  }
  counts.distances = tokens.of_distance;
  for (std::uint32_t symbol = 0; symbol < distance_symbols; ++symbol) {
    counts.extra_bits += std::uint64_t{counts.distances[symbol]} * distance_extra_bits(symbol);
  }
  return counts;
}

/// The two codes of a block.
struct Codes {
  HuffmanCode literals, distances;

  std::uint64_t cost(const Counts& counts) const {
    return literals.cost(counts.literals) + distances.cost(counts.distances) + counts.extra_bits;
  }
};

Codes codes_of(const Counts& counts) {
  std::array<std::uint32_t, distance_symbols> distances = counts.distances;
  const bool no_match = std::ranges::all_of(distances, [](std::uint32_t matches) { return matches == 0; });
  if (no_match) distances[0] = 1;  // readers want one code at least
  return {HuffmanCode::of(counts.literals, max_literal_bits), HuffmanCode::of(distances, max_distance_bits)};
}

const Codes& fixed_codes() {
  static const Codes codes = {HuffmanCode::fixed_literals(), HuffmanCode::fixed_distances()};
  return codes;
}

CodeHeader header_of(const Codes& codes) {
  CodeHeader header;
  CodeScratch scratch;
  make_header(codes.literals.lengths(), codes.distances.lengths(), scratch, header);
  return header;
}

/// The codes of literals, of match lengths with their extra bits, and of distances.
struct CodeTables {
  std::array<Bits, 256> literal;
  std::array<Bits, max_match + 1> length;
  std::array<Bits, distance_symbols> distance;

  explicit CodeTables(const Codes& codes) {
    for (std::uint32_t i = 0; i < 256; ++i) literal[i] = Bits::of(codes.literals.code(i), codes.literals.bits(i));
    for (std::uint32_t i = 3; i <= max_match; ++i) {
      const SymbolBits symbol = length_symbol(i);
      const std::uint32_t bits = codes.literals.bits(symbol.symbol);
      length[i] = Bits::of(symbol.extra << bits | codes.literals.code(symbol.symbol), bits + symbol.extra_bits);
    }
    for (std::uint32_t i = 0; i < distance_symbols; ++i) {
      distance[i] = Bits::of(codes.distances.code(i), codes.distances.bits(i));
    }
  }
};

/// Up to four literals, 56 bits. The bits of two pairs are joined independently of each other.
inline void write_four(const CodeTables& codes, const std::uint8_t* literals, std::uint32_t count, BitWriter& out) {
  static constexpr std::array<std::uint32_t, 8> keep = {~0U, ~0U, ~0U, ~0U, 0, 0, 0, 0};  // the first `count`
  const std::uint32_t* const kept = keep.data() + 4 - count;
  const auto bits = [&](std::uint32_t i) { return Bits{codes.literal[literals[i]].value & kept[i]}; };
  const Bits a = bits(0), b = bits(1), c = bits(2), d = bits(3);
  const std::uint64_t first = a.bits() | b.bits() << a.count(), second = c.bits() | d.bits() << c.count();
  const std::uint32_t first_count = a.count() + b.count();
  out.put(first | second << first_count, first_count + c.count() + d.count());
  out.flush();
}

inline void write_match(const CodeTables& codes, const Sequence& match, BitWriter& out) {
  const Bits length = codes.length[match.length], distance = codes.distance[match.distance_symbol];
  const std::uint32_t symbol = match.distance_symbol, extra_bits = distance_extra_bits(symbol);
  const std::uint64_t extra = match.distance_less_one & ((1U << extra_bits) - 1);
  const std::uint32_t count = length.count() + distance.count();
  out.put(length.bits() | distance.bits() << length.count() | extra << count, count + extra_bits);
  out.flush();
}

void write_tokens(const Codes& codes, const Tokens& tokens, BitWriter& out) {
  const CodeTables tables(codes);
  const std::uint8_t* literals = tokens.literals.data();
  const std::uint8_t* const end = literals + tokens.literal_count;
  for (const Sequence& sequence : tokens.sequences) {
    std::uint32_t count = sequence.literals;
    for (; count >= 4; count -= 4, literals += 4) write_four(tables, literals, 4, out);
    write_four(tables, literals, count, out);
    literals += count;
    write_match(tables, sequence, out);
  }
  for (; end - literals >= 4; literals += 4) write_four(tables, literals, 4, out);
  write_four(tables, literals, static_cast<std::uint32_t>(end - literals), out);
  out.put(codes.literals.code(end_of_block), codes.literals.bits(end_of_block));
}

}  // namespace

namespace deflate {

void put_stored_header(std::size_t size, bool last, std::byte* out) {
  const auto length = static_cast<std::uint16_t>(size), inverse = static_cast<std::uint16_t>(~length);
  *out = std::byte(last ? 1 : 0);
  std::memcpy(out + 1, &length, sizeof length);
  std::memcpy(out + 3, &inverse, sizeof inverse);
}

std::size_t write_stored(std::span<const std::byte> block, std::byte* out) {
  std::byte* const begin = out;
  do {
    const std::size_t size = std::min<std::size_t>(block.size(), most_stored);
    put_stored_header(size, size == block.size(), out);
    if (size > 0) std::memcpy(out + stored_header_bytes, block.data(), size);
    out += stored_header_bytes + size;
    block = block.subspan(size);
  } while (!block.empty());
  return static_cast<std::size_t>(out - begin);
}

}  // namespace deflate

DeflateEncoder::DeflateEncoder() : out_(max_block + slack) {}

std::span<const std::byte> DeflateEncoder::encode(std::span<const std::byte> block, std::span<const Field> fields) {
  const Tokens& tokens = finder_.find(block, fields);
  const Counts counts = count(tokens);
  const Codes codes = codes_of(counts);
  const CodeHeader header = header_of(codes);
  const std::uint64_t dynamic = type_bits + header_cost(header) + codes.cost(counts);
  const std::uint64_t fixed = type_bits + fixed_codes().cost(counts);
  if (stored_cost(block.size()) < std::min(dynamic, fixed)) {
    return {out_.data(), write_stored(block, out_.data())};
  }
  BitWriter out(out_.data());
  const bool is_dynamic = dynamic <= fixed;
  out.put(is_dynamic ? dynamic_block : fixed_block, type_bits);
  if (is_dynamic) {
    write_header(header, [&](std::uint64_t bits, std::uint32_t count) {
      out.put(bits, count);
      out.flush();
    });
  }
  write_tokens(is_dynamic ? codes : fixed_codes(), tokens, out);
  return {out_.data(), out.finish()};
}

}  // namespace warpseed
