// Heads of packed records in few bytes: what differs from the previous record's. Private to the module.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "records/packed_record.hpp"

namespace warpseed::records {

/// The numbers of a head, the mate's position relative to the record's. In the order of coordinates most differ little
/// from those before, or not at all.
using HeadNumbers = std::array<std::uint64_t, 14>;

/// A head takes two bytes, whose bits say which numbers differ, and for each of these its difference, 7 bits a byte, the
/// lowest first. Threads: one at a time.
class HeadPacker {
 public:
  static constexpr std::size_t most_bytes = 2 + 10 * std::tuple_size_v<HeadNumbers>;

  /// Writes the next head, and `flag` with it. Returns the end.
  std::uint8_t* put(const PackedHead& head, bool flag, std::uint8_t* out);

 private:
  HeadNumbers before_ = {};
};

/// The reverse: begins with the first one. Threads: one at a time.
class HeadReader {
 public:
  explicit HeadReader(std::span<const std::byte> bytes) : left_(bytes) {}

  /// False if the bytes end before the head does.
  bool take(PackedHead& head, bool& flag);

  bool at_end() const { return left_.empty(); }

 private:
  bool take_byte(std::uint8_t& byte);
  bool take_difference(std::uint64_t& difference);

  std::span<const std::byte> left_;
  HeadNumbers numbers_ = {};
};

}  // namespace warpseed::records
