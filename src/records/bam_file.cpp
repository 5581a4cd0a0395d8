#include "records/bam_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/bgzf_encoder.hpp"
#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "records/bam_bytes.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t block_bytes = bgzf_block_bytes;  // uncompressed, at most

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

BamFile::BamFile(const SamHeader& header, const WriterOptions& options)
    : file_(options.path),
      piece_writer_(file_, options.threads),
      threads_(options.threads),
      compressor_(options.compression_level, options.threads, options.backend) {
  const std::string text = header_text(header, options.sort);
  parse_header(text, options.path);  // checks that the header is valid SAM
  const std::string bytes = bam_header_bytes(header, text);
  std::vector<std::string> start(1);
  compressor_.start({{bytes.size()}, [&](std::size_t, char* out, auto&) { std::ranges::copy(bytes, out); }}, start);
  compressor_.finish();
  address_ = start[0].size();
  piece_writer_.begin_with(std::move(start[0]));
  if (!is_indexed(options, file_.pending())) return;
  index_.emplace(header, options.path, address_ << 16);
  indexer_.emplace([this](const Layout& layout) { add_to_index(layout); });
}

BamFile::~BamFile() = default;

void BamFile::write(std::span<const bam1_t* const> records) {
  measure(records);
  compress(records, cut());
  keep_open(records);
  hand_over(pending_);  // now that a device has work again
  if (compressor_.in_flight()) {
    std::swap(part_, pending_);
  } else {
    hand_over(part_);
  }
}

void BamFile::measure(std::span<const bam1_t* const> records) {
  constexpr std::uint64_t records_a_task = 4096, ahead = 8;
  std::vector<std::uint64_t>& bytes = part_.layout.measured.bytes;
  std::vector<RecordPosition>& positions = part_.layout.measured.positions;
  const std::size_t waiting = open_measured_.bytes.size();
  part_.layout.count = waiting + records.size();
  grow(bytes, part_.layout.count);
  std::ranges::copy(open_measured_.bytes, bytes.begin());
  if (index_) grow(positions, part_.layout.count);
  std::ranges::copy(open_measured_.positions, positions.begin());
  for_blocks(threads_, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      if (i + ahead < end) prefetch(records[i + ahead]);
      const bam1_t& record = *records[i];
      bytes[waiting + i] = bam_size(record);
      if (!index_) continue;
      positions[waiting + i] = {record.core.pos, bam_endpos(&record), record.core.tid,
                                !(record.core.flag & BAM_FUNMAP)};
    }
  });
}

/// Cuts the records into full pieces, and returns their bytes. A record begins a new block if it does not fit into the
/// previous one, and has several if it is longer than a block.
std::vector<std::uint64_t> BamFile::cut() {
  Layout& layout = part_.layout;
  std::vector<std::uint64_t> piece_bytes;
  std::uint64_t piece = 0, filled = 0;  // bytes in the last piece and in its last block
  for (std::size_t i = 0; i < layout.count; ++i) {
    const std::uint64_t bytes = layout.measured.bytes[i];
    if (filled > 0 && filled + bytes > block_bytes) {
      layout.ends.push_back(i);
      piece_bytes.push_back(piece);
      piece = filled = 0;
    }
    piece += bytes;
    filled += bytes;
    if (filled >= block_bytes) filled %= block_bytes;
  }
  return piece_bytes;
}

/// Starts to compress the pieces. Their records are not needed afterwards.
void BamFile::compress(std::span<const bam1_t* const> records, std::vector<std::uint64_t> piece_bytes) {
  const std::vector<std::size_t>& ends = part_.layout.ends;
  grow(part_.pieces, ends.size());
  const BamPieces pieces = {std::move(piece_bytes), [&](std::size_t i, char* out, std::vector<BamField>& fields) {
                              put(records, begin_of(ends, i), ends[i], out, fields);
                            }};
  compressor_.start(pieces, part_.pieces);
}

/// Records [begin, end) of the part: the first ones may be in open_.
void BamFile::put(std::span<const bam1_t* const> records, std::size_t begin, std::size_t end, char* out,
                  std::vector<BamField>& fields) const {
  const std::vector<std::uint64_t>& bytes = part_.layout.measured.bytes;
  const std::size_t waiting = open_measured_.bytes.size();
  const char* record = out;
  if (begin < waiting) out = std::copy(open_.begin(), open_.end(), out);
  for (std::size_t i = std::max(begin, waiting); i < end; ++i) out = put_bam(*records[i - waiting], out);
  for (std::size_t i = begin; i < end; record += bytes[i++]) add_fields(record, bytes[i], fields);
}

/// Keeps the records after the full pieces until more follow.
void BamFile::keep_open(std::span<const bam1_t* const> records) {
  const auto& [measured, count, ends, blocks] = part_.layout;
  const std::size_t begin = begin_of(ends, ends.size()), waiting = open_measured_.bytes.size();
  if (begin >= waiting) open_.clear();
  for (std::size_t i = std::max(begin, waiting); i < count; ++i) {
    const std::size_t at = open_.size();
    open_.resize(at + measured.bytes[i]);
    put_bam(*records[i - waiting], open_.data() + at);
  }
  open_measured_.bytes.assign(measured.bytes.data() + begin, measured.bytes.data() + count);
  if (index_) open_measured_.positions.assign(measured.positions.data() + begin, measured.positions.data() + count);
}

/// Passes on the pieces of a part, all compressed, and what the index needs of it. Then it has none.
void BamFile::hand_over(Part& part) {
  const std::size_t count = part.layout.ends.size();
  if (count == 0) return;
  if (indexer_) {
    locate_blocks(part);
    indexer_->write(part.layout);
  }
  piece_writer_.write(part.pieces, count);
  part.layout.ends.clear();
}

void BamFile::locate_blocks(Part& part) {
  auto& [measured, count, ends, blocks] = part.layout;
  blocks.clear();
  for (const std::string& piece : std::span(part.pieces).first(ends.size())) {
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
  const auto& [measured, count, ends, blocks] = layout;
  std::size_t first_block = 0;  // of a piece
  for (std::size_t piece = 0; piece < ends.size(); ++piece) {
    std::uint64_t at = 0;  // uncompressed offset in the piece
    for (std::size_t i = begin_of(ends, piece); i < ends[piece]; ++i) {
      at += measured.bytes[i];
      if (i + 1 == ends[piece]) {
        first_block += (at + block_bytes - 1) / block_bytes;
        at = 0;
      }
      index_->add(measured.positions[i], blocks[first_block + at / block_bytes] << 16 | at % block_bytes);
    }
  }
}

void BamFile::finish() {
  measure({});
  std::vector<std::uint64_t> last_bytes;
  if (!open_.empty()) {
    part_.layout.ends.push_back(part_.layout.count);
    last_bytes.push_back(open_.size());
  }
  compress({}, std::move(last_bytes));
  compressor_.finish();
  hand_over(pending_);
  hand_over(part_);
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
