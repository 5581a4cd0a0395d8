// Index files as bytes, for tests that change them.
#pragma once

#include <cstring>
#include <span>
#include <string>

#include "core/checksum.hpp"
#include "index/index_format.hpp"

namespace warpseed::test {

inline index::format::Front front_of(const std::string& bytes) {
  index::format::Front front;
  std::memcpy(&front, bytes.data(), sizeof(front));
  return front;
}

/// Updates every checksum, so that only the later checks can fail.
inline void seal(std::string& bytes) {
  namespace format = index::format;
  format::Front front = front_of(bytes);
  for (format::Entry& entry : front.entries) {
    const std::uint64_t size = format::padded(entry.bytes);
    if (entry.offset > bytes.size() || size > bytes.size() - entry.offset || size < entry.bytes) continue;
    entry.crc32 = crc32(std::as_bytes(std::span(bytes.data() + entry.offset, size)));
  }
  front.header.crc32 = 0;
  front.header.crc32 = crc32(std::as_bytes(std::span(&front, 1)));
  std::memcpy(bytes.data(), &front, sizeof(front));
}

}  // namespace warpseed::test
