#include "core/rendezvous.hpp"

#include <atomic>
#include <vector>

#include "catch.hpp"
#include "core/background_thread.hpp"

namespace warpseed {

TEST_CASE("threads share values in steps", "[core]") {
  constexpr unsigned threads = 5, steps = 200;
  Rendezvous rendezvous(threads);
  std::atomic<unsigned> wrong = 0;
  {
    std::vector<BackgroundThread<>> running;
    for (unsigned number = 0; number < threads; ++number) {
      running.emplace_back([&, number] {
        for (unsigned step = 0; step < steps; ++step) {
          const std::vector<unsigned> all = rendezvous.share(number, step * threads + number);
          for (unsigned other = 0; other < threads; ++other) wrong += all[other] != step * threads + other;
        }
      });
    }
    for (const auto& thread : running) thread.get();
  }
  CHECK(wrong == 0);
}

TEST_CASE("a thread that fails is not waited for", "[core]") {
  Rendezvous rendezvous(3);
  const BackgroundThread<> early([&] { rendezvous.wait(); });
  rendezvous.fail();
  const BackgroundThread<> late([&] { rendezvous.wait(); });
  CHECK_THROWS_AS(early.get(), OtherFailed);
  CHECK_THROWS_AS(late.get(), OtherFailed);
}

}  // namespace warpseed
