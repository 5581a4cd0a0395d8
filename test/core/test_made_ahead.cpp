// Items that a thread makes ahead: their order, their end, and a taker that leaves early.
#include "core/made_ahead.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>

#include "catch.hpp"

namespace warpseed {

TEST_CASE("items made ahead come in order and end once and for all", "[core][ahead]") {
  const int count = GENERATE(0, 1, 2, 3, 1000);
  const std::size_t depth = GENERATE(as<std::size_t>{}, 1, 2, 7);
  CAPTURE(count, depth);
  int made = 0;
  MadeAhead<int> items(
      [&](int& item) {
        item = made;
        return made++ < count;
      },
      depth);
  int item = -1;
  for (int i = 0; i < count; ++i) {
    REQUIRE(items.next(item));
    REQUIRE(item == i);
  }
  CHECK_FALSE(items.next(item));
  CHECK_FALSE(items.next(item));
  CHECK(made == count + 1);
}

TEST_CASE("what making an item throws comes behind the items before it", "[core][ahead]") {
  int made = 0;
  MadeAhead<int> items(
      [&](int& item) {
        if (made == 3) throw std::runtime_error("no fourth");
        item = made++;
        return true;
      },
      2);
  int item = -1;
  for (int i = 0; i < 3; ++i) REQUIRE((items.next(item) && item == i));
  CHECK_THROWS_WITH(items.next(item), "no fourth");
  CHECK_THROWS_WITH(items.next(item), "no fourth");
}

TEST_CASE("no more is made than the depth allows, and who leaves is not waited for", "[core][ahead]") {
  std::atomic<int> made = 0;
  {
    MadeAhead<int> items([&](int&) { return ++made > 0; }, 3);
    int item = 0;
    REQUIRE(items.next(item));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(made <= 4);
  }
  CHECK(made <= 4);
}

TEST_CASE("the memory of items goes round", "[core][ahead]") {
  std::atomic<int> fresh = 0;
  int made = 0;
  MadeAhead<std::vector<int>> items(
      [&](std::vector<int>& item) {
        if (item.empty()) ++fresh;
        item.assign(5, made);
        return made++ < 1000;
      },
      2);
  std::vector<int> item;
  int taken = 0;
  while (items.next(item)) REQUIRE(item == std::vector<int>(5, taken++));
  CHECK(taken == 1000);
  CHECK(fresh <= 5);  // two that wait, one being made, the taker's and the one it gives back
}

}  // namespace warpseed
