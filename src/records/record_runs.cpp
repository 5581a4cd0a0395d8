#include "records/record_runs.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <queue>
#include <utility>

#include "core/checksum.hpp"
#include "core/deflate.hpp"
#include "core/parallel.hpp"
#include "records/bam_memory.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t records_a_task = 2048;

/// Precedes a record's data.
struct PackedHead {
  bam1_core_t core;
  std::uint64_t id;
  std::uint32_t data_bytes;
};

template <class Bytes>
void append(std::vector<std::byte>& out, const Bytes* from, std::uint64_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(from);
  out.insert(out.end(), bytes, bytes + size);
}

void pack(const bam1_t& record, std::vector<std::byte>& out) {
  PackedHead head;
  std::memset(&head, 0, sizeof head);  // also the padding between fields
  head.core = record.core;
  head.id = record.id;
  head.data_bytes = static_cast<std::uint32_t>(record.l_data);
  append(out, &head, sizeof head);
  append(out, record.data, head.data_bytes);
}

BamRecord unpack(std::span<const std::byte>& bytes, BamMemory& memory) {
  PackedHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  bam1_t record = {};
  record.core = head.core;
  record.id = head.id;
  record.l_data = static_cast<int>(head.data_bytes);
  record.data = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(bytes.data() + sizeof head));
  bytes = bytes.subspan(sizeof head + head.data_bytes);
  return BamRecord(record, memory);
}

/// A run's next record in the merge: runs are ordered by it.
struct Head {
  std::uint64_t key;
  std::uint64_t run;

  friend auto operator<=>(const Head&, const Head&) = default;
};

}  // namespace

void RecordRuns::begin_run() {
  if (!file_) file_ = std::make_unique<AnonymousFile>(path_, "for sorting", folder_);
  runs_.emplace_back();
}

void RecordRuns::write(std::span<const BamRecord> records) {
  std::vector<std::vector<Block>> parts((records.size() + records_a_task - 1) / records_a_task);
  for_blocks(threads_, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    parts[begin / records_a_task] = write_blocks(records.subspan(begin, end - begin));
  });
  Run& run = runs_.back();
  for (const std::vector<Block>& part : parts) run.insert(run.end(), part.begin(), part.end());
}

std::vector<RecordRuns::Block> RecordRuns::write_blocks(std::span<const BamRecord> records) {
  std::vector<Block> blocks;
  std::vector<std::byte> bytes;
  for (std::size_t begin = 0, end = 0; begin < records.size(); begin = end) {
    bytes.clear();
    while (end < records.size() && bytes.size() < sizes_.block_bytes) pack(*records[end++].get(), bytes);
    Block block = store(bytes);
    block.first_position = coordinate_key(records[begin].get());
    block.records = static_cast<std::uint32_t>(end - begin);
    blocks.push_back(block);
  }
  return blocks;
}

RecordRuns::Block RecordRuns::store(std::span<const std::byte> bytes) {
  const std::vector<std::byte> fewer = deflated(bytes);  // a disk is hardly faster than this
  const std::span<const std::byte> stored = fewer.empty() ? bytes : fewer;
  Block block = {};
  block.offset = file_->append(stored);
  block.stored_bytes = static_cast<std::uint32_t>(stored.size());
  block.bytes = static_cast<std::uint32_t>(bytes.size());
  block.checksum = crc32(bytes);
  return block;
}

std::vector<BamRecord> RecordRuns::read_block(const Block& block) const {
  std::vector<std::byte> stored(block.stored_bytes), bytes;
  file_->read(block.offset, stored);
  bool good = true;
  if (block.stored_bytes == block.bytes) {
    bytes = std::move(stored);
  } else {
    bytes.resize(block.bytes);
    good = inflate(stored, bytes);
  }
  if (!good || crc32(bytes) != block.checksum) {
    throw IoError(file_->name() + " does not hold any more what was written there; check the disk");
  }
  std::vector<BamRecord> records;
  records.reserve(block.records);
  BamMemory memory;
  for (std::span<const std::byte> rest = bytes; !rest.empty();) records.push_back(unpack(rest, memory));
  return records;
}

/// The k-way merge. Blocks of all runs are read in the order of their first records. Every record that precedes all
/// unread blocks has then been read.
class RecordRuns::Merge {
 public:
  explicit Merge(RecordRuns& from) : from_(from) {
    for (const Run& run : from.runs_) readers_.push_back({run, 0, {}});
    for (std::uint64_t run = 0; run < readers_.size(); ++run) line_up(run);
  }

  bool at_end() const { return heads_.empty(); }

  /// Returns the next records, run after run.
  std::vector<BamRecord> next() {
    read_blocks();
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    const Head bound = heads_.empty() ? Head{last, last} : heads_.top();
    std::vector<BamRecord> next;
    for (std::uint64_t run = 0; run < readers_.size(); ++run) {
      std::vector<BamRecord>& waiting = readers_[run].waiting;
      const auto comes_before = [&](const BamRecord& record) {
        return Head{coordinate_key(record.get()), run} <= bound;
      };
      const auto end = std::partition_point(waiting.begin(), waiting.end(), comes_before);
      std::move(waiting.begin(), end, std::back_inserter(next));
      waiting.erase(waiting.begin(), end);
    }
    return next;
  }

 private:
  struct Reader {
    const Run& blocks;
    std::size_t next = 0;            // index into blocks
    std::vector<BamRecord> waiting;  // read, not yet returned
  };
  struct Piece {
    std::uint64_t run;
    const Block& block;
    std::vector<BamRecord> records;
  };

  void line_up(std::uint64_t run) {
    const Reader& reader = readers_[run];
    if (reader.next < reader.blocks.size()) heads_.push({reader.blocks[reader.next].first_position, run});
  }

  void read_blocks() {
    std::vector<Piece> pieces;
    for (std::uint64_t bytes = 0; !heads_.empty() && bytes < from_.sizes_.merged_bytes;
         bytes += pieces.back().block.bytes) {
      const std::uint64_t run = heads_.top().run;
      heads_.pop();
      pieces.push_back({run, readers_[run].blocks[readers_[run].next++], {}});
      line_up(run);
    }
    for_blocks(from_.threads_, pieces.size(), 1,
               [&](std::uint64_t i, std::uint64_t) { pieces[i].records = from_.read_block(pieces[i].block); });
    for (Piece& piece : pieces)
      std::move(piece.records.begin(), piece.records.end(), std::back_inserter(readers_[piece.run].waiting));
  }

  RecordRuns& from_;
  std::vector<Reader> readers_;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;  // of the runs that are not finished
};

void RecordRuns::merge(const RecordSink& sink) {
  Backend cpu;
  cpu.threads = threads_;
  for (Merge merge(*this); !merge.at_end();) emit_sorted(merge.next(), cpu, sink);
  runs_.clear();
  file_.reset();
}

}  // namespace warpseed::records
