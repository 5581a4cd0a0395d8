// Makes of the shards of a run the file of one run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "records/alignment_writer.hpp"
#include "records/library_duplicates.hpp"
#include "records/shard_ranges.hpp"

namespace warpseed::records {

/// All shards of a run, in any order. Their records, merged, are those that one run over all reads writes, in its order,
/// with its duplicates marked.
class ShardMerge {
 public:
  /// Opens the files. Throws InputError if one is no shard, if one is missing, or if they are not of one run: of different
  /// numbers of reads, contigs, read groups or versions, or sorted and not.
  explicit ShardMerge(const std::vector<std::string>& paths, const MergeSizes& sizes = {});

  bool is_sorted() const;
  bool marks_duplicates() const;
  std::uint64_t reads() const;
  std::size_t shards() const { return readers_.size(); }

  /// Writes the merged records; once. options: of the output; `sort` and `mark_duplicates` are those of the shards.
  /// command_line: of this merge, added to that in the header. Memory: MergeSizes::range_bytes for each thread, and five blocks
  /// for each shard. Throws InputError for damaged shards, IoError.
  DuplicateSummary write(WriterOptions options, const std::string& command_line);

 private:
  std::vector<LibraryDuplicates> write_sorted(const WriterOptions& options, const SamHeader& header);
  void write_unsorted(const WriterOptions& options, const SamHeader& header);

  const MergeSizes sizes_;
  std::vector<std::unique_ptr<ShardReader>> readers_;  // by number
};

}  // namespace warpseed::records
