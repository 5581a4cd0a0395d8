#include "records/bam_compressor.hpp"

#include <htslib/bgzf.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <utility>

#include "core/bgzf_encoder.hpp"
#include "core/copy_past_caches.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t block_bytes = bgzf_block_bytes;  // uncompressed, at most
static_assert(block_bytes == BGZF_BLOCK_SIZE);

constexpr std::uint64_t least_on_device = 1 << 20;  // of a call: less is faster on the CPU
constexpr std::uint64_t slice_bytes = 8 << 20;      // deflated at a time: a good part of the blocks that a device runs
constexpr std::size_t slices_a_device = 8;          // filled, deflated and copied at the same time

/// Appends one block by htslib; without bytes, the end-of-file marker.
void append_block(const char* bytes, std::uint64_t size, int level, std::string& to) {
  std::array<char, BGZF_MAX_BLOCK_SIZE> block;
  std::size_t packed = block.size();
  if (bgzf_compress(block.data(), &packed, bytes, size, level) != 0) {
    throw std::bad_alloc();  // nothing else can fail: the block has room, and the level is a valid one
  }
  to.append(block.data(), packed);
}

/// Calls use(begin, end) for each block of a piece.
template <class Use>
void for_bgzf_blocks(std::uint64_t bytes, Use use) {
  for (std::uint64_t begin = 0; begin < bytes; begin += block_bytes) use(begin, std::min(bytes, begin + block_bytes));
}

/// Divides pieces into parts of about slice_bytes: the end of each.
std::vector<std::size_t> part_ends(std::span<const std::uint64_t> piece_bytes) {
  std::vector<std::size_t> ends;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < piece_bytes.size(); ++i) {
    if (i > 0 && bytes + piece_bytes[i] > slice_bytes) {
      ends.push_back(i);
      bytes = 0;
    }
    bytes += piece_bytes[i];
  }
  ends.push_back(piece_bytes.size());
  return ends;
}

}  // namespace

/// What a thread needs for a piece.
struct BamCompressor::Scratch {
  std::vector<char> bytes;
  std::vector<BamField> fields;
  std::vector<deflate::Field> of_block;
  DeflateEncoder encoder;

  /// The piece's bytes, in `bytes`.
  std::span<const char> put(const BamPieces& pieces, std::size_t i) {
    if (bytes.size() < pieces.bytes[i]) bytes.resize(pieces.bytes[i]);
    fields.clear();
    pieces.put(i, bytes.data(), fields);
    return {bytes.data(), pieces.bytes[i]};
  }
};

/// Pieces that a device deflates at a time. Its functions use all threads of the caller's arena.
class BamCompressor::Slice {
 public:
  explicit Slice(const Backend& backend) : batch_(make_deflate_batch(backend)) {}

  /// Makes the blocks of pieces [begin, end), which go to packed[begin, end). False if the device has too little memory.
  bool compress(const BamPieces& pieces, std::size_t begin, std::size_t end, std::span<std::string> packed,
                tbb::enumerable_thread_specific<Scratch>& scratch) {
    lay_out(pieces, begin, end);
    char* const room = batch_->room(room_bytes_);
    tbb::parallel_for(std::size_t{0}, end - begin,
                      [&](std::size_t i) { put(pieces, begin + i, first_block_[i], room, scratch.local()); });
    if (!batch_->start(blocks_)) return false;
    batch_->wait();
    tbb::parallel_for(std::size_t{0}, end - begin, [&](std::size_t i) {
      append_blocks(first_block_[i], first_block_[i + 1], room, packed[begin + i]);
    });
    return true;
  }

 private:
  /// Where each block will be.
  void lay_out(const BamPieces& pieces, std::size_t begin, std::size_t end) {
    blocks_.clear();
    first_block_.assign(1, 0);
    room_bytes_ = 0;
    for (std::size_t i = begin; i < end; ++i) {
      for_bgzf_blocks(pieces.bytes[i], [&](std::uint64_t first, std::uint64_t last) {
        blocks_.push_back({room_bytes_, static_cast<std::uint32_t>(last - first), {}});
        room_bytes_ = DeflateBatch::after(room_bytes_ + last - first);
      });
      first_block_.push_back(blocks_.size());
    }
    if (fields_.size() < blocks_.size()) fields_.resize(blocks_.size());
  }

  /// The bytes of a piece go to its blocks in `room`, from where a device copies them: so past the caches.
  void put(const BamPieces& pieces, std::size_t i, std::size_t first_block, char* room, Scratch& scratch) {
    const std::span<const char> bytes = scratch.put(pieces, i);
    std::size_t block = first_block;
    for_bgzf_blocks(bytes.size(), [&](std::uint64_t begin, std::uint64_t end) {
      copy_past_caches(room + blocks_[block].begin, bytes.data() + begin, end - begin);
      cut_fields(scratch.fields, begin, end, fields_[block]);
      blocks_[block].fields = fields_[block];
      ++block;
    });
  }

