// A function in its own thread: its result, and its exceptions.
#include "core/background_thread.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace warpseed {

TEST_CASE("the result of a background thread can be fetched again and by several threads", "[core][background]") {
  const BackgroundThread<std::unique_ptr<std::string>> background([] { return std::make_unique<std::string>("done"); });
  std::atomic<int> right = 0;
  {
    std::vector<BackgroundThread<>> others;
    for (int i = 0; i < 8; ++i) others.emplace_back([&] { right += *background.get() == "done"; });
  }
  CHECK(right == 8);
  CHECK(*background.share().get() == "done");
}

TEST_CASE("an exception in a background thread reaches every call that waits for it", "[core][background]") {
  const BackgroundThread<int> background([]() -> int { throw std::invalid_argument("no result"); });
  CHECK_THROWS_AS(background.get(), std::invalid_argument);
  CHECK_THROWS_WITH(background.get(), "no result");
}

TEST_CASE("an exception that is not fetched does not end the process", "[core][background]") {
  {
    const BackgroundThread<> background([] { throw std::runtime_error("unheard"); });
  }
  SUCCEED();
}

TEST_CASE("the destructor of a background thread waits for its work, also after a move", "[core][background]") {
  std::atomic<bool> finished = false;
  {
    BackgroundThread<> first([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      finished = true;
    });
    const BackgroundThread<> second(std::move(first));
  }
  CHECK(finished);
}

}  // namespace warpseed
