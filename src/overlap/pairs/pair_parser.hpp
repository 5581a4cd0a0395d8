// Parses one line of the table of position pairs, fast; private to the module.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "overlap/pairs/pair_table.hpp"
#include "overlap/pairs/sequence_names.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

/// Reads consecutive lines. The 16 bytes past the end of the last line must be readable.
class PairParser {
 public:
  PairParser(const SequenceNames& targets, const SequenceNames& queries) : target_(targets), query_(queries) {}

  /// Parses the line that begins at `at`; every line up to `end` ends in LF. Returns the beginning of the next line, or
  /// null if this one is not a valid pair.
  const char* read(const char* at, const char* end, StrandPositionPair& pair) {
    at = target_.read(at, end, pair.target);
    if (!at || *at++ != '\t') return nullptr;
    at = query_.read(at, end, pair.query);
    if (!at) return nullptr;
    at += *at == '\r';
    return *at == '\n' ? at + 1 : nullptr;
  }

 private:
  static std::uint64_t load(const char* at) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, 8);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    return bytes;
  }

  /// The three columns of one side.
  class Side {
   public:
    explicit Side(const SequenceNames& names) : names_(names) {}

    /// Returns the end of the third column, or null if the columns are invalid.
    const char* read(const char* at, const char* end, StrandPosition& location) {
      at = read_name(at, end);
      if (at) at = read_number(at, location.position);
      if (!at || *at != '\t' || location.position >= length_) return nullptr;
      if (((at[1] - '+') & ~('-' - '+')) != 0) return nullptr;  // one branch: the strand itself is unpredictable
      location.sequence = number_;
      location.reverse = at[1] == '-';
      return at + 2;
    }

   private:
    /// Returns the beginning of the next column. The name is often that of the previous line.
    const char* read_name(const char* at, const char* end) {
      const std::uint64_t left = static_cast<std::uint64_t>(end - at);
      if (number_ != SequenceNames::unknown && begins_with_last(at, left)) return at + last_.size() + 1;
      const char* tab = find_tab(at, end);
      if (!tab) return nullptr;
      number_ = names_.find({at, static_cast<std::size_t>(tab - at)});
      if (number_ == SequenceNames::unknown) return nullptr;
      last_ = names_.list().sequences[number_].name;
      length_ = names_.list().sequences[number_].length;
      last_start_ = load(at);  // may hold bytes after the name, then compared up to the tab
      last_mask_ = last_.size() >= 7 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} << 8 * (last_.size() + 1));
      return tab + 1;
    }

    /// The first eight bytes, with the tab if it is among them, nearly always decide.
    bool begins_with_last(const char* at, std::uint64_t left) const {
      if (((load(at) ^ last_start_) & last_mask_) != 0 || last_.size() >= left) return false;
      return last_.size() < 8 ||
             (std::memcmp(at + 8, last_.data() + 8, last_.size() - 8) == 0 && at[last_.size()] == '\t');
    }

    /// Names are short: most tabs are in the first 16 bytes and found without a call.
    static const char* find_tab(const char* at, const char* end) {
      constexpr std::uint64_t ones = 0x0101'0101'0101'0101ULL;
      for (const char* from = at; from < at + 16; from += 8) {
        const std::uint64_t other = load(from) ^ ones * '\t';              // a tab becomes zero
        const std::uint64_t tabs = (other - ones) & ~other & ones * 0x80;  // its lowest bit is exact
        if (tabs == 0) continue;
        from += std::countr_zero(tabs) / 8;
        return from < end ? from : nullptr;
      }
      if (end - at <= 16) return nullptr;
      return static_cast<const char*>(std::memchr(at + 16, '\t', static_cast<std::size_t>(end - at - 16)));
    }

    const SequenceNames& names_;
    std::string_view last_ = "";
    std::uint64_t last_start_ = 0, last_mask_ = 0;
    std::uint32_t number_ = SequenceNames::unknown;
    std::uint64_t length_ = 0;
  };

  /// Parses a number of at most 16 digits, more than any position needs. Returns its end, or null if there is no digit.
  static const char* read_number(const char* at, std::uint64_t& number) {
    unsigned digits = 0;
    number = up_to_eight(at, digits);
    if (digits < 8) return digits > 0 ? at + digits : nullptr;
    constexpr std::uint64_t powers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
    const std::uint64_t low = up_to_eight(at += 8, digits);
    number = number * powers[digits] + low;
    return at + digits;
  }

  /// The first up to eight digits of the number at `at`, all at once: each step joins neighbours.
  static std::uint64_t up_to_eight(const char* at, unsigned& digits) {
    std::uint64_t bytes = load(at) ^ 0x3030'3030'3030'3030ULL;  // digits become 0..9, all others are larger
    const std::uint64_t above_nine = (bytes & 0x7F7F'7F7F'7F7F'7F7FULL) + 0x7676'7676'7676'7676ULL;
    const std::uint64_t others = (above_nine | bytes) & 0x8080'8080'8080'8080ULL;
    digits = static_cast<unsigned>(std::countr_zero(others)) / 8;
    const unsigned half = 32 - 4 * digits;  // two shifts, since one shift by 64 would be undefined
    bytes = bytes << half << half;          // zeros precede the first digit
    bytes = (bytes * 10 + (bytes >> 8)) & 0x00FF'00FF'00FF'00FFULL;
    bytes = (bytes * 100 + (bytes >> 16)) & 0x0000'FFFF'0000'FFFFULL;
    return (bytes * 10'000 + (bytes >> 32)) & 0xFFFF'FFFFULL;
  }

  Side target_, query_;
};

}  // namespace warpseed::overlap
