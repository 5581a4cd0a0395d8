#include "core/growing_array.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "catch.hpp"

namespace {

/// Memory that is not to be had while `denied` says so.
class ScarceMemory {
 public:
  explicit ScarceMemory(std::uint64_t bytes) {
    if (denied) throw std::bad_alloc();
    bytes_ = std::make_unique<std::byte[]>(bytes);
    made = bytes;
  }
  void* data() const { return bytes_.get(); }

  static inline bool denied = false;
  static inline std::uint64_t made = 0;  // bytes of the last one

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

using Array = warpseed::cuda::GrowingArray<std::uint32_t, ScarceMemory>;

/// Is there memory for all of it? A sanitizer sees where there is too little.
bool holds(std::span<std::uint32_t> room) {
  if (room.data() == nullptr) return false;
  for (std::uint32_t& value : room) value = 7;
  return room.size_bytes() <= ScarceMemory::made;
}

}  // namespace

TEST_CASE("an array grows when more is asked for, with room to spare", "[core]") {
  ScarceMemory::denied = false;
  Array array;
  CHECK(array.room(0).empty());
  const std::span<std::uint32_t> first = array.room(1000, 0.25);
  CHECK(holds(first));
  CHECK(array.room(4000).data() == first.data());  // 1,000 values were said to be a quarter
  CHECK(holds(array.room(100'000)));
}

TEST_CASE("an array whose memory could not be had makes it when it is asked for again", "[core]") {
  Array array;
  ScarceMemory::denied = false;
  REQUIRE(holds(array.room(100)));
  ScarceMemory::denied = true;
  CHECK_THROWS_AS(array.room(5000), std::bad_alloc);
  CHECK_THROWS_AS(array.room(10), std::bad_alloc);  // what there was is gone
  ScarceMemory::denied = false;
  CHECK(holds(array.room(10)));
  CHECK(holds(array.room(5000)));
}
