// Decompression of gzip and BGZF; private to the module.
#pragma once

#include <memory>
#include <string_view>

#include "core/byte_source.hpp"
#include "core/raw_file.hpp"

namespace warpseed {

/// `start`: the bytes of `file` that were already read. `lacks_eof_block`: they follow BGZF without its final empty
/// block, so more data is required.
std::unique_ptr<ByteSource> make_gzip_source(RawFile file, std::string_view start, bool lacks_eof_block = false);

}  // namespace warpseed
