// Multithreaded decompression of BGZF; private to the module.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/byte_source.hpp"
#include "core/raw_file.hpp"

namespace warpseed {

/// Bytes needed to recognise BGZF: its header as all writers lay it out.
constexpr std::size_t bgzf_header_bytes = 18;

/// Whether a file that begins with `start` is BGZF.
bool begins_bgzf(std::string_view start);

/// Implements find_blocks() for a file that begins with a block of BGZF.
void find_bgzf_blocks(RawFile file, std::span<BytePosition> positions);

/// `start`: the bytes of `file` that were already read to recognise it. most_bytes: of the file, that are decompressed
/// together.
std::unique_ptr<ByteSource> make_bgzf_source(RawFile file, std::string_view start, std::uint64_t most_bytes);

}  // namespace warpseed
