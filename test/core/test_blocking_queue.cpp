// A queue between threads: its order, its end, and threads that wait for it.
#include "core/blocking_queue.hpp"

#include <memory>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "core/background_thread.hpp"

namespace warpseed {

TEST_CASE("a closed queue returns its items, a cancelled one none", "[core][queue]") {
  const int count = GENERATE(0, 1, 2, 100);
  CAPTURE(count);
  BlockingQueue<std::unique_ptr<int>> closed, cancelled;  // move-only items
  for (int i = 0; i < count; ++i) {
    closed.push(std::make_unique<int>(i));
    cancelled.push(std::make_unique<int>(i));
  }
  closed.close(), cancelled.cancel();
  for (int i = 0; i < count; ++i) REQUIRE(**closed.pop() == i);
  CHECK_FALSE(closed.pop());
  CHECK_FALSE(closed.pop());
  CHECK_FALSE(cancelled.pop());
}

TEST_CASE("every item of several producers is popped once by several consumers", "[core][queue]") {
  constexpr int producers = 4, consumers = 3, count = 20000;
  BlockingQueue<int> queue;
  std::vector<std::vector<int>> popped(consumers);
  {
    std::vector<BackgroundThread<>> taking;
    for (std::vector<int>& mine : popped) {
      taking.emplace_back([&] {
        while (const auto item = queue.pop()) mine.push_back(*item);
      });
    }
    std::vector<BackgroundThread<>> giving;
    for (int p = 0; p < producers; ++p) {
      giving.emplace_back([&queue, p] {
        for (int i = p; i < count; i += producers) queue.push(i);
      });
    }
    for (const auto& thread : giving) thread.get();
    queue.close();
  }
  std::vector<int> times(count);
  for (const std::vector<int>& some : popped) {
    std::vector<int> last(producers, -1);
    for (const int item : some) {
      ++times[static_cast<std::size_t>(item)];
      int& before = last[static_cast<std::size_t>(item % producers)];
      REQUIRE(before < item);  // each consumer gets a producer's items in their order
      before = item;
    }
  }
  CHECK(times == std::vector<int>(count, 1));
}

TEST_CASE("closing and cancelling a queue wake all waiting threads", "[core][queue]") {
  const bool cancels = GENERATE(false, true);
  BlockingQueue<int> queue;
  std::vector<BackgroundThread<bool>> waiting;
  for (int i = 0; i < 5; ++i) waiting.emplace_back([&] { return queue.pop().has_value(); });
  cancels ? queue.cancel() : queue.close();
  for (const auto& thread : waiting) CHECK_FALSE(thread.get());
}

TEST_CASE("a queue is closed at the end of a scope, also by an exception", "[core][queue]") {
  BlockingQueue<int> queue;
  const BackgroundThread<> failing([&] {
    const QueueCloser closer(queue);
    queue.push(7);
    throw 1;
  });
  CHECK(queue.pop() == 7);
  CHECK_FALSE(queue.pop());
  CHECK_THROWS_AS(failing.get(), int);
}

}  // namespace warpseed
