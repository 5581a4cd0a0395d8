// Arrays whose memory is zero pages.
#include <algorithm>
#include <cstdint>

#include "catch.hpp"
#include "core/zero_pages.hpp"

using namespace warpseed;

TEST_CASE("an array of zero pages is zero, can be written whole, and begins at a huge page if it is large", "[core]") {
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 22, (std::size_t{1} << 22) + 12345}) {
    CAPTURE(count);
    for (int round = 0; round < 3; ++round) {
      ZeroedArray<std::uint32_t> array(count);
      REQUIRE(std::all_of(array.begin(), array.end(), [](std::uint32_t value) { return value == 0; }));
      if (count >= std::size_t{1} << 22) {
        CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % (std::uintptr_t{2} << 20) == 0);
      }
      std::fill(array.begin(), array.end(), ~std::uint32_t{0});
    }
  }
}
