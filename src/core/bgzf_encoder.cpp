#include "core/bgzf_encoder.hpp"

#include <array>
#include <cassert>
#include <cstring>

#include "core/checksum.hpp"
#include "core/deflate_encoder.hpp"
#include "core/deflate_header_core.hpp"

namespace warpseed {

namespace {

constexpr std::size_t header_bytes = 18, footer_bytes = 8;

/// A gzip member of unknown time and system, with the extra field BC, which holds the block's size less one.
constexpr char header[header_bytes + 1] = "\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0\0";

}  // namespace

void append_bgzf_block(std::span<const std::byte> packed, std::span<const std::byte> bytes, std::uint32_t checksum,
                       std::string& to) {
  assert(bytes.size() <= bgzf_block_bytes);
  const bool stored = packed.empty();
  const std::size_t packed_bytes = stored ? deflate::stored_header_bytes + bytes.size() : packed.size();
  const auto size_less_one = static_cast<std::uint16_t>(header_bytes + packed_bytes + footer_bytes - 1);
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const std::size_t begin = to.size();
  to.append(header, header_bytes);
  std::memcpy(to.data() + begin + header_bytes - sizeof size_less_one, &size_less_one, sizeof size_less_one);
  if (stored) {
    std::array<std::byte, deflate::stored_header_bytes> stored_header;
    deflate::put_stored_header(bytes.size(), true, stored_header.data());
    to.append(reinterpret_cast<const char*>(stored_header.data()), stored_header.size());
    packed = bytes;
  }
  to.append(reinterpret_cast<const char*>(packed.data()), packed.size());
  to.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  to.append(reinterpret_cast<const char*>(&size), sizeof size);
}

void append_bgzf_block(std::span<const std::byte> packed, std::span<const std::byte> bytes, std::string& to) {
  append_bgzf_block(packed, bytes, crc32(bytes), to);
}

}  // namespace warpseed
