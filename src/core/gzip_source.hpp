// Decompression of gzip and BGZF; private to the module.
#pragma once

#include <memory>
#include <string_view>

#include "core/byte_source.hpp"
#include "core/raw_file.hpp"

namespace warpseed {

/// `start`: the bytes of `file` that were read already. `unmarked_bgzf`: before them came BGZF without the empty block
/// that ends it, so that there has to be more.
std::unique_ptr<ByteSource> make_gzip_source(RawFile file, std::string_view start, bool unmarked_bgzf = false);

}  // namespace warpseed
