#include "records/bam_file.hpp"

#include <htslib/bgzf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/bgzf_encoder.hpp"
#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "records/bam_bytes.hpp"
#include "records/bam_fields.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t block_bytes = bgzf_block_bytes;  // uncompressed, at most
static_assert(block_bytes == BGZF_BLOCK_SIZE);

/// Appends one block by htslib; without bytes, the end-of-file marker.
void append_block(const char* bytes, std::uint64_t size, int level, std::string& to) {
  std::array<char, BGZF_MAX_BLOCK_SIZE> block;
  std::size_t packed = block.size();
  if (bgzf_compress(block.data(), &packed, bytes, size, level) != 0) {
    throw std::runtime_error("compressing a block of BAM failed");
  }
  to.append(block.data(), packed);
}

/// Compresses pieces of BAM to blocks. `level` -1 is our encoder, others are htslib's.
class BlockWriter {
 public:
  explicit BlockWriter(int level) : level_(level) {}

  /// Appends the blocks of a piece. fields: those of its records; none are known of a header.
  void append(std::span<const char> piece, std::span<const BamField> fields, std::string& to) {
    for (std::uint64_t begin = 0; begin < piece.size(); begin += block_bytes) {
      const std::uint64_t end = std::min<std::uint64_t>(piece.size(), begin + block_bytes);
      const std::span<const char> block = piece.subspan(begin, end - begin);
      if (level_ >= 0) {
        append_block(block.data(), block.size(), level_, to);
      } else {
        cut_fields(fields, begin, end, block_fields_);
        append_bgzf_block(encoder_, std::as_bytes(block), block_fields_, to);
      }
    }
  }

 private:
  const int level_;
  DeflateEncoder encoder_;
  std::vector<deflate::Field> block_fields_;
};

/// Where each block of a piece begins, and where the last one ends. BSIZE is 16 bits at offset 16.
std::vector<std::uint64_t> block_begins(const std::string& piece) {
  std::vector<std::uint64_t> begins = {0};
  while (begins.back() < piece.size()) {
    std::uint16_t size_less_one = 0;
    std::memcpy(&size_less_one, piece.data() + begins.back() + 16, sizeof size_less_one);
    begins.push_back(begins.back() + size_less_one + 1);
  }
  return begins;
}

}  // namespace

/// What a thread needs to encode a piece.
struct BamFile::Scratch {
  explicit Scratch(int level) : blocks(level) {}

  std::vector<char> bytes;
  std::vector<BamField> fields;
  BlockWriter blocks;
};

BamFile::BamFile(const SamHeader& header, const WriterOptions& options)
    : file_(options.path),
      piece_writer_(file_, options.threads),
      level_(options.compression_level),
      threads_(options.threads),
      scratch_([level = options.compression_level] { return Scratch(level); }) {
  const std::string text = header_text(header, options.sort);
  parse_header(text, options.path);  // checks that the header is valid SAM
  const std::string bytes = bam_header_bytes(header, text);
  std::string start;
  Scratch(level_).blocks.append(bytes, {}, start);
  address_ = start.size();
  piece_writer_.begin_with(std::move(start));
  if (is_indexed(options, file_.pending())) index_.emplace(header, options.path, address_ << 16);
}

BamFile::~BamFile() = default;

void BamFile::write(std::span<const bam1_t* const> records) {
  measure(records);
  const std::vector<std::size_t> ends = cut();
  if (pieces_.size() < ends.size()) pieces_.resize(ends.size());
  const auto begin_of = [&](std::size_t piece) { return piece == 0 ? 0 : ends[piece - 1]; };
  for_blocks(threads_, ends.size(), 1,
             [&](std::uint64_t i, std::uint64_t) { encode(records, begin_of(i), ends[i], pieces_[i]); });
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (index_) add_to_index(begin_of(i), ends[i], pieces_[i]);
    address_ += pieces_[i].size();
  }
  keep_open(records, begin_of(ends.size()));
  piece_writer_.write(pieces_, ends.size());
}

