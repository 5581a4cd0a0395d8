#include "records/alignment_writer.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "records/alignment_file.hpp"
#include "records/overlapped_writer.hpp"
#include "records/record_order.hpp"
#include "records/sorting_writer.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

class PlainWriter final : public AlignmentWriter {
 public:
  PlainWriter(const SamHeader& header, const WriterOptions& options)
      : file_(open_alignment_file(header, options)), threads_(options.threads), writer_(*file_, options.threads) {}

  void write(std::vector<BamRecord> records) override {
    const auto batch = std::make_shared<Batch>();
    batch->records = std::move(records);
    batch->pointers.reserve(batch->records.size());
    for (const BamRecord& record : batch->records) batch->pointers.push_back(record.get());
    writer_.write(batch->pointers, [batch, threads = threads_] { release(batch->records, threads); });
  }

  void finish() override {
    writer_.finish();
    file_->finish();
  }

 private:
  struct Batch {
    std::vector<BamRecord> records;
    std::vector<const bam1_t*> pointers;
  };

  const std::unique_ptr<AlignmentFile> file_;
  const int threads_;
  OverlappedWriter writer_;  // last: it uses the file
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
  if (!options.shard) return std::make_unique<PlainWriter>(header, options);
  SamHeader of_shard = header;
  of_shard.comment_lines.push_back(shard_line(*options.shard));
  return std::make_unique<PlainWriter>(of_shard, options);
}

}  // namespace warpseed::records
