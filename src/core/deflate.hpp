// Raw deflate (RFC 1951) of whole buffers, by ISA-L.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpseed {

/// By the quickest way that there is. Empty if the bytes do not become fewer.
std::vector<std::byte> deflated(std::span<const std::byte> bytes);

/// Fills `to` with what `from` was made of. Whether it had just so many bytes; what they were a checksum has to tell.
bool inflate(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace warpseed
