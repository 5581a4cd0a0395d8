// Writes BGZF blocks: SAM/BAM specification 1.6, section 4.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace warpseed {

/// Bytes that a BGZF block holds at most, as htslib cuts them.
constexpr std::uint32_t bgzf_block_bytes = 0xff00;

/// Appends the block of `bytes`, at most bgzf_block_bytes, to `to`. packed: their deflate stream; empty: a stored one.
/// checksum: the bytes' CRC-32.
void append_bgzf_block(std::span<const std::byte> packed, std::span<const std::byte> bytes, std::uint32_t checksum,
                       std::string& to);

/// Takes the checksum itself.
void append_bgzf_block(std::span<const std::byte> packed, std::span<const std::byte> bytes, std::string& to);

}  // namespace warpseed
