// The literals and matches of a block, as deflate_core.hpp defines them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/deflate_core.hpp"

namespace warpseed::deflate {

/// Where matches are looked for.
enum class FieldKind : std::uint8_t {
  short_matches,  // of 4 bytes or more, among several candidates: numbers, names, text
  long_matches,   // of 6 bytes or more, with one candidate: packed bases
  runs            // of one byte; between them matches of 8 bytes or more: qualities
};

/// The bytes of a block from the end of the field before it.
struct Field {
  std::uint32_t end;
  FieldKind kind;
};

/// fields: of a block of `size` bytes. Throws std::invalid_argument unless size is at most max_block, their ends ascend,
/// and the last one is the block's.
void check_fields(std::uint64_t size, std::span<const Field> fields);

/// A match and the number of literals before it.
struct Sequence {
  std::uint16_t literals, length, distance_less_one, distance_symbol;
};

struct Tokens {
  std::vector<Sequence> sequences;
  std::vector<std::uint8_t> literals;  // of all sequences, and those after the last one; longer than literal_count
  std::uint32_t literal_count = 0;
  std::array<std::uint32_t, max_match + 1> of_length = {};       // matches
  std::array<std::uint32_t, distance_symbols> of_distance = {};  // matches
};

/// Owns 200 KiB. Threads: one caller at a time.
class TokenFinder {
 public:
  TokenFinder();
  ~TokenFinder();

  /// fields: none are short_matches everywhere; others are checked by check_fields(). The result is valid until the next
  /// call.
  const Tokens& find(std::span<const std::byte> block, std::span<const Field> fields);

 private:
  struct Tables;

  void find_in(std::uint32_t begin, std::uint32_t end, FieldKind kind);
  void find_short(std::uint32_t begin, std::uint32_t end);
  template <std::uint32_t bytes>
  void find_long(std::uint32_t begin, std::uint32_t end);
  void find_runs(std::uint32_t begin, std::uint32_t end);
  void add_match(std::uint32_t begin, std::uint32_t length, std::uint32_t distance);
  void copy_literals(std::uint32_t end);

  std::vector<std::uint8_t> bytes_;  // the block, then zeros
  std::unique_ptr<Tables> tables_;
  Tokens tokens_;
  std::uint32_t covered_ = 0;  // bytes that are in tokens_
};

}  // namespace warpseed::deflate
