#include "core/backend.hpp"

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using test::message_of;

TEST_CASE("the CPU is always available and comes first", "[core]") {
  const auto backends = available_backends(3);
  REQUIRE(!backends.empty());
  CHECK(backends[0] == Backend{BackendKind::cpu, 0, 3});
  for (std::size_t i = 1; i < backends.size(); ++i)
    CHECK(backends[i] == Backend{BackendKind::cuda, static_cast<int>(i) - 1, 3});
}

TEST_CASE("backends are named as users type them", "[core]") {
  CHECK(to_string(Backend{}) == "cpu");
  CHECK(to_string(Backend{BackendKind::cuda, 2, 1}) == "cuda:2");
  const Backend several = {BackendKind::cuda, 2, 1, {0, 3}};
  CHECK(to_string(several) == "cuda:2,0,3");
  CHECK(several.all_devices() == std::vector<int>{2, 0, 3});
}

TEST_CASE("every available backend can be chosen by its name and described", "[core][backend]") {
  for (const Backend& backend : available_backends(2)) {
    CHECK(choose_backend(to_string(backend), 2) == backend);
    CHECK(describe(backend).find(to_string(backend)) == 0);
  }
}

TEST_CASE("auto takes the first device, or else the CPU", "[core][backend]") {
  const auto backends = available_backends(1);
  CHECK(choose_backend("auto", 1) == (backends.size() > 1 ? backends[1] : backends[0]));
}

TEST_CASE("an unknown backend is an input error", "[core]") {
  for (const char* name : {"", "gpu", "CPU", "cudax", "cpu:0", " cpu"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(choose_backend(name, 1), InputError);
  }
  for (const char* name :
       {"cuda:", "cuda:x", "cuda:-1", "cuda:0x", "cuda:99999999999999", "cuda:0,", "cuda:,1", "cuda:0,x", "cuda:0;1"}) {
    CAPTURE(name);
    const std::string message = message_of<InputError>([&] { choose_backend(name, 1); });
    CHECK(message.find("choose auto, cpu, cuda, cuda:N or cuda:N,M...") != std::string::npos);
  }
  CHECK(message_of<InputError>([] { choose_backend("cuda:3,1,3", 1); }).find("names cuda:3 twice") !=
        std::string::npos);
}

TEST_CASE("a missing device is reported with the reason", "[core]") {
  if (available_backends().size() > 1) {
    CHECK(why_no_cuda().empty());
    CHECK_THROWS_AS(choose_backend("cuda:4096", 1), BackendError);
    return;
  }
  CHECK(!why_no_cuda().empty());
  const std::string message = message_of<BackendError>([] { choose_backend("cuda", 1); });
  CHECK(message.find(why_no_cuda()) != std::string::npos);
  CHECK(message.find("--backend cpu") != std::string::npos);
}

}  // namespace warpseed
