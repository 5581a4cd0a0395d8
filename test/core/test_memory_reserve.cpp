#include "core/memory_reserve.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace {

constexpr std::uint64_t mib = 1 << 20;

/// Memory that counts itself, and that cannot be allocated while `denied` is set.
class CountedMemory {
 public:
  explicit CountedMemory(std::uint64_t bytes) : bytes_(bytes) {
    if (denied) throw std::bad_alloc();
    memory_ = std::make_unique<std::byte[]>(bytes);
    held += bytes, ++made;
  }
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;
  ~CountedMemory() { held -= bytes_; }
  void* data() const { return memory_.get(); }

  static inline bool denied = false;
  static inline std::uint64_t held = 0, made = 0;  // bytes now, allocations so far

 private:
  const std::uint64_t bytes_;
  std::unique_ptr<std::byte[]> memory_;
};

using Reserve = warpseed::cuda::MemoryReserve<CountedMemory>;

/// Takes and gives back at random. Whether every stretch has kept what was written to it.
bool use_at_random(Reserve& reserve, unsigned seed) {
  struct Stretch {
    std::byte* memory;
    std::size_t bytes;
    std::byte value;
  };
  std::mt19937 rng(seed);
  std::vector<Stretch> taken;
  bool kept = true;
  const auto give_back = [&](const Stretch& stretch) {
    const auto is_same = [&](std::byte each) { return each == stretch.value; };
    kept &= std::all_of(stretch.memory, stretch.memory + stretch.bytes, is_same);
    reserve.give_back(stretch.memory);
  };
  for (int i = 0; i < 300; ++i) {
    if (!taken.empty() && rng() % 2 == 0) {
      std::swap(taken[rng() % taken.size()], taken.back());
      give_back(taken.back());
      taken.pop_back();
    } else {
      const std::size_t bytes = 1 + rng() % (rng() % 8 == 0 ? 300'000 : 3'000);
      taken.push_back({reserve.take(bytes), bytes, static_cast<std::byte>(rng())});
      std::memset(taken.back().memory, std::to_integer<int>(taken.back().value), bytes);
    }
  }
  for (const Stretch& stretch : taken) give_back(stretch);
  return kept;
}

}  // namespace

TEST_CASE("memory that was given back serves the next request", "[core]") {
  CountedMemory::held = CountedMemory::made = 0;
  {
    Reserve reserve;
    std::byte* const large = reserve.take(66 * mib);
    CHECK(CountedMemory::made == 1);
    std::byte* const other = reserve.take(66 * mib);
    CHECK(CountedMemory::made == 2);
    reserve.give_back(large);
    std::byte* const smaller = reserve.take(60 * mib);
    CHECK(smaller == large);
    CHECK(CountedMemory::made == 2);
    reserve.give_back(smaller), reserve.give_back(other);
    CHECK(CountedMemory::held == 132 * mib);  // for those that come
  }
  CHECK(CountedMemory::held == 0);
}

TEST_CASE("small stretches share slabs and leave those with more room to large ones", "[core]") {
  CountedMemory::held = CountedMemory::made = 0;
  Reserve reserve;
  std::byte* const large = reserve.take(40 * mib);
  reserve.give_back(large);
  std::byte* const small = reserve.take(39 * mib);
  std::byte* const own = reserve.take(40 * mib);
  reserve.give_back(own);
  const std::byte* const last = reserve.take(mib / 2);  // after the one of 39 MiB
  CHECK(reserve.take(40 * mib) == own);
  CHECK((last > small && last < small + 40 * mib));
  CHECK(CountedMemory::made == 2);
  CHECK(CountedMemory::held == 80 * mib);
}

TEST_CASE("a stretch for which there is no room takes the place of slabs that are not used", "[core]") {
  CountedMemory::held = CountedMemory::made = 0;
  Reserve reserve;
  std::vector<std::byte*> stretches;
  for (int i = 0; i < 4; ++i) stretches.push_back(reserve.take(64 * mib));
  CHECK(CountedMemory::held == 256 * mib);
  std::memset(stretches[3], 5, 64 * mib);
  for (int i = 0; i < 3; ++i) reserve.give_back(stretches[static_cast<std::size_t>(i)]);
  std::byte* const large = reserve.take(80 * mib);  // in place of two of them
  CHECK(CountedMemory::held == 208 * mib);
  CHECK(std::count(stretches[3], stretches[3] + 64 * mib, std::byte{5}) == 64 * mib);
  const std::byte* const other = reserve.take(64 * mib);  // the third one
  CHECK(CountedMemory::held == 208 * mib);
  CHECK(CountedMemory::made == 5);
  reserve.give_back(large), reserve.give_back(other), reserve.give_back(stretches[3]);
}

TEST_CASE("a reserve without memory goes on when there is some", "[core]") {
  Reserve reserve;
  CountedMemory::denied = true;
  CHECK_THROWS_AS(reserve.take(1), std::bad_alloc);
  CountedMemory::denied = false;
  CHECK(reserve.take(0) != nullptr);
}

TEST_CASE("threads share a reserve", "[core]") {
  CountedMemory::held = 0;
  Reserve reserve;
  std::vector<char> kept(8);
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < kept.size(); ++i)
      threads.emplace_back([&, i] { kept[i] = use_at_random(reserve, 71 + i); });
  }
  CHECK(kept == std::vector<char>(8, 1));
  const std::uint64_t held = CountedMemory::held;
  CHECK(use_at_random(reserve, 7));
  CHECK(CountedMemory::held <= held);  // all had been given back
}
