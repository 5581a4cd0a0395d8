// The header of a dynamic deflate block (RFC 1951, section 3.2.7), in functions shared by host and device.
#pragma once

#include <cstdint>

#include "core/deflate_core.hpp"
#include "core/small_sort.hpp"

namespace warpseed::deflate {

/// The code lengths of a dynamic block's header as symbols of its third code: RFC 1951, section 3.2.7. Returns how many
/// there are. lengths: [count], those of literals, then those of distances. symbols: [count] at most are written.
/// Runs are taken as long as possible from the left, of zeros up to 138, of other lengths up to 6 after the first.
WS_HD inline std::uint32_t header_symbols(const std::uint8_t* lengths, std::uint32_t count, SymbolBits* symbols) {
  std::uint32_t written = 0;
  for (std::uint32_t begin = 0, end = 0; begin < count; begin = end) {
    const std::uint32_t length = lengths[begin], most = length > 0 ? 6 : 138;
    while (end < count && lengths[end] == length) ++end;
    std::uint32_t times = end - begin;
    if (length > 0) symbols[written++] = {length, 0, 0}, --times;
    while (times >= 3) {
      const std::uint32_t taken = times < most ? times : most;
      symbols[written++] = length > 0   ? SymbolBits{16, 2, taken - 3}
                           : taken < 11 ? SymbolBits{17, 3, taken - 3}
                                        : SymbolBits{18, 7, taken - 11};
      times -= taken;
    }
    for (; times > 0; --times) symbols[written++] = {length, 0, 0};
  }
  return written;
}

/// The symbol whose length comes `index`-th in the header.
WS_HD inline std::uint32_t header_order(std::uint32_t index) {
  constexpr std::uint8_t order[length_code_symbols] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                       11, 4,  12, 3, 13, 2, 14, 1, 15};
  return order[index];
}

/// The lengths of a block's two codes, as a third code's symbols, and that code.
struct CodeHeader {
  std::uint32_t literals, distances;  // how many lengths of each
  std::uint32_t symbol_count, code_count;
  SymbolBits symbols[literal_symbols + distance_symbols];
  std::uint8_t bits[length_code_symbols];
  std::uint16_t codes[length_code_symbols];
};

/// Symbols up to the last one that has a code, at least `least`.
WS_HD inline std::uint32_t used_symbols(const std::uint8_t* lengths, std::uint32_t count, std::uint32_t least) {
  while (count > least && lengths[count - 1] == 0) --count;
  return count;
}

/// Fills bits and codes of the third code.
WS_HD inline void make_length_code(std::uint32_t* counts, CodeScratch& scratch, CodeHeader& header) {
  std::uint32_t keys[length_code_symbols], kinds = 0;
  for (std::uint32_t i = 0; i < length_code_symbols; ++i) kinds += counts[i] > 0 ? 1 : 0;
  if (kinds == 1) ++counts[counts[0] > 0 ? 1 : 0];  // zlib takes no code of one symbol here
  kinds = 0;
  for (std::uint32_t i = 0; i < length_code_symbols; ++i) {
    header.bits[i] = 0;
    if (counts[i] > 0) keys[kinds++] = count_key(counts[i], i);
  }
  small_sort(keys, kinds, [](std::uint32_t a, std::uint32_t b) { return a < b; });
  code_lengths(keys, kinds, max_length_code_bits, scratch, header.bits);
  canonical_codes(header.bits, length_code_symbols, header.codes);
}

/// literals: [literal_symbols], distances: [distance_symbols] code lengths.
WS_HD inline void make_header(const std::uint8_t* literals, const std::uint8_t* distances, CodeScratch& scratch,
                              CodeHeader& header) {
  header.literals = used_symbols(literals, literal_symbols, first_length_symbol);
  header.distances = used_symbols(distances, distance_symbols, 1);
  std::uint8_t lengths[literal_symbols + distance_symbols];
  for (std::uint32_t i = 0; i < header.literals; ++i) lengths[i] = literals[i];
  for (std::uint32_t i = 0; i < header.distances; ++i) lengths[header.literals + i] = distances[i];
  header.symbol_count = header_symbols(lengths, header.literals + header.distances, header.symbols);
  std::uint32_t counts[length_code_symbols] = {};
  for (std::uint32_t i = 0; i < header.symbol_count; ++i) ++counts[header.symbols[i].symbol];
  make_length_code(counts, scratch, header);
  header.code_count = length_code_symbols;
  while (header.code_count > 4 && header.bits[header_order(header.code_count - 1)] == 0) --header.code_count;
}

/// In bits.
WS_HD inline std::uint64_t header_cost(const CodeHeader& header) {
  std::uint64_t bits = 5 + 5 + 4 + 3 * header.code_count;
  for (std::uint32_t i = 0; i < header.symbol_count; ++i) {
    bits += header.bits[header.symbols[i].symbol] + header.symbols[i].extra_bits;
  }
  return bits;
}

/// Calls put(bits, count) for the header's bits in their order.
template <class Put>
WS_HD inline void write_header(const CodeHeader& header, Put put) {
  put(header.literals - first_length_symbol, 5);
  put(header.distances - 1, 5);
  put(header.code_count - 4, 4);
  for (std::uint32_t i = 0; i < header.code_count; ++i) put(header.bits[header_order(i)], 3);
  for (std::uint32_t i = 0; i < header.symbol_count; ++i) {
    const SymbolBits& symbol = header.symbols[i];
    put(header.codes[symbol.symbol], header.bits[symbol.symbol]);
    put(symbol.extra, symbol.extra_bits);
  }
}

constexpr std::uint32_t type_bits = 3, dynamic_block = 0b101, fixed_block = 0b011;  // the last block, and its kind

/// The code lengths of fixed blocks: RFC 1951, section 3.2.6. Two symbols that are counted never occur.
constexpr std::uint32_t fixed_literal_symbols = 288, fixed_distance_bits = 5;
WS_HD inline std::uint8_t fixed_literal_bits(std::uint32_t symbol) {
  return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
}

/// In bits, by stored blocks: two if one cannot hold it.
constexpr std::uint32_t stored_header_bytes = 5, most_stored = 65535;
WS_HD inline std::uint64_t stored_cost(std::uint64_t size) {
  return 8 * (size + (size > most_stored ? 2 : 1) * stored_header_bytes);
}

}  // namespace warpseed::deflate
