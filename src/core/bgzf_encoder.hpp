// Writes BGZF blocks: SAM/BAM specification 1.6, section 4.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/deflate_encoder.hpp"

namespace warpseed {

/// Bytes that a BGZF block holds at most, as htslib cuts them.
constexpr std::uint32_t bgzf_block_bytes = 0xff00;

/// Appends the block of `bytes` by our own encoder to `to`. At most bgzf_block_bytes.
void append_bgzf_block(DeflateEncoder& encoder, std::span<const std::byte> bytes,
                       std::span<const deflate::Field> fields, std::string& to);

}  // namespace warpseed
