// Raw deflate (RFC 1951) of whole buffers, by ISA-L.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpseed {

/// ISA-L's levels 0 and 1.
enum class DeflateEffort { least, little };

/// Empty if the result is not smaller.
std::vector<std::byte> deflated(std::span<const std::byte> bytes, DeflateEffort effort = DeflateEffort::little);

/// Decompresses `from` into `to`. True if the sizes match; the content has to be checked by a checksum.
bool inflate(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace warpseed
