#include "records/bam_file.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/bgzf_encoder.hpp"
#include "core/prefetch.hpp"
#include "records/bam_bytes.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t block_bytes = bgzf_block_bytes;  // uncompressed, at most
constexpr int parts_appended = 8;  // that wait to be written, or indexed: those of several threads come at once
constexpr std::uint64_t least_record_bytes = 36;
constexpr std::size_t most_waiting = block_bytes / least_record_bytes + 1;  // after a record of several blocks

/// Of a piece, by the ends of all.
std::size_t begin_of(std::span<const std::size_t> ends, std::size_t piece) {
  return piece == 0 ? 0 : ends[piece - 1];
}

/// Never shrinks: what is there is overwritten, and clearing it would take as long.
template <class Value>
void grow(std::vector<Value>& values, std::size_t size) {
  if (values.size() < size) values.resize(size);
}

}  // namespace

struct BamFile::Part final : FilePart {
  Layout layout;
  std::string waiting;                     // bytes of the records that waited for this part
  std::vector<std::uint64_t> piece_bytes;  // uncompressed
  std::vector<std::string> pieces;         // [ends] or more: memory is reused
};

std::span<BamFile::Measured> BamFile::Layout::records() {
  return std::span(memory).subspan(most_waiting - waiting, count);
}
std::span<const BamFile::Measured> BamFile::Layout::records() const {
  return std::span(memory).subspan(most_waiting - waiting, count);
}

BamFile::BamFile(const SamHeader& header, const WriterOptions& options)
    : file_(options.path),
      piece_writer_(file_, options.threads, parts_appended),
      compressor_(options.compression_level, options.backend) {
  const std::string text = header_text(header, options.sort);
  parse_header(text, options.path);  // checks that the header is valid SAM
  const std::string bytes = bam_header_bytes(header, text);
  const std::uint64_t size = bytes.size();
  std::vector<std::string> start(1);
  tbb::task_arena arena(std::max(options.threads, 1));
  arena.execute([&] {
    compressor_.compress({{&size, 1}, [&](std::size_t, char* out, auto&) { std::ranges::copy(bytes, out); }}, start);
  });
  address_ = start[0].size();
  piece_writer_.begin_with(std::move(start[0]));
  if (!is_indexed(options, file_.pending())) return;
  index_.emplace(header, options.path, address_ << 16);
  indexer_.emplace([this](const Layout& layout) { add_to_index(layout); }, parts_appended);
}

BamFile::~BamFile() = default;

std::unique_ptr<BamFile::Part> BamFile::new_part() {
  std::unique_ptr<Part> part;
  if (!appended_.try_pop(part)) part = std::make_unique<Part>();
  return part;
}

std::unique_ptr<FilePart> BamFile::measure(std::span<const bam1_t* const> records) {
  constexpr std::size_t records_a_task = 4096, ahead = 8;
  std::unique_ptr<Part> part = new_part();
  part->records = records;
  grow(part->layout.memory, most_waiting + records.size());
  Measured* const measured = part->layout.memory.data() + most_waiting;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, records.size(), records_a_task), [&](const auto& some) {
    for (std::size_t i = some.begin(); i < some.end(); ++i) {
      if (i + ahead < some.end()) prefetch(records[i + ahead]);
      const bam1_t& record = *records[i];
      measured[i].bytes = bam_size(record);
      if (index_)
        measured[i].position = {record.core.pos, bam_endpos(&record), record.core.tid,
                                !(record.core.flag & BAM_FUNMAP)};
    }
  });
  return part;
}

/// Cuts the records into full pieces. A record begins a new block if it does not fit into the previous one, and has
/// several if it is longer than a block.
void BamFile::cut(FilePart& file_part) {
  Part& part = static_cast<Part&>(file_part);
  Layout& layout = part.layout;
  layout.waiting = open_measured_.size();
  layout.count = layout.waiting + part.records.size();
  layout.ends.clear(), part.piece_bytes.clear();
  const std::span<Measured> records = layout.records();
  std::ranges::copy(open_measured_, records.begin());
  std::swap(part.waiting, open_);
  std::uint64_t piece = 0, filled = 0;  // bytes in the last piece and in its last block
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::uint64_t bytes = records[i].bytes;
    if (filled > 0 && filled + bytes > block_bytes) {
      layout.ends.push_back(i);
      part.piece_bytes.push_back(piece);
      piece = filled = 0;
    }
    piece += bytes;
    filled += bytes;
    if (filled >= block_bytes) filled %= block_bytes;
  }
  keep_open(part);
}

