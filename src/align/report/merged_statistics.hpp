// The report of a run from the statistics of its shards, and from their records.
#pragma once

#include <htslib/sam.h>
#include <tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "align/report/align_report.hpp"
#include "align/report/shard_statistics.hpp"
#include "records/shard_merge.hpp"

namespace warpseed::align {

/// The statistics that one run over all reads gathers. Insert sizes are those that the last shard has learnt: it has
/// passed over all reads before its own, and learnt from them as that run does. Coverage is counted again, as a base that
/// several shards cover is one covered base. Memory: that of CoverageMap, and one shard's statistics at a time.
class MergedStatistics {
 public:
  /// Reads the statistics of all shards of a run, by number. Throws InputError if a file is missing or damaged, or is not
  /// of its shard's run; IoError.
  explicit MergedStatistics(const std::vector<records::ShardFile>& shards);
  MergedStatistics(const MergedStatistics&) = delete;
  MergedStatistics& operator=(const MergedStatistics&) = delete;

  /// Adds merged records, each once. Cost: that of CoverageMap::add(). Throws InputError for one that ends after its
  /// contig. Threads: any, several at a time.
  void add(std::span<const bam1_t* const> records);

  /// The sums, when all records have been added. Throws InputError if the shards have not as many as were counted.
  AlignStatistics total() const;
  const ReadGroupInsertSizes& insert_sizes() const { return insert_sizes_; }

  /// Without duplicates; this must outlive it. command_line: of the merge, added to that of the first shard.
  ReportContext context(const std::string& command_line);

 private:
  struct Counts {
    std::uint64_t records = 0;
    std::vector<std::uint64_t> window_bases;
  };

  ShardStatistics run_;  // the first shard's, and the sums of all
  ReadGroupInsertSizes insert_sizes_;
  CoverageMap coverage_;
  tbb::enumerable_thread_specific<Counts> counts_;
};

}  // namespace warpseed::align
