// Makes of the shards of a run the file of one run.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "records/alignment_file.hpp"
#include "records/alignment_writer.hpp"
#include "records/library_duplicates.hpp"
#include "records/shard_ranges.hpp"

namespace warpseed::records {

/// A shard as its header describes it.
struct ShardFile {
  std::string path;
  Shard shard;
  std::string command_line;  // of the run that wrote it, escaped; see escape_header()
};

/// Is called with merged records, each once, from many threads at a time.
using RecordObserver = std::function<void(std::span<const bam1_t* const> records)>;

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
  std::vector<ShardFile> files() const;  // by number

  /// Writes the merged records; once. options: of the output; `sort` and `mark_duplicates` are those of the shards.
  /// command_line: of this merge, added to that in the header. observe: for all records, if it is not empty. Memory:
  /// MergeSizes::range_bytes for each thread, and five blocks for each shard. Throws InputError for damaged shards, IoError.
  DuplicateSummary write(WriterOptions options, const std::string& command_line, const RecordObserver& observe = {});

  /// Completes the file and its index, and renames them, after write(). Without it, no file remains.
  void finish();

 private:
  std::vector<LibraryDuplicates> write_sorted(int threads, const SamHeader& header, const RecordObserver& observe);
  void write_unsorted(int threads, const RecordObserver& observe);

  const MergeSizes sizes_;
  std::vector<std::unique_ptr<ShardReader>> readers_;  // by number
  std::unique_ptr<AlignmentFile> file_;
};

}  // namespace warpseed::records
