#include "core/deflate.hpp"

#include <isa-l/igzip_lib.h>

#include <cstdint>
#include <memory>

namespace warpseed {

namespace {

/// ISA-L takes a non-const pointer to its input, which it only reads.
std::uint8_t* input_of(std::span<const std::byte> bytes) {
  return reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(bytes.data()));
}

}  // namespace

std::vector<std::byte> deflated(std::span<const std::byte> bytes, DeflateEffort effort) {
  std::vector<std::byte> out(bytes.size());
  std::unique_ptr<std::uint8_t[]> room;
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  stream.level = 0;
  if (effort == DeflateEffort::little) {
    room = std::make_unique_for_overwrite<std::uint8_t[]>(ISAL_DEF_LVL1_DEFAULT);  // it clears what it reads
    stream.level = 1;
    stream.level_buf = room.get(), stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
  }
  stream.end_of_stream = 1;
  stream.next_in = input_of(bytes), stream.avail_in = static_cast<std::uint32_t>(bytes.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  const bool done = isal_deflate_stateless(&stream) == COMP_OK && stream.avail_in == 0 && stream.avail_out > 0;
  out.resize(done ? stream.total_out : 0);
  return out;
}

bool inflate(std::span<const std::byte> from, std::span<std::byte> to) {
  inflate_state state;
  isal_inflate_init(&state);
  state.next_in = input_of(from), state.avail_in = static_cast<std::uint32_t>(from.size());
  state.next_out = reinterpret_cast<std::uint8_t*>(to.data());
  state.avail_out = static_cast<std::uint32_t>(to.size());
  return isal_inflate_stateless(&state) == ISAL_DECOMP_OK && state.avail_out == 0;
}

}  // namespace warpseed
