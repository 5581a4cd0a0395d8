#include "core/memory.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using test::message_of;

TEST_CASE("the machine has memory, and no more is free than exists", "[core][memory]") {
  CHECK(total_memory_bytes() > 1 << 20);
  CHECK(available_memory_bytes() > 0);
  CHECK(available_memory_bytes() <= total_memory_bytes());
}

TEST_CASE("the peak follows the process's memory", "[core][memory]") {
  const std::uint64_t before = peak_memory_bytes();
  const std::size_t bytes = before + (64 << 20);  // above any earlier peak, so that the peak must rise
  const std::vector<char> block(bytes, 1);
  CHECK(block[bytes / 2] == 1);
  CHECK(peak_memory_bytes() >= bytes);
}

TEST_CASE("a job that cannot fit is rejected with figures and a remedy", "[core][memory]") {
  CHECK_NOTHROW(require_memory(0, "nothing", "none needed"));
  CHECK_NOTHROW(require_memory(1, "a byte", "none needed"));
  const std::uint64_t too_much = std::uint64_t{1} << 60;
  const std::string message =
      message_of<IoError>([&] { require_memory(too_much, "building the index", "take a smaller reference"); });
  CHECK(message.find("building the index needs about 1073741824.00 GiB") != std::string::npos);
  CHECK(message.find("take a smaller reference") != std::string::npos);
}

}  // namespace warpseed
