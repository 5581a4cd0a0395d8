#include "core/batch_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace warpseed {

namespace {

/// Vectors of random sizes in `memory`, each full of its own number; made by a thread each.
std::vector<std::vector<std::pmr::vector<std::uint32_t>>> filled(BatchMemory& memory, unsigned threads) {
  std::vector<std::vector<std::pmr::vector<std::uint32_t>>> all(threads);
  std::vector<std::thread> fillers;
  for (unsigned t = 0; t < threads; ++t) {
    fillers.emplace_back([&, t] {
      std::mt19937 rng(t);
      for (std::uint32_t i = 0; i < 3000; ++i) {
        auto& made = all[t].emplace_back(&memory);
        const std::size_t size = rng() % (i % 500 == 0 ? 2'000'000 : 300);  // some larger than a chunk
        for (std::size_t k = 0; k < size; k += 100) made.resize(std::min(size, k + 100), t * 10'000 + i);
      }
    });
  }
  for (std::thread& filler : fillers) filler.join();
  return all;
}

}  // namespace

TEST_CASE("pieces of a batch's memory are apart, whichever threads take them", "[core]") {
  constexpr unsigned threads = 8;
  BatchMemory memory;
  for (int round = 0; round < 3; ++round) {
    {
      const auto all = filled(memory, threads);
      for (unsigned t = 0; t < threads; ++t) {
        for (std::uint32_t i = 0; i < all[t].size(); ++i) {
          const auto is_own = [&](std::uint32_t value) { return value == t * 10'000 + i; };
          REQUIRE(std::ranges::all_of(all[t][i], is_own));
        }
      }
    }
    memory.clear();
  }
}

TEST_CASE("a batch's memory is used again after it was cleared", "[core]") {
  BatchMemory memory;
  void* const first = memory.allocate(100);
  CHECK(reinterpret_cast<std::uintptr_t>(first) % alignof(std::max_align_t) == 0);
  CHECK(static_cast<std::byte*>(memory.allocate(8)) >= static_cast<std::byte*>(first) + 100);
  memory.clear();
  CHECK(memory.allocate(50) == first);
  CHECK_THROWS_AS(memory.allocate(8, 4096), std::bad_alloc);
}

TEST_CASE("a batch's memory takes pieces of any size", "[core]") {
  BatchMemory memory;
  std::vector<std::span<std::byte>> pieces;
  for (std::size_t bytes = 1; bytes <= 4 * BatchMemory::most_chunk_bytes; bytes = bytes * 5 / 4 + 1) {
    pieces.emplace_back(static_cast<std::byte*>(memory.allocate(bytes)), bytes);
    std::ranges::fill(pieces.back(), static_cast<std::byte>(pieces.size()));
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto is_own = [&](std::byte value) { return value == static_cast<std::byte>(i + 1); };
    REQUIRE(std::ranges::all_of(pieces[i], is_own));
  }
}

TEST_CASE("a batch's memory keeps no more than its limit", "[core]") {
  BatchMemory memory;
  void* const small = memory.allocate(8);
  CHECK(memory.allocate(2 * BatchMemory::most_kept_bytes) != small);
  memory.clear();
  CHECK(memory.allocate(8) == small);
  const std::span large(static_cast<std::byte*>(memory.allocate(3 * BatchMemory::most_chunk_bytes)),
                        3 * BatchMemory::most_chunk_bytes);
  std::ranges::fill(large, std::byte{1});
  memory.clear();
  CHECK(memory.allocate(3 * BatchMemory::most_chunk_bytes) == large.data());  // kept: the first that has room
}

}  // namespace warpseed
