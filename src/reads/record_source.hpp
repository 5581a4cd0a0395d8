// Reads out of SAM, BAM or CRAM.
#pragma once

#include <memory>
#include <string>

#include "core/byte_source.hpp"
#include "reads/read_source.hpp"

namespace warpseed::reads {

/// What open_reads() gives for a file whose bytes begins_records() knows. name: for messages. Of `input` the paths are not
/// looked at.
std::unique_ptr<ReadSource> open_records(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                         const ReadInput& input);

}  // namespace warpseed::reads
