// Decompression of BGZF by many threads; private to the module.
#pragma once

#include <memory>
#include <string_view>

#include "core/byte_source.hpp"
#include "core/raw_file.hpp"

namespace warpseed {

/// How much of a file has to be seen to tell BGZF: its header as every writer makes it.
constexpr std::size_t bgzf_header_bytes = 18;

/// Whether a file that begins so is BGZF.
bool begins_bgzf(std::string_view start);

/// `start`: the bytes of `file` that were read already to recognise it.
std::unique_ptr<ByteSource> make_bgzf_source(RawFile file, std::string_view start);

}  // namespace warpseed
