// Items produced ahead by a background thread: their order, their end, and a consumer that stops early.
#include "core/prefetcher.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "catch.hpp"

namespace warpseed {

TEST_CASE("prefetched items come in order, and the end is final", "[core][prefetcher]") {
  const int count = GENERATE(0, 1, 2, 3, 1000);
  const std::size_t depth = GENERATE(as<std::size_t>{}, 1, 2, 7);
  CAPTURE(count, depth);
  int made = 0;
  Prefetcher<int> items(
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

TEST_CASE("an exception of the producer comes after the items before it", "[core][prefetcher]") {
  int made = 0;
  Prefetcher<int> items(
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

TEST_CASE("no more is produced than the depth allows, and a consumer that stops ends the producer",
          "[core][prefetcher]") {
  std::atomic<int> made = 0;
  {
    Prefetcher<int> items([&](int&) { return ++made > 0; }, 3);
    int item = 0;
    REQUIRE(items.next(item));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(made <= 4);
  }
  CHECK(made <= 4);
}

TEST_CASE("the memory of items is reused", "[core][prefetcher]") {
  std::atomic<int> fresh = 0;
  int made = 0;
  Prefetcher<std::vector<int>> items(
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
  CHECK(fresh <= 5);  // two that wait, one being produced, the consumer's and the one it returns
}

TEST_CASE("a consumer that stops while the producer waits or works ends it", "[core][prefetcher]") {
  const int taken = GENERATE(0, 1, 5);
  const std::size_t depth = GENERATE(as<std::size_t>{}, 1, 4);
  CAPTURE(taken, depth);
  for (int repeat = 0; repeat < 200; ++repeat) {
    Prefetcher<std::unique_ptr<int>> items(
        [](std::unique_ptr<int>& item) {
          item = std::make_unique<int>(3);
          return true;
        },
        depth);
    std::unique_ptr<int> item;
    for (int i = 0; i < taken; ++i) REQUIRE((items.next(item) && *item == 3));
  }
}

/// Throws at its n-th move, like an item whose allocation fails.
struct FailingMove {
  FailingMove() = default;
  FailingMove(FailingMove&& other) : number(other.number) { fail(); }
  FailingMove& operator=(FailingMove&& other) {
    number = other.number;
    fail();
    return *this;
  }
  static void fail() {
    if (--moves_left == 0) throw std::runtime_error("a move failed");
  }

  int number = 0;
  static inline std::atomic<int> moves_left = 0;
};

TEST_CASE("an exception of the item itself reaches the consumer and does not end the process", "[core][prefetcher]") {
  const int moves = GENERATE(range(1, 60));
  CAPTURE(moves);
  FailingMove::moves_left = moves;
  const auto consume_all = [] {
    int number = 0;
    Prefetcher<FailingMove> items(
        [&](FailingMove& item) {
          item.number = number++;
          return true;
        },
        3);
    FailingMove item;
    for (int i = 0; items.next(item); ++i) REQUIRE(item.number == i);
  };
  CHECK_THROWS_WITH(consume_all(), "a move failed");
}

}  // namespace warpseed
