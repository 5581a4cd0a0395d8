// Looks up sequence numbers by name, for tables with a name in every line.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "text/sequence_list.hpp"

namespace warpseed::overlap {

/// A hash table with one memory access for nearly every name. Threads: find() may be called concurrently.
class SequenceNames {
 public:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  /// The list must outlive this. Of two sequences with the same name the first counts.
  explicit SequenceNames(const text::SequenceList& list)
      : list_(list), slots_(std::bit_ceil(2 * list.sequences.size() + 1)), last_slot_(slots_.size() - 1) {
    for (std::uint32_t i = 0; i < list.sequences.size(); ++i) {
      const std::uint64_t hash = hash_of(list.sequences[i].name);
      Slot* slot = &slots_[slot_of(list.sequences[i].name, hash)];
      if (slot->number == unknown) *slot = {hash, i};
    }
  }

  /// The number of the sequence, or `unknown`.
  std::uint32_t find(std::string_view name) const { return slots_[slot_of(name, hash_of(name))].number; }

  const text::SequenceList& list() const { return list_; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = unknown;  // the slot is free
  };

  /// The slot of the name, or the free slot where it would be.
  std::uint64_t slot_of(std::string_view name, std::uint64_t hash) const {
    std::uint64_t at = hash & last_slot_;
    while (slots_[at].number != unknown &&
           (slots_[at].hash != hash || list_.sequences[slots_[at].number].name != name)) {
      at = (at + 1) & last_slot_;
    }
    return at;
  }

  template <class Word>
  static std::uint64_t load(const char* at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15ULL;  // 2^64 over the golden ratio
    return hash ^ hash >> 32;
  }

  /// Hashes eight characters at a time; the last eight may overlap those before.
  static std::uint64_t hash_of(std::string_view name) {
    const char* at = name.data();
    const std::size_t size = name.size();
    std::uint64_t hash = mixed(size, 0);
    if (size >= 8) {
      for (std::size_t i = 0; i + 8 < size; i += 8) hash = mixed(hash, load<std::uint64_t>(at + i));
      return mixed(hash, load<std::uint64_t>(at + size - 8));
    }
    if (size >= 4) return mixed(hash, load<std::uint32_t>(at) | load<std::uint32_t>(at + size - 4) << 32);
    if (size >= 2) return mixed(hash, load<std::uint16_t>(at) | load<std::uint16_t>(at + size - 2) << 16);
    return size == 0 ? hash : mixed(hash, load<std::uint8_t>(at));
  }

  const text::SequenceList& list_;
  std::vector<Slot> slots_;  // a power of two, at most half full
  std::uint64_t last_slot_;
};

}  // namespace warpseed::overlap
