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

BamFile::BamFile(const SamHeader& header, const WriterOptions& options)
    : file_(options.path),
      piece_writer_(file_, options.threads),
      threads_(options.threads),
      compressor_(options.compression_level, options.threads, options.backend) {
  const std::string text = header_text(header, options.sort);
  parse_header(text, options.path);  // checks that the header is valid SAM
  const std::string bytes = bam_header_bytes(header, text);
  std::vector<std::string> start(1);
  compressor_.compress({{bytes.size()}, [&](std::size_t, char* out, auto&) { std::ranges::copy(bytes, out); }}, start);
  address_ = start[0].size();
  piece_writer_.begin_with(std::move(start[0]));
  if (is_indexed(options, file_.pending())) index_.emplace(header, options.path, address_ << 16);
}

BamFile::~BamFile() = default;

void BamFile::write(std::span<const bam1_t* const> records) {
  measure(records);
  const std::vector<std::size_t> ends = cut();
  if (pieces_.size() < ends.size()) pieces_.resize(ends.size());
  compress(records, ends, pieces_);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (index_) add_to_index(begin_of(ends, i), ends[i], pieces_[i]);
    address_ += pieces_[i].size();
  }
  keep_open(records, begin_of(ends, ends.size()));
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

/// Compresses the records of measured_ up to the last of `ends`, a piece up to each. The first ones may be in open_.
void BamFile::compress(std::span<const bam1_t* const> records, std::span<const std::size_t> ends,
                       std::vector<std::string>& packed) {
  BamPieces pieces;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    pieces.bytes.push_back(0);
    for (std::size_t record = begin_of(ends, i); record < ends[i]; ++record) pieces.bytes[i] += measured_[record].bytes;
  }
  pieces.put = [&](std::size_t i, char* out, std::vector<BamField>& fields) {
    put(records, begin_of(ends, i), ends[i], out, fields);
  };
  compressor_.compress(pieces, packed);
}

void BamFile::put(std::span<const bam1_t* const> records, std::size_t begin, std::size_t end, char* out,
                  std::vector<BamField>& fields) const {
  const char* record = out;
  if (begin < open_count_) out = std::copy(open_.begin(), open_.end(), out);
  for (std::size_t i = std::max(begin, open_count_); i < end; ++i) out = put_bam(*records[i - open_count_], out);
  for (std::size_t i = begin; i < end; record += measured_[i++].bytes) add_fields(record, measured_[i].bytes, fields);
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
  if (open_count_ > 0) compress({}, {&open_count_, 1}, last);
  if (index_ && open_count_ > 0) add_to_index(0, open_count_, last[0]);
  address_ += last[0].size();
  last[0] += compressor_.end_of_file();
  piece_writer_.write(last, 1);
  piece_writer_.finish();
  file_.flush();
  if (index_) index_->save(address_ << 16);
  file_.commit();
  if (index_) index_->commit();
}

}  // namespace warpseed::records
