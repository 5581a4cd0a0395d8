// Bytes in the memory of devices, against the same bytes on the host.
#include "core/device_store.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "devices.hpp"

using namespace warpseed;

namespace {

std::vector<std::byte> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng());
  return bytes;
}

std::optional<std::uint64_t> append(DeviceStore& store, std::span<const std::byte> bytes) {
  std::unique_ptr<DeviceStore::Page> page = store.new_page();
  std::ranges::copy(bytes, page->bytes().begin());
  return store.append(std::move(page), bytes.size());
}

}  // namespace

TEST_CASE("the CPU has no device store", "[core]") {
  CHECK(make_device_store(Backend{}, 1 << 20) == nullptr);
}

TEST_CASE("devices keep bytes that many threads append", "[core][gpu]") {
  constexpr std::size_t count = 300, most = DeviceStore::page_bytes;
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    const auto store = make_device_store(device, std::uint64_t{1} << 30);
    std::vector<std::vector<std::byte>> all(count);
    std::vector<std::uint64_t> addresses(count);
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      all[i] = random_bytes(i == 7 ? most : i == 8 ? 0 : i * 4099 % 1'000'000, static_cast<unsigned>(i));
      addresses[i] = append(*store, all[i]).value();
    });
    store->wait();
    std::vector<char> same(count);
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      const std::size_t skipped = all[i].size() / 3;
      std::vector<std::byte> got(all[i].size() - skipped);
      const DeviceStore::Piece piece = {addresses[i] + skipped, got};
      store->read({&piece, 1})->finish();
      same[i] = std::equal(got.begin(), got.end(), all[i].begin() + static_cast<std::ptrdiff_t>(skipped));
    });
    CHECK(std::ranges::count(same, 1) == count);
    CHECK_THROWS_AS(store->append(store->new_page(), most + 1), std::invalid_argument);

    const auto memory = store->new_memory();
    for (const std::size_t some : {std::size_t{3}, count}) {
      std::vector<DeviceStore::Piece> pieces;  // in another order
      std::size_t bytes = 0;
      for (std::size_t k = 0; k < some; ++k) bytes += all[k * 7 % count].size();
      std::span<std::byte> room = memory->room(bytes);
      REQUIRE(room.size() == bytes);
      for (std::size_t k = 0; k < some; ++k) {
        const std::size_t i = k * 7 % count;
        pieces.push_back({addresses[i], room.first(all[i].size())});
        room = room.subspan(all[i].size());
      }
      store->read(pieces);  // is given up
      const auto first = store->read(std::span(pieces).first(some / 2));
      const auto rest = store->read(std::span(pieces).subspan(some / 2));
      rest->finish(), first->finish();
      for (std::size_t k = 0; k < some; ++k) {
        const bool is_same = std::ranges::equal(pieces[k].to, all[k * 7 % count]);
        CHECK(is_same);
      }
    }
    store->read({})->finish();
  }
}

TEST_CASE("a device store is full at its limit, and what is in it stays", "[core][gpu]") {
  constexpr std::size_t bytes = 1000, limit = 100'000;
  for (const Backend& device : test::devices()) {
    const auto store = make_device_store(device, limit);
    CAPTURE(to_string(device));
    std::vector<std::uint64_t> addresses;
    while (const auto address = append(*store, random_bytes(bytes, static_cast<unsigned>(addresses.size())))) {
      addresses.push_back(*address);
      REQUIRE(addresses.size() <= limit / bytes * device.all_devices().size());
    }
    CHECK(addresses.size() == limit / bytes * device.all_devices().size());
    CHECK(!append(*store, random_bytes(bytes, 1)));
    store->wait();
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      std::vector<std::byte> got(bytes);
      const DeviceStore::Piece piece = {addresses[i], got};
      store->read({&piece, 1})->finish();
      CHECK(got == random_bytes(bytes, static_cast<unsigned>(i)));
    }
    CHECK(!append(*make_device_store(device, 0), random_bytes(bytes, 2)));
  }
}
