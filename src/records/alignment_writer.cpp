#include "records/alignment_writer.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/background_writer.hpp"
#include "records/alignment_file.hpp"
#include "records/duplicate_marker.hpp"
#include "records/record_runs.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

/// Writes records and frees them.
void write_and_release(AlignmentFile& file, std::vector<BamRecord> records, int threads) {
  std::vector<const bam1_t*> pointers;
  pointers.reserve(records.size());
  for (const BamRecord& record : records) pointers.push_back(record.get());
  file.write(pointers);
  release(records, threads);
}

class PlainWriter final : public AlignmentWriter {
 public:
  PlainWriter(const SamHeader& header, const WriterOptions& options)
      : file_(open_alignment_file(header, options)), threads_(options.threads) {}

  void write(std::vector<BamRecord> records) override { write_and_release(*file_, std::move(records), threads_); }
  void finish() override { file_->finish(); }

 private:
  const std::unique_ptr<AlignmentFile> file_;
  const int threads_;
};

/// Keeps records in memory as long as they fit, and sorted runs on disk beyond that. The order is total (position, then
/// input order), so the output does not depend on where runs are cut.
class SortingWriter final : public AlignmentWriter {
 public:
  SortingWriter(const SamHeader& header, const WriterOptions& options)
      : options_(options),
        file_(open_alignment_file(header, options)),
        libraries_(header.read_group_lines),
        runs_(options.path, options.threads, {}, options.temporary_folder) {}

  void write(std::vector<BamRecord> records) override {
    if (options_.mark_duplicates) longest_span_ = std::max(longest_span_, store_scores(records));
    for (BamRecord& record : records) {
      memory_bytes_ += waiting_bytes(record.get()->m_data);
      waiting_.push_back(std::move(record));
      if (memory_bytes_ >= options_.sort_memory_bytes) spill();
    }
  }

  DuplicateSummary flush_sorted() override {
    if (runs_.empty()) return write_marked([&](const RecordSink& sink) { emit_waiting(sink); });
    spill();
    return write_marked([&](const RecordSink& sink) { runs_.merge(sink); });
  }

  void finish() override {
    flush_sorted();
    file_->finish();
  }

 private:
  void emit_waiting(const RecordSink& sink) {
    Backend backend = options_.sort_backend ? options_.sort_backend() : Backend{};
    backend.threads = options_.threads;
    emit_sorted(std::exchange(waiting_, {}), backend, sink);
    memory_bytes_ = 0;
  }

  /// Passes all records on in the order of `emit`, through the duplicate marker if duplicates are marked.
  template <class Emit>
  DuplicateSummary write_marked(const Emit& emit) {
    BackgroundWriter<std::vector<BamRecord>> writer([this](std::vector<BamRecord>& records) {
      write_and_release(*file_, std::exchange(records, {}), options_.threads);
    });
    const RecordSink write = [&](std::vector<BamRecord> records) { writer.write(records); };
    DuplicateMarker marker({longest_span_, options_.threads}, write, libraries_);
    if (options_.mark_duplicates) {
      emit([&](std::vector<BamRecord> records) { marker.add(std::move(records)); });
    } else {
      emit(write);
    }
    marker.finish();
    writer.finish();
    return marker.summary();
  }

  void spill() {
    if (waiting_.empty()) return;
    runs_.begin_run();
    emit_waiting([&](std::vector<BamRecord> records) {
      runs_.write(records);
      release(records, options_.threads);
    });
  }

  WriterOptions options_;
  const std::unique_ptr<AlignmentFile> file_;
  const LibraryTable libraries_;
  RecordRuns runs_;
  std::vector<BamRecord> waiting_;
  std::uint64_t memory_bytes_ = 0;
  std::int64_t longest_span_ = 0;  // of the reads that take part in duplicate marking
};

}  // namespace

AlignmentFormat choose_format(std::string_view name, const std::string& path) {
  if (name == "sam") return AlignmentFormat::sam;
  if (name == "bam") return AlignmentFormat::bam;
  if (name == "cram") return AlignmentFormat::cram;
  if (name == "paf") return AlignmentFormat::paf;
  if (!name.empty()) {
    throw InputError(fmt::format("unknown output format \"{}\" (choose sam, bam, cram or paf)", name));
  }
  if (path.ends_with(".bam")) return AlignmentFormat::bam;
  if (path.ends_with(".cram")) return AlignmentFormat::cram;
  if (path.ends_with(".paf")) return AlignmentFormat::paf;
  return AlignmentFormat::sam;
}

std::unique_ptr<AlignmentWriter> open_alignments(const SamHeader& header, const WriterOptions& options) {
  if (options.mark_duplicates && !options.sort) {
    throw std::invalid_argument("open_alignments: duplicates are marked in coordinate order, so with `sort` only");
  }
  if (options.sort) return std::make_unique<SortingWriter>(header, options);
  return std::make_unique<PlainWriter>(header, options);
}

}  // namespace warpseed::records
