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
#include "records/record_order.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t block_bytes = bgzf_block_bytes;  // uncompressed, at most
constexpr int parts_appended = 8;  // that wait to be written, or indexed: those of several threads come at once

/// Of a piece, by the ends of all.
std::size_t begin_of(std::span<const std::size_t> ends, std::size_t piece) {
  return piece == 0 ? 0 : ends[piece - 1];
}

/// Never shrinks: what is there is overwritten, and clearing it would take as long.
template <class Values>
void grow(Values& values, std::size_t size) {
  if (values.size() < size) values.resize(size);
}

}  // namespace

/// Records in the file, those first that waited for them: their last block was not full.
struct BamFile::Part final : FilePart {
  std::span<const RecordFacts> facts;     // [records] until append() returns
  HugePageVector<RecordFacts> own_facts;  // memory for them, if nobody else has found them
  std::vector<RecordFacts> waiting;       // of those that waited
  std::string waiting_bytes;
  std::vector<std::size_t> ends;           // of the pieces, counted with those that waited; later ones wait again
  std::vector<std::uint64_t> piece_bytes;  // uncompressed
  std::vector<std::string> pieces;         // [ends] or more: memory is reused
  Indexed indexed;
  std::optional<ReservedRange> room;  // in the file, from append() to store()

  std::size_t count() const { return waiting.size() + records.size(); }
  const RecordFacts& facts_at(std::size_t i) const {
    return i < waiting.size() ? waiting[i] : facts[i - waiting.size()];
  }
  const bam1_t& record_at(std::size_t i) const { return *records[i - waiting.size()]; }
};

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
  indexer_.emplace([this](const Indexed& part) { add_to_index(part); }, parts_appended);
}

BamFile::~BamFile() = default;

std::unique_ptr<BamFile::Part> BamFile::new_part() {
  std::unique_ptr<Part> part;
  if (!stored_.try_pop(part)) part = std::make_unique<Part>();
  return part;
}

std::unique_ptr<FilePart> BamFile::measure(std::span<const bam1_t* const> records, std::span<const RecordFacts> facts) {
  std::unique_ptr<Part> part = new_part();
  part->records = records;
  part->facts = facts.size() == records.size() ? facts : find_facts(records, part->own_facts);
  return part;
}

/// The facts of records that nobody has found yet. Without an index their sizes are enough.
std::span<const RecordFacts> BamFile::find_facts(std::span<const bam1_t* const> records,
                                                 HugePageVector<RecordFacts>& memory) const {
  constexpr std::size_t records_a_task = 4096;
  grow(memory, records.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, records.size(), records_a_task), [&](const auto& some) {
    for (std::size_t i = some.begin(); i < some.end(); ++i) {
      prefetch_after(records, i, [&](const bam1_t& record) {
        if (index_) prefetch(bam_get_cigar(&record));
      });
      if (index_) {
        memory[i] = facts_of(*records[i]);
      } else {
        memory[i].bytes = static_cast<std::uint32_t>(bam_size(*records[i]));
      }
    }
  });
  return std::span(memory).first(records.size());
}

/// Cuts the records into full pieces. A record begins a new block if it does not fit into the previous one, and has
/// several if it is longer than a block. A full block ends a piece, so few records wait.
void BamFile::cut(FilePart& file_part) {
  Part& part = static_cast<Part&>(file_part);
  std::swap(part.waiting, open_facts_);
  std::swap(part.waiting_bytes, open_);
  part.ends.clear(), part.piece_bytes.clear();
  std::uint64_t piece = 0;  // bytes
  const auto end_piece = [&](std::size_t end) {
    part.ends.push_back(end);
    part.piece_bytes.push_back(std::exchange(piece, 0));
  };
  for (std::size_t i = 0; i < part.count(); ++i) {
    const std::uint64_t bytes = part.facts_at(i).bytes, filled = piece % block_bytes;
    if (filled > 0 && filled + bytes > block_bytes) end_piece(i);
    piece += bytes;
    if (piece % block_bytes == 0) end_piece(i + 1);
  }
  keep_open(part);
}

