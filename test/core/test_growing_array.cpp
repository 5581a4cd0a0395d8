#include "core/growing_array.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "catch.hpp"

namespace {

/// An allocator that fails while `denied` is set.
class ScarceMemory {
 public:
  explicit ScarceMemory(std::uint64_t bytes) {
    if (denied) throw std::bad_alloc();
    bytes_ = std::make_unique<std::byte[]>(bytes);
    made = bytes;
  }
  void* data() const { return bytes_.get(); }

  static inline bool denied = false;
  static inline std::uint64_t made = 0;  // bytes of the last allocation

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

using Array = warpseed::cuda::GrowingArray<std::uint32_t, ScarceMemory>;

/// Whether the memory is large enough. A sanitizer detects writes past its end.
bool holds(std::span<std::uint32_t> room) {
  if (room.data() == nullptr) return false;
  for (std::uint32_t& value : room) value = 7;
  return room.size_bytes() <= ScarceMemory::made;
}

}  // namespace

TEST_CASE("an array grows on request, with spare capacity", "[core]") {
  ScarceMemory::denied = false;
  Array array;
  CHECK(array.room(0).empty());
  const std::span<std::uint32_t> first = array.room(1000, 0.25);
  CHECK(holds(first));
  CHECK(array.room(4000).data() == first.data());  // 1,000 values were announced as a quarter
  CHECK(holds(array.room(100'000)));
}

TEST_CASE("an array whose allocation failed allocates at the next request", "[core]") {
  Array array;
  ScarceMemory::denied = false;
  REQUIRE(holds(array.room(100)));
  ScarceMemory::denied = true;
  CHECK_THROWS_AS(array.room(5000), std::bad_alloc);
  CHECK_THROWS_AS(array.room(10), std::bad_alloc);  // the old memory was freed
  ScarceMemory::denied = false;
  CHECK(holds(array.room(10)));
  CHECK(holds(array.room(5000)));
}
