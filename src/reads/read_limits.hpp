// What a read may have at most. Private to the module.
#pragma once

#include <cstdint>
#include <limits>

namespace warpseed::reads {

constexpr std::uint64_t longest_read = std::numeric_limits<std::int32_t>::max();     // bases: BAM's l_seq
constexpr std::uint64_t longest_record = std::numeric_limits<std::uint32_t>::max();  // bytes: ReadBatch's offsets

}  // namespace warpseed::reads