/// Keeps the records after the full pieces for the next part.
void BamFile::keep_open(Part& part) {
  const std::size_t begin = begin_of(part.ends, part.ends.size()), waiting = part.waiting.size();
  open_.clear(), open_facts_.clear();
  if (begin < waiting) std::swap(open_, part.waiting_bytes);  // there is no full piece
  for (std::size_t i = begin; i < part.count(); ++i) {
    open_facts_.push_back(part.facts_at(i));
    if (i < waiting) continue;
    const std::size_t at = open_.size();
    open_.resize(at + part.facts_at(i).bytes);
    put_bam(part.record_at(i), open_.data() + at);
  }
}

void BamFile::encode(FilePart& file_part) {
  Part& part = static_cast<Part&>(file_part);
  if (index_) find_runs(part);
  grow(part.pieces, part.ends.size());
  const BamPieces pieces = {
      part.piece_bytes, [&](std::size_t i, char* out, std::vector<BamField>& fields) { put(part, i, out, fields); }};
  compressor_.compress(pieces, part.pieces);
}

/// The first records of the first piece may be those that waited.
void BamFile::put(const Part& part, std::size_t piece, char* out, std::vector<BamField>& fields) const {
  const std::size_t begin = begin_of(part.ends, piece), end = part.ends[piece], waiting = part.waiting.size();
  const char* record = out;
  if (begin < waiting) out = std::ranges::copy(part.waiting_bytes, out).out;
  for (std::size_t i = std::max(begin, waiting); i < end; ++i) {
    prefetch_after(part.records, i - waiting, prefetch_data);
    out = put_bam(part.record_at(i), out);
  }
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t bytes = part.facts_at(i).bytes;
    add_fields(record, bytes, fields);
    record += bytes;
  }
}

/// A run goes on from piece to piece.
void BamFile::find_runs(Part& part) const {
  std::vector<Run>& runs = part.indexed.runs;
  runs.clear();
  std::size_t first_block = 0;  // of a piece
  for (std::size_t piece = 0; piece < part.ends.size(); ++piece) {
    std::uint64_t at = 0;  // uncompressed offset in the piece
    for (std::size_t i = begin_of(part.ends, piece); i < part.ends[piece]; ++i) {
      const RecordFacts& facts = part.facts_at(i);
      const RecordPosition position = {facts.begin, facts.end, facts.contig, (facts.flag & BAM_FUNMAP) == 0};
      if (runs.empty() || !are_indexed_alike(runs.back().last, position)) runs.push_back({});
      at += facts.bytes;
      Run& run = runs.back();
      run = {position, run.count + 1, first_block + at / block_bytes, at % block_bytes};
    }
    first_block += (at + block_bytes - 1) / block_bytes;
    runs.back().block = first_block, runs.back().in_the_block = 0;
  }
}

void BamFile::append(FilePart& file_part) {
  Part& part = static_cast<Part&>(file_part);
  const std::size_t count = part.ends.size();
  if (count == 0) return;
  if (indexer_) {
    locate_blocks(part);
    indexer_->write(part.indexed);
  }
  part.room = piece_writer_.write_or_reserve(part.pieces, count);
}

void BamFile::store(std::unique_ptr<FilePart> file_part) {
  std::unique_ptr<Part> part(static_cast<Part*>(file_part.release()));
  if (part->room) part->room->fill(std::span(part->pieces).first(part->ends.size()));
  part->room.reset();
  stored_.push(std::move(part));
}

void BamFile::locate_blocks(Part& part) {
  std::vector<std::uint64_t>& blocks = part.indexed.blocks;
  blocks.clear();
  for (const std::string& piece : std::span(part.pieces).first(part.ends.size())) {
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

void BamFile::add_to_index(const Indexed& part) {
  for (const Run& run : part.runs) index_->add(run.last, run.count, part.blocks[run.block] << 16 | run.in_the_block);
}

/// The records that still wait for more.
void BamFile::append_last() {
  std::unique_ptr<Part> part = new_part();
  part->records = {}, part->facts = {};
  cut(*part);
  if (open_.empty()) return;
  std::swap(part->waiting_bytes, open_);
  part->ends = {part->waiting.size()};
  part->piece_bytes = {part->waiting_bytes.size()};
  encode(*part);
  append(*part);
  store(std::move(part));
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
