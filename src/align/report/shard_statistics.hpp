// The statistics of a shard: a file next to it, from which `merge` makes the report of the run.
//
// The file has a magic, a version, its content (core/binary_values.hpp) and the CRC-32 of all before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "align/pair/read_group_insert_sizes.hpp"
#include "align/report/align_statistics.hpp"
#include "align/report/reference_layout.hpp"
#include "records/shard.hpp"

namespace warpseed::align {

/// Everything in the report but the coverage, which is no sum, and the duplicates. Size: some 0.2 MB for short reads; 16
/// bytes for each length of long reads and each interval without N, 16 and the name for each contig.
struct ShardStatistics {
  records::Shard shard;                  // without the span of its reads, which is in the records' file alone
  std::string command_line;              // of its run; a file of another run has another one
  std::vector<std::string> read_groups;  // see ReportContext, as the following
  std::vector<std::string> read_group_lines = {};
  std::string index_path = {};
  std::uint32_t index_checksum = 0;
  ReferenceLayout reference = {};
  std::vector<InsertSizeDistributions> insert_sizes = {};  // by read group number, of the reads up to the shard's end
  AlignStatistics statistics = AlignStatistics(true);
};

/// The file of a shard's statistics.
std::string shard_statistics_path(const std::string& shard_path);

/// The bytes of the file.
std::string packed(const ShardStatistics& statistics);

/// What packed() has returned. Throws InputError for any other bytes. path: for messages.
ShardStatistics unpack_shard_statistics(std::string_view bytes, const std::string& path);

/// Throws InputError if there is no such file, or it is damaged or no such file; IoError.
ShardStatistics read_shard_statistics(const std::string& path);

/// The distributions of all read groups by number, to be stored. Without the scores of single distances.
std::vector<InsertSizeDistributions> distributions_of(const ReadGroupInsertSizes& insert_sizes);

}  // namespace warpseed::align