void BamFile::measure(std::span<const bam1_t* const> records) {
  constexpr std::uint64_t records_a_task = 4096, ahead = 8;
  measured_.resize(open_count_ + records.size());
  for_blocks(threads_, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      if (i + ahead < end) prefetch(records[i + ahead]);
      const bam1_t& record = *records[i];
      Measured& measured = measured_[open_count_ + i];
      measured.bytes = bam_size(record);
      if (index_) {
        measured.position = {record.core.pos, bam_endpos(&record), record.core.tid, !(record.core.flag & BAM_FUNMAP)};
      }
    }
  });
}

/// Ends of the full pieces, as indices into measured_. A record begins a new block if it does not fit into the previous
/// one, and has several if it is longer than a block.
std::vector<std::size_t> BamFile::cut() const {
  std::vector<std::size_t> ends;
  std::uint64_t filled = 0;  // bytes in the last block
  for (std::size_t i = 0; i < measured_.size(); ++i) {
    if (filled > 0 && filled + measured_[i].bytes > block_bytes) {
      ends.push_back(i);
      filled = 0;
    }
    filled = (filled + measured_[i].bytes) % block_bytes;
  }
  return ends;
}

/// Encodes records [begin, end) of measured_, the first of which may be in open_.
void BamFile::encode(std::span<const bam1_t* const> records, std::size_t begin, std::size_t end, std::string& piece) {
  std::uint64_t size = 0;
  for (std::size_t i = begin; i < end; ++i) size += measured_[i].bytes;
  Scratch& scratch = scratch_.local();
  if (scratch.bytes.size() < size) scratch.bytes.resize(size);
  char* out = scratch.bytes.data();
  if (begin < open_count_) out = std::copy(open_.begin(), open_.end(), out);
  for (std::size_t i = std::max(begin, open_count_); i < end; ++i) out = put_bam(*records[i - open_count_], out);
  scratch.fields.clear();
  const char* record = scratch.bytes.data();
  for (std::size_t i = begin; i < end; record += measured_[i++].bytes) {
    add_fields(record, measured_[i].bytes, scratch.fields);
  }
  piece.clear();
  scratch.blocks.append({scratch.bytes.data(), size}, scratch.fields, piece);
}

void BamFile::add_to_index(std::size_t begin, std::size_t end, const std::string& piece) {
  const std::vector<std::uint64_t> begins = block_begins(piece);
  std::uint64_t at = 0;  // uncompressed offset
  for (std::size_t i = begin; i < end; ++i) {
    at += measured_[i].bytes;
    const bool last = i + 1 == end;
    const std::uint64_t block = last ? address_ + piece.size() : address_ + begins[at / block_bytes];
    index_->add(measured_[i].position, block << 16 | (last ? 0 : at % block_bytes));
  }
}

/// Keeps the records after the full pieces until more follow.
void BamFile::keep_open(std::span<const bam1_t* const> records, std::size_t begin) {
  if (begin >= open_count_) open_.clear();
  std::uint64_t more = 0;
  const std::size_t first = std::max(begin, open_count_);
  for (std::size_t i = first; i < measured_.size(); ++i) more += measured_[i].bytes;
  open_.resize(open_.size() + more);
  char* out = open_.data() + open_.size() - more;
  for (std::size_t i = first; i < measured_.size(); ++i) out = put_bam(*records[i - open_count_], out);
  measured_.erase(measured_.begin(), measured_.begin() + static_cast<std::ptrdiff_t>(begin));
  open_count_ = measured_.size();
}

void BamFile::finish() {
  std::vector<std::string> last(1);
  if (open_count_ > 0) encode({}, 0, open_count_, last[0]);
  if (index_ && open_count_ > 0) add_to_index(0, open_count_, last[0]);
  address_ += last[0].size();
  append_block(nullptr, 0, level_, last[0]);
  piece_writer_.write(last, 1);
  piece_writer_.finish();
  file_.flush();
  if (index_) index_->save(address_ << 16);
  file_.commit();
  if (index_) index_->commit();
}

}  // namespace warpseed::records
