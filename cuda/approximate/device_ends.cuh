// The ends of alignments that kernels find.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "approximate/differences.hpp"
#include "core/appender.cuh"
#include "core/buffer.cuh"
#include "core/zero_pages.hpp"

namespace warpseed::approximate::cuda {

/// An end in one word, which sorts by pattern, end and differences.
class PackedEnd {
 public:
  static constexpr unsigned difference_bits = 4;

  /// text_size: no end is larger.
  explicit PackedEnd(std::uint64_t text_size) {
    while (text_size >> end_bits_ != 0) ++end_bits_;
  }

  std::uint64_t most_patterns() const { return std::uint64_t{1} << (64 - difference_bits - end_bits_); }
  unsigned bits_for(std::uint64_t patterns) const {
    unsigned bits = 0;
    while (bits + difference_bits + end_bits_ < 64 && (patterns - 1) >> bits != 0) ++bits;
    return bits + difference_bits + end_bits_;
  }

  WS_HD std::uint64_t pack(std::uint64_t pattern, TextPos end, std::uint32_t differences) const {
    return (pattern << end_bits_ | end) << difference_bits | differences;
  }
  std::uint64_t pattern(std::uint64_t packed) const { return packed >> difference_bits >> end_bits_; }
  AlignmentEnd end(std::uint64_t packed) const {
    return {packed >> difference_bits & ((std::uint64_t{1} << end_bits_) - 1),
            static_cast<std::uint32_t>(packed & ((1U << difference_bits) - 1))};
  }

 private:
  unsigned end_bits_ = 1;
};

using PackedEnds = ZeroedArray<std::uint64_t>;

/// Packed ends in device memory, which kernels append to, and in host memory, where they go when there are many.
class DeviceEnds {
 public:
  /// The ends to have room for in a quarter of the free device memory, with that for sorting them; 128 Mi at most.
  static std::uint64_t room_within(std::uint64_t free_bytes) {
    return std::clamp<std::uint64_t>(free_bytes / 4 / (2 * sizeof(std::uint64_t)), 1 << 16, 128 << 20);
  }

  /// room: ends in device memory, at 8 bytes; sorting them takes as much again. threads: for copies.
  DeviceEnds(const PackedEnd& packing, std::uint64_t patterns, std::uint64_t room, const Stream& stream, int threads);

  std::uint64_t count() const { return count_; }  // in device memory
  bool all_on_device() const { return stored_.empty(); }
  std::uint64_t room() const { return ends_.size(); }
  Appender<std::uint64_t> appender() {
    return {ends_.data(), counter_.data(), static_cast<std::uint32_t>(ends_.size())};
  }

  /// Reads the count after a kernel has appended. False if not all fitted: then the ends of this kernel are forgotten.
  bool accept();

  /// Makes room for so many ends, at most room().
  void make_room(std::uint64_t wanted);

  /// Sorts those in device memory, each once with its fewest differences.
  void keep_best();

  /// All packed ends, sorted, each with its fewest differences. Forgets them.
  PackedEnds take();

 private:
  void store();
  void set_count(std::uint64_t count);

  const Stream& stream_;
  int threads_;
  PackedEnd packing_;
  std::uint64_t patterns_;
  Buffer<std::uint64_t> ends_;
  std::uint64_t count_ = 0;
  Buffer<std::uint32_t> counter_;
  PackedEnds stored_;  // in host memory, sorted within each portion
  unsigned portions_ = 0;
};

}  // namespace warpseed::approximate::cuda
