// Blocks that a device deflates, against the CPU's encoder.
#include "core/deflate_batch.hpp"

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/checksum.hpp"
#include "core/deflate_blocks.hpp"
#include "core/deflate_encoder.hpp"
#include "devices.hpp"

namespace warpseed {
namespace {

using deflate::Field;
using deflate::FieldKind;
using test::Bytes;

struct Wanted {
  Bytes block;
  std::vector<Field> fields;
};

/// Every kind of block with every kind of fields.
std::vector<Wanted> blocks_of(std::size_t size, std::mt19937& rng) {
  std::vector<Bytes> blocks = {test::copied_bytes(size, rng), test::copied_bytes(size, rng)};
  for (const unsigned symbols : {1U, 2U, 4U, 40U, 256U}) blocks.push_back(test::random_bytes(size, symbols, rng));
  for (const std::size_t period : {2, 3, 4, 5, 7, 37, 300, 32768, 40000})
    blocks.push_back(test::periodic_bytes(size, period, rng));
  std::vector<Wanted> all;
  for (const Bytes& block : blocks) {
    all.push_back({block, {}});
    for (const std::size_t longest : {5, 20, 300, 7000, 70000})
      all.push_back({block, test::random_fields(size, longest, rng)});
    for (const FieldKind kind : {FieldKind::short_matches, FieldKind::long_matches, FieldKind::runs}) {
      all.push_back({block, {{static_cast<std::uint32_t>(size), kind}}});
    }
  }
  std::ranges::shuffle(all, rng);
  return all;
}

/// Starts a batch of all blocks.
bool start(DeflateBatch& batch, const std::vector<Wanted>& all) {
  std::vector<BatchBlock> blocks;
  std::uint64_t bytes = 0;
  for (const Wanted& wanted : all) {
    blocks.push_back({bytes, static_cast<std::uint32_t>(wanted.block.size()), wanted.fields});
    bytes = DeflateBatch::after(bytes + wanted.block.size());
  }
  char* const room = batch.room(bytes);
  std::memset(room, 'x', bytes);  // what is between blocks must not matter
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].block.empty()) std::memcpy(room + blocks[i].begin, all[i].block.data(), all[i].block.size());
  }
  return batch.start(blocks);
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The number of streams that are not the CPU's.
std::size_t different_streams(const DeflateBatch& batch, const std::vector<Wanted>& all) {
  DeflateEncoder encoder;
  std::size_t different = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string wanted = text_of(encoder.encode(all[i].block, all[i].fields));
    std::string stream = text_of(batch.packed(i));
    if (stream.empty()) {
      stream.resize(all[i].block.size() + 10);
      stream.resize(deflate::write_stored(all[i].block, reinterpret_cast<std::byte*>(stream.data())));
    }
    if (stream != wanted) ++different;
  }
  return different;
}

}  // namespace

TEST_CASE("devices deflate blocks to the CPU's streams", "[core][deflate][gpu]") {
  for (const Backend& device : test::devices()) {
    const std::unique_ptr<DeflateBatch> batch = make_deflate_batch(device);
    for (const std::size_t size : {0, 1, 3, 4, 7, 9, 31, 64, 100, 513, 2049, 20000, 65280, 65535, 65536}) {
      const unsigned seed = 91 + static_cast<unsigned>(size);
      CAPTURE(to_string(device), size, seed);
      std::mt19937 rng(seed);
      const std::vector<Wanted> all = blocks_of(size, rng);
      REQUIRE(start(*batch, all));
      batch->wait();
      CHECK(different_streams(*batch, all) == 0);
      for (std::size_t i = 0; i < all.size(); ++i) CHECK(batch->checksum(i) == crc32(all[i].block));
    }
  }
}

TEST_CASE("a device refuses fields that do not fit their block", "[core][deflate][gpu]") {
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    const std::unique_ptr<DeflateBatch> batch = make_deflate_batch(device);
    CHECK_THROWS_AS(start(*batch, {{Bytes(100), {{99, FieldKind::runs}}}}), std::invalid_argument);
    REQUIRE(start(*batch, {{Bytes(100), {{100, FieldKind::runs}}}}));
    batch->wait();
    CHECK(!batch->packed(0).empty());
  }
}

TEST_CASE("with little memory a device leaves blocks to the CPU", "[core][deflate][gpu]") {
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    std::mt19937 rng(92);
    const std::vector<Wanted> all = blocks_of(65536, rng);
    CHECK_FALSE(start(*make_deflate_batch(limit_device_memory(device, 64 << 20)), all));
  }
}

}  // namespace warpseed
