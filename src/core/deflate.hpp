// Raw deflate (RFC 1951) of whole buffers, by ISA-L.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpseed {

/// Compresses at ISA-L's level 1, for speed. Empty if the result is not smaller.
std::vector<std::byte> deflated(std::span<const std::byte> bytes);

/// Decompresses `from` into `to`. True if the sizes match; the content has to be checked by a checksum.
bool inflate(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace warpseed
