#include "records/sam_file.hpp"

#include <htslib/kstring.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "records/paf_lines.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

namespace {

constexpr std::size_t records_a_piece = 512;

void append_lines(std::span<const bam1_t* const> records, const sam_hdr_t* header, std::string& to) {
  kstring_t line = KS_INITIALIZE;
  const std::unique_ptr<kstring_t, void (*)(kstring_t*)> owner(&line, ks_free);
  for (const bam1_t* record : records) {
    if (sam_format1(header, record, &line) < 0) throw std::bad_alloc();
    to.append(line.s, line.l);
    to += '\n';
  }
}

}  // namespace

/// Its lines.
struct SamFile::Part final : FilePart {
  std::vector<std::string> pieces;  // [count] or more: memory is reused
  std::size_t count = 0;
  std::optional<ReservedRange> room;  // in the file, from append() to store()
};

SamFile::SamFile(const SamHeader& header, const WriterOptions& options)
    : file_(options.path),
      piece_writer_(file_, options.threads),
      header_(nullptr, sam_hdr_destroy),
      paf_(options.format == AlignmentFormat::paf) {
  std::string text = header_text(header, options.sort);
  header_ = parse_header(text, options.path);
  if (!paf_) piece_writer_.begin_with(std::move(text));
}

SamFile::~SamFile() = default;

std::unique_ptr<FilePart> SamFile::measure(std::span<const bam1_t* const> records, std::span<const RecordFacts>) {
  std::unique_ptr<Part> part;
  if (!stored_.try_pop(part)) part = std::make_unique<Part>();
  part->records = records;
  part->count = (records.size() + records_a_piece - 1) / records_a_piece;
  if (part->pieces.size() < part->count) part->pieces.resize(part->count);
  return part;
}

void SamFile::encode(FilePart& part) {
  std::vector<std::string>& pieces = static_cast<Part&>(part).pieces;
  const std::span<const bam1_t* const> records = part.records;
  tbb::parallel_for(std::size_t{0}, static_cast<Part&>(part).count, [&](std::size_t i) {
    pieces[i].clear();
    const std::size_t begin = i * records_a_piece;
    const auto mine = records.subspan(begin, std::min(records_a_piece, records.size() - begin));
    paf_ ? append_paf_lines(mine, header_.get(), pieces[i]) : append_lines(mine, header_.get(), pieces[i]);
  });
}

void SamFile::append(FilePart& part) {
  Part& lines = static_cast<Part&>(part);
  lines.room = piece_writer_.write_or_reserve(lines.pieces, lines.count);
}

void SamFile::store(std::unique_ptr<FilePart> part) {
  std::unique_ptr<Part> lines(static_cast<Part*>(part.release()));
  if (lines->room) lines->room->fill(std::span(lines->pieces).first(lines->count));
  lines->room.reset();
  stored_.push(std::move(lines));
}

void SamFile::finish() {
  piece_writer_.finish();
  file_.commit();
}

}  // namespace warpseed::records
