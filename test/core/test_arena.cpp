#include "core/arena.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "catch.hpp"

namespace warpseed {

TEST_CASE("stretches of an arena do not overlap, and all of it comes back", "[core]") {
  constexpr std::uint64_t unit = Arena::alignment, units = 1000;
  std::vector<std::byte> memory(units * unit);
  Arena arena(memory.data(), memory.size());
  std::vector<int> owner(units, 0);
  struct Taken {
    std::byte* at;
    std::uint64_t bytes;
  };
  std::vector<Taken> taken;
  std::mt19937 rng(3);
  const auto units_of = [&](const Taken& stretch, auto use) {
    const auto first = static_cast<std::uint64_t>(stretch.at - memory.data()) / unit;
    for (std::uint64_t i = first; i < first + (stretch.bytes + unit - 1) / unit; ++i) use(owner[i]);
  };
  for (int step = 0; step < 20'000; ++step) {
    if (rng() % 2 == 0) {
      const std::uint64_t bytes = 1 + rng() % (90 * unit);
      auto* const at = static_cast<std::byte*>(arena.take(bytes));
      if (at == nullptr) continue;
      REQUIRE(arena.owns(at));
      taken.push_back({at, bytes});
      bool free = true;
      units_of(taken.back(), [&](int& one) { free = free && one++ == 0; });
      REQUIRE(free);
    } else if (!taken.empty()) {
      std::swap(taken[rng() % taken.size()], taken.back());
      units_of(taken.back(), [](int& one) { --one; });
      arena.give_back(taken.back().at);
      taken.pop_back();
    }
    const auto used = static_cast<std::uint64_t>(std::count(owner.begin(), owner.end(), 1));
    REQUIRE(arena.free_bytes() == (units - used) * unit);
  }
  for (const Taken& stretch : taken) arena.give_back(stretch.at);
  REQUIRE(arena.take(units * unit) == memory.data());
  REQUIRE(arena.take(1) == nullptr);
  REQUIRE_THROWS_AS(arena.give_back(memory.data() + unit), std::logic_error);
}

TEST_CASE("an arena owns its own memory alone", "[core]") {
  std::vector<std::byte> memory(4 * Arena::alignment);
  Arena arena(memory.data(), 2 * Arena::alignment);
  CHECK(arena.owns(memory.data()));
  CHECK_FALSE(arena.owns(memory.data() + 2 * Arena::alignment));
  CHECK_FALSE(arena.owns(nullptr));
  CHECK(arena.take(0) == nullptr);
  Arena empty(memory.data(), 0);
  CHECK(empty.take(1) == nullptr);
}

}  // namespace warpseed