  void append_blocks(std::size_t begin, std::size_t end, const char* room, std::string& piece) const {
    piece.clear();
    for (std::size_t block = begin; block < end; ++block) {
      const std::span<const char> bytes(room + blocks_[block].begin, blocks_[block].size);
      append_bgzf_block(batch_->packed(block), std::as_bytes(bytes), batch_->checksum(block), piece);
    }
  }

  std::vector<std::size_t> first_block_;  // of each piece, and the end
  std::vector<BatchBlock> blocks_;
  std::vector<std::vector<deflate::Field>> fields_;  // of each block
  std::uint64_t room_bytes_ = 0;
  const std::unique_ptr<DeflateBatch> batch_;  // last: what its blocks refer to outlives it
};

/// A slice while it has work: waits until one has none.
class BamCompressor::TakenSlice {
 public:
  explicit TakenSlice(BlockingQueue<Slice*>& free) : free_(free), slice_(free.pop().value()) {}
  TakenSlice(const TakenSlice&) = delete;
  TakenSlice& operator=(const TakenSlice&) = delete;
  ~TakenSlice() { free_.push(slice_); }

  Slice* operator->() const { return slice_; }

 private:
  BlockingQueue<Slice*>& free_;
  Slice* const slice_;
};

BamCompressor::BamCompressor(int level, std::function<Backend()> backend)
    : level_(level), backend_(level < 0 ? std::move(backend) : nullptr) {}

BamCompressor::~BamCompressor() = default;

void BamCompressor::compress(const BamPieces& pieces, std::span<std::string> packed) {
  const std::uint64_t bytes = std::accumulate(pieces.bytes.begin(), pieces.bytes.end(), std::uint64_t{0});
  if (bytes >= least_on_device && has_devices()) return compress_on_devices(pieces, packed);
  compress_on_cpu(pieces, 0, pieces.bytes.size(), packed);
}

bool BamCompressor::has_devices() {
  if (backend_) std::call_once(asked_, [this] { ask_for_devices(); });
  return !slices_.empty();
}

void BamCompressor::ask_for_devices() {
  const Backend backend = backend_();
  if (backend.kind == BackendKind::cpu) return;
  const std::vector<int> devices = backend.all_devices();
  for (std::size_t i = 0; i < slices_a_device * devices.size(); ++i) {
    Backend one = backend;
    one.device = devices[i % devices.size()];
    free_.push(slices_.emplace_back(std::make_unique<Slice>(one)).get());
  }
}

void BamCompressor::compress_on_cpu(const BamPieces& pieces, std::size_t begin, std::size_t end,
                                    std::span<std::string> packed) {
  tbb::parallel_for(begin, end, [&](std::size_t i) {
    Scratch& scratch = scratch_.local();
    const std::span<const char> piece = scratch.put(pieces, i);
    packed[i].clear();
    for_bgzf_blocks(piece.size(), [&](std::uint64_t first, std::uint64_t last) {
      const std::span<const char> block = piece.subspan(first, last - first);
      if (level_ == 0)
        return append_bgzf_block({}, std::as_bytes(block), packed[i]);  // htslib's bytes, in fewer copies
      if (level_ > 0) return append_block(block.data(), block.size(), level_, packed[i]);
      cut_fields(scratch.fields, first, last, scratch.of_block);
      append_bgzf_block(scratch.encoder.encode(std::as_bytes(block), scratch.of_block), std::as_bytes(block),
                        packed[i]);
    });
  });
}

/// A thread that waits for the others of its part must not begin with another part: it would wait for a slice while it has
/// one.
void BamCompressor::compress_on_devices(const BamPieces& pieces, std::span<std::string> packed) {
  const std::vector<std::size_t> ends = part_ends(pieces.bytes);
  tbb::parallel_for(std::size_t{0}, ends.size(), [&](std::size_t part) {
    tbb::this_task_arena::isolate([&] {
      const std::size_t begin = part == 0 ? 0 : ends[part - 1];
      const TakenSlice slice(free_);
      if (!slice->compress(pieces, begin, ends[part], packed, scratch_))
        compress_on_cpu(pieces, begin, ends[part], packed);
    });
  });
}

std::string BamCompressor::end_of_file() const {
  std::string block;
  append_block(nullptr, 0, level_, block);
  return block;
}

}  // namespace warpseed::records
