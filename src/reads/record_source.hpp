// Reads from SAM, BAM or CRAM.
#pragma once

#include <memory>
#include <string>

#include "core/byte_source.hpp"
#include "reads/read_source.hpp"

namespace warpseed::reads {

/// Implements open_reads() for files that begins_records() recognises. name: for messages. Ignores input's paths.
std::unique_ptr<ReadSource> open_records(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                         const ReadInput& input);

}  // namespace warpseed::reads
