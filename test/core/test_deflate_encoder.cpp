// Our deflate encoder, with zlib and ISA-L as readers.
#include "core/deflate_encoder.hpp"

#include <zlib.h>

#include <random>
#include <stdexcept>
#include <string>

#include "catch.hpp"
#include "core/bgzf_encoder.hpp"
#include "core/deflate.hpp"
#include "core/deflate_blocks.hpp"

namespace warpseed {
namespace {

using deflate::Field;
using deflate::FieldKind;
using test::Bytes, test::copied_bytes, test::periodic_bytes, test::random_bytes, test::random_fields;

/// What zlib makes of a raw stream; empty with `bad` set if it is damaged or longer than `packed` says.
Bytes inflated_by_zlib(std::span<const std::byte> packed, std::size_t size, bool& good) {
  Bytes out(size + 1);  // a byte more, which must stay unused
  z_stream stream = {};
  REQUIRE(inflateInit2(&stream, -15) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  good = ::inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0;
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

/// Whether both readers restore the block.
bool comes_back(std::span<const std::byte> packed, const Bytes& block) {
  bool good = false;
  const Bytes by_zlib = inflated_by_zlib(packed, block.size(), good);
  Bytes by_isal(block.size());
  return good && by_zlib == block && (block.empty() || (inflate(packed, by_isal) && by_isal == block));
}

const std::vector<std::size_t> sizes = {0,    1,     2,     3,     4,     5,     6,     7,    8,    9,    15,
                                        16,   17,    31,    32,    33,    63,    64,    65,   66,   67,   68,
                                        127,  257,   258,   259,   260,   262,   513,   2047, 2048, 2049, 2051,
                                        4095, 32767, 32768, 32769, 65279, 65280, 65535, 65536};

}  // namespace

TEST_CASE("deflated blocks come back", "[core][deflate]") {
  const std::size_t size = GENERATE(from_range(sizes));
  const unsigned seed = 71 + static_cast<unsigned>(size);
  CAPTURE(size, seed);
  std::mt19937 rng(seed);
  DeflateEncoder encoder;
  std::vector<Bytes> blocks = {copied_bytes(size, rng)};
  for (const unsigned symbols : {1U, 2U, 4U, 40U, 256U}) blocks.push_back(random_bytes(size, symbols, rng));
  for (const std::size_t period : {2, 3, 4, 5, 6, 7, 300, 32768, 40000})
    blocks.push_back(periodic_bytes(size, period, rng));
  for (const Bytes& block : blocks) {
    std::vector<std::vector<Field>> layouts = {{}};
    for (const std::size_t longest : {5, 300, 70000}) layouts.push_back(random_fields(size, longest, rng));
    for (const FieldKind kind : {FieldKind::short_matches, FieldKind::long_matches, FieldKind::runs}) {
      layouts.push_back({{static_cast<std::uint32_t>(size), kind}});
    }
    for (const std::vector<Field>& fields : layouts) {
      const std::span<const std::byte> packed = encoder.encode(block, fields);
      CHECK(packed.size() <= size + 10);
      const bool back = comes_back(packed, block);
      CHECK(back);
      const Bytes copy(packed.begin(), packed.end());
      DeflateEncoder other;
      const std::span<const std::byte> again = other.encode(block, fields);
      const bool same = std::ranges::equal(again, copy);  // nothing of an earlier block is left
      CHECK(same);
    }
  }
}

TEST_CASE("what repeats is deflated to little, noise is stored", "[core][deflate]") {
  std::mt19937 rng(72);
  DeflateEncoder encoder;
  const std::size_t size = bgzf_block_bytes;
  const Field runs = {bgzf_block_bytes, FieldKind::runs};
  CHECK(encoder.encode(Bytes(size, std::byte{'F'})).size() < 200);
  CHECK(encoder.encode(Bytes(size, std::byte{'F'}), {&runs, 1}).size() < 200);
  CHECK(encoder.encode(periodic_bytes(size, 300, rng)).size() < 800);
  CHECK(encoder.encode(random_bytes(size, 4, rng), {&runs, 1}).size() < size * 29 / 100);  // 2 bits a byte are 25 %
  CHECK(encoder.encode(random_bytes(size, 256, rng)).size() == size + 5);
}

TEST_CASE("counts like Fibonacci numbers do not make codes too long", "[core][deflate]") {
  Bytes block;
  std::size_t count = 1, before = 1;
  for (unsigned symbol = 0; symbol < 22; ++symbol) {
    block.insert(block.end(), count, std::byte(symbol * 5));
    before = std::exchange(count, count + before);
  }
  block.resize(65536);
  std::mt19937 rng(73);
  std::ranges::shuffle(block, rng);
  const Field field = {65536, FieldKind::long_matches};
  DeflateEncoder encoder;
  const std::span<const std::byte> packed = encoder.encode(block, {&field, 1});
  CHECK(packed.size() < 25000);
  const bool back = comes_back(packed, block);
  CHECK(back);
}

TEST_CASE("fields that do not fit their block are refused", "[core][deflate]") {
  DeflateEncoder encoder;
  const Bytes block(100);
  const std::vector<Field> shorter = {{99, FieldKind::runs}}, longer = {{101, FieldKind::runs}},
                           back = {{60, FieldKind::runs}, {50, FieldKind::runs}, {100, FieldKind::runs}};
  CHECK_THROWS_AS(encoder.encode(block, shorter), std::invalid_argument);
  CHECK_THROWS_AS(encoder.encode(block, longer), std::invalid_argument);
  CHECK_THROWS_AS(encoder.encode(block, back), std::invalid_argument);
  CHECK_THROWS_AS(encoder.encode(Bytes(65537)), std::invalid_argument);
}

}  // namespace warpseed
