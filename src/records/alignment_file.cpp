#include "records/alignment_file.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <utility>

#include "records/bam_file.hpp"
#include "records/cram_file.hpp"
#include "records/htslib_memory.hpp"
#include "records/sam_file.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t longest_bai_contig = 1ULL << 29;  // where the last BAI bin ends

/// Checks that the options are compatible and that the format can hold the contigs.
void check(const SamHeader& header, const WriterOptions& options) {
  constexpr std::uint64_t longest = std::numeric_limits<std::int32_t>::max();
  if (options.compression_level < -1 || options.compression_level > 9) {
    throw InputError(
        fmt::format("compression level {} is none: choose 0 to 9, or -1 for the default", options.compression_level));
  }
  if (options.format == AlignmentFormat::paf && options.sort) {
    throw InputError("PAF is not sorted: leave --sort out, or sort its lines by name and position of the contig");
  }
  const bool is_text = options.format == AlignmentFormat::sam || options.format == AlignmentFormat::paf;
  if (is_text && !options.sort) return;
  for (const auto& [name, length] : header.contigs) {
    if (length <= longest) continue;
    throw InputError(fmt::format("contig {} has {} bases, BAM, CRAM and sorted output take {}; write unsorted SAM",
                                 name, length, longest));
  }
}

}  // namespace

std::unique_ptr<FilePart> AlignmentFile::measure(std::span<const bam1_t* const> records, std::span<const RecordFacts>) {
  auto part = std::make_unique<FilePart>();
  part->records = records;
  return part;
}

void write(AlignmentFile& file, std::span<const bam1_t* const> records, int threads) {
  tbb::task_arena arena(std::max(threads, 1));
  arena.execute([&] {
    std::unique_ptr<FilePart> part = file.measure(records, {});
    file.cut(*part);
    file.encode(*part);
    file.append(*part);
    file.store(std::move(part));
  });
}

std::unique_ptr<AlignmentFile> open_alignment_file(const SamHeader& header, const WriterOptions& options) {
  check(header, options);
  switch (options.format) {
    case AlignmentFormat::bam: return std::make_unique<BamFile>(header, options);
    case AlignmentFormat::cram: return std::make_unique<CramFile>(header, options);
    case AlignmentFormat::sam:
    case AlignmentFormat::paf: break;
  }
  return std::make_unique<SamFile>(header, options);
}

ParsedHeader parse_header(const std::string& text, const std::string& path) {
  errno = 0;
  ParsedHeader header(sam_hdr_parse(text.size(), text.data()), sam_hdr_destroy);
  if (header) return header;
  require_memory(errno);
  throw InputError(path + ": the header has lines that SAM does not take");
}

bool is_indexed(const WriterOptions& options, const PendingFile& pending) {
  return options.sort && options.format != AlignmentFormat::sam && !pending.in_place();
}

int index_min_shift(const SamHeader& header) {
  std::uint64_t longest = 0;
  for (const auto& [name, length] : header.contigs) longest = std::max(longest, length);
  return longest <= longest_bai_contig ? 0 : csi_min_shift;
}

void commit_index(PendingFile& index) {
  // samtools warns if an index is older than its file.
  std::filesystem::last_write_time(index.writing_path(), std::filesystem::file_time_type::clock::now());
  index.commit();
}

}  // namespace warpseed::records
