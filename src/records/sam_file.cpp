#include "records/sam_file.hpp"

#include <htslib/kstring.h>

#include <new>
#include <utility>

#include "core/parallel.hpp"
#include "records/paf_lines.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t records_a_piece = 512;

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

SamFile::SamFile(const SamHeader& header, const WriterOptions& options)
    : file_(options.path),
      piece_writer_(file_, options.threads),
      header_(nullptr, sam_hdr_destroy),
      threads_(options.threads),
      paf_(options.format == AlignmentFormat::paf) {
  std::string text = header_text(header, options.sort);
  header_ = parse_header(text, options.path);
  if (!paf_) piece_writer_.begin_with(std::move(text));
}

void SamFile::write(std::span<const bam1_t* const> records) {
  const std::uint64_t count = (records.size() + records_a_piece - 1) / records_a_piece;
  if (pieces_.size() < count) pieces_.resize(count);
  for_blocks(threads_, records.size(), records_a_piece, [&](std::uint64_t begin, std::uint64_t end) {
    std::string& piece = pieces_[begin / records_a_piece];
    piece.clear();
    const auto mine = records.subspan(begin, end - begin);
    paf_ ? append_paf_lines(mine, header_.get(), piece) : append_lines(mine, header_.get(), piece);
  });
  piece_writer_.write(pieces_, count);
}

void SamFile::finish() {
  piece_writer_.finish();
  file_.commit();
}

}  // namespace warpseed::records
