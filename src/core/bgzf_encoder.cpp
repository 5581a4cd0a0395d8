#include "core/bgzf_encoder.hpp"

#include <cassert>
#include <cstring>

#include "core/checksum.hpp"

namespace warpseed {

namespace {

constexpr std::size_t header_bytes = 18, footer_bytes = 8;

/// A gzip member of unknown time and system, with the extra field BC, which holds the block's size less one.
constexpr char header[header_bytes + 1] = "\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0\0";

}  // namespace

void append_bgzf_block(DeflateEncoder& encoder, std::span<const std::byte> bytes,
                       std::span<const deflate::Field> fields, std::string& to) {
  assert(bytes.size() <= bgzf_block_bytes);
  const std::span<const std::byte> packed = encoder.encode(bytes, fields);
  const auto size_less_one = static_cast<std::uint16_t>(header_bytes + packed.size() + footer_bytes - 1);
  const std::uint32_t checksum = crc32(bytes), size = static_cast<std::uint32_t>(bytes.size());
  const std::size_t begin = to.size();
  to.append(header, header_bytes);
  std::memcpy(to.data() + begin + header_bytes - sizeof size_less_one, &size_less_one, sizeof size_less_one);
  to.append(reinterpret_cast<const char*>(packed.data()), packed.size());
  to.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  to.append(reinterpret_cast<const char*>(&size), sizeof size);
}

}  // namespace warpseed
