// Writes records in coordinate order. Private to the module.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/background_writer.hpp"
#include "records/alignment_file.hpp"
#include "records/alignment_writer.hpp"
#include "records/record_runs.hpp"
#include "records/waiting_records.hpp"

namespace warpseed::records {

/// While records arrive, those before are sorted and packed in the background, a run at a time. At the end all threads
/// read, merge and mark ranges of the genome, which are written in order. The order is total (position, then input
/// order), so the output does not depend on where runs and ranges are cut. Of a shard duplicates are not marked, and the
/// scores of pairs are kept instead.
class SortingWriter final : public AlignmentWriter {
 public:
  SortingWriter(const SamHeader& header, const WriterOptions& options);

  void write(std::vector<BamRecord> records) override;
  DuplicateSummary flush_sorted() override;
  void finish() override;

 private:
  using Batches = std::vector<WaitingRecords>;
  void end_run();
  void add_run(Batches& batches);
  bool marks() const { return options_.mark_duplicates && !options_.shard; }
  void open_shard();
  std::size_t ranges_at_a_time(std::size_t count) const;
  std::vector<LibraryDuplicates> write_records();

  const WriterOptions options_;
  SamHeader header_;
  std::unique_ptr<AlignmentFile> file_;  // of a shard: once all its reads are known
  const LibraryTable libraries_;
  RecordRuns runs_;
  Batches waiting_;
  std::uint64_t waiting_bytes_ = 0;
  std::int64_t longest_span_ = 0;                    // of the reads that take part in duplicate marking
  std::optional<BackgroundWriter<Batches>> sorter_;  // last: it uses runs_
};

}  // namespace warpseed::records