/// Keeps the records after the full pieces for the next part.
void BamFile::keep_open(Part& part) {
  const std::span<const Measured> measured = part.layout.records();
  const std::size_t begin = begin_of(part.layout.ends, part.layout.ends.size()), waiting = part.layout.waiting;
  open_.clear();
  if (begin < waiting) std::swap(open_, part.waiting);  // there is no full piece
  for (std::size_t i = std::max(begin, waiting); i < measured.size(); ++i) {
    const std::size_t at = open_.size();
    open_.resize(at + measured[i].bytes);
    put_bam(*part.records[i - waiting], open_.data() + at);
  }
  open_measured_.assign(measured.begin() + static_cast<std::ptrdiff_t>(begin), measured.end());
}

void BamFile::encode(FilePart& file_part) {
  Part& part = static_cast<Part&>(file_part);
  grow(part.pieces, part.piece_bytes.size());
  const BamPieces pieces = {
      part.piece_bytes, [&](std::size_t i, char* out, std::vector<BamField>& fields) { put(part, i, out, fields); }};
  compressor_.compress(pieces, part.pieces);
}

/// The first records of the first piece may be those that waited.
void BamFile::put(const Part& part, std::size_t piece, char* out, std::vector<BamField>& fields) const {
  const std::vector<std::size_t>& ends = part.layout.ends;
  const std::span<const Measured> measured = part.layout.records();
  const std::size_t begin = begin_of(ends, piece), end = ends[piece], waiting = part.layout.waiting;
  const char* record = out;
  if (begin < waiting) out = std::ranges::copy(part.waiting, out).out;
  for (std::size_t i = std::max(begin, waiting); i < end; ++i) out = put_bam(*part.records[i - waiting], out);
  for (std::size_t i = begin; i < end; record += measured[i++].bytes) add_fields(record, measured[i].bytes, fields);
}

void BamFile::append(std::unique_ptr<FilePart> file_part) {
  std::unique_ptr<Part> part(static_cast<Part*>(file_part.release()));
  const std::size_t count = part->layout.ends.size();
  if (count > 0 && indexer_) {
    locate_blocks(*part);
    indexer_->write(part->layout);
  }
  if (count > 0) piece_writer_.write(part->pieces, count);
  appended_.push(std::move(part));
}

void BamFile::locate_blocks(Part& part) {
  std::vector<std::uint64_t>& blocks = part.layout.blocks;
  blocks.clear();
  for (const std::string& piece : std::span(part.pieces).first(part.layout.ends.size())) {
    for (std::size_t begin = 0; begin < piece.size();) {
      blocks.push_back(address_ + begin);
      std::uint16_t size_less_one = 0;  // BSIZE
      std::memcpy(&size_less_one, piece.data() + begin + 16, sizeof size_less_one);
      begin += std::size_t{size_less_one} + 1;
    }
    address_ += piece.size();
  }
  blocks.push_back(address_);
}

/// Adds the records of all pieces.
void BamFile::add_to_index(const Layout& layout) {
  const std::span<const Measured> records = layout.records();
  std::size_t first_block = 0;  // of a piece
  for (std::size_t piece = 0; piece < layout.ends.size(); ++piece) {
    std::uint64_t at = 0;  // uncompressed offset in the piece
    for (std::size_t i = begin_of(layout.ends, piece); i < layout.ends[piece]; ++i) {
      at += records[i].bytes;
      if (i + 1 == layout.ends[piece]) {
        first_block += (at + block_bytes - 1) / block_bytes;
        at = 0;
      }
      index_->add(records[i].position, layout.blocks[first_block + at / block_bytes] << 16 | at % block_bytes);
    }
  }
}

/// The records that still wait for more.
void BamFile::append_last() {
  std::unique_ptr<Part> part = new_part();
  part->records = {};
  grow(part->layout.memory, most_waiting);
  cut(*part);
  if (open_.empty()) return;
  std::swap(part->waiting, open_);
  part->layout.ends = {part->layout.count};
  part->piece_bytes = {part->waiting.size()};
  encode(*part);
  append(std::move(part));
}

void BamFile::finish() {
  append_last();
  std::vector<std::string> end = {compressor_.end_of_file()};
  piece_writer_.write(end, 1);
  complete();
}

/// Nothing gets its name before all of it is written.
void BamFile::complete() {
  piece_writer_.finish();
  if (indexer_) indexer_->finish();
  file_.flush();
  if (index_) index_->save(address_ << 16);
  file_.commit();
  if (index_) index_->commit();
}

}  // namespace warpseed::records
