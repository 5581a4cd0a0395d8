#include "core/deflate_batch.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "core/deflate_blocks.cuh"
#include "core/entry.hpp"
#include "core/pinned.cuh"

namespace warpseed::deflate::cuda {

namespace {

/// Memory for so many bytes of a batch.
struct Memory {
  static constexpr std::uint64_t bytes_a_byte = 14;

  Memory() = default;
  Memory(std::uint64_t count, const Stream& stream)
      : bytes(count, stream), candidates(count, stream), found(count, stream), out(count / 4 + 1, stream) {}

  Buffer<std::uint8_t> bytes;
  Buffer<std::uint64_t> candidates;
  Buffer<Found> found;
  Buffer<std::uint32_t> out;
};

/// Grows with its batches.
class DeviceDeflateBatch final : public DeflateBatch {
 public:
  explicit DeviceDeflateBatch(const Backend& backend) : stream_(backend, {0, Waiting::block}) {}
  ~DeviceDeflateBatch() override { cudaStreamSynchronize(stream_.handle()); }  // copies use the pinned arrays

  char* room(std::uint64_t bytes) override {
    warpseed::cuda::set_current_device(stream_.device());  // for which memory is locked; the caller's may be another
    return bytes_.room(bytes).data();
  }

  bool start(std::span<const BatchBlock> blocks) override {
    if (blocks.empty()) return true;
    warpseed::cuda::set_current_device(stream_.device());
    const std::uint64_t bytes = after(blocks.back().begin + blocks.back().size);
    lay_out(blocks, bytes);
    try {
      if (!grow(bytes)) return false;
    } catch (const OutOfDeviceMemory&) {  // others have taken it meanwhile
      return false;
    }
    run(bytes);
    return true;
  }

  void wait() override {
    if (block_count_ == 0) return;
    warpseed::cuda::set_current_device(stream_.device());
    stream_.wait();
    const std::uint32_t used = *out_bytes_.room(1).data();
    out_view_ = out_host_.room(used);
    if (used == 0) return;
    check(cudaMemcpyAsync(out_view_.data(), memory_.out.data(), used, cudaMemcpyDeviceToHost, stream_.handle()),
          "copying deflated blocks");
    stream_.wait();
  }

  std::span<const std::byte> packed(std::size_t block) const override {
    const Packed& packed = packed_view_[block];
    return out_view_.subspan(packed.begin, packed.size);
  }

  std::uint32_t checksum(std::size_t block) const override { return checksum_view_[block]; }

 private:
  /// Cuts fields into pieces and clears what is between the blocks.
  void lay_out(std::span<const BatchBlock> blocks, std::uint64_t bytes) {
    block_count_ = blocks.size();
    block_view_ = blocks_host_.room(block_count_);
    for_each_block([&](std::uint32_t i) {
      const BatchBlock& block = blocks[i];
      const Field whole = {block.size, FieldKind::short_matches};
      check_fields(block.size, block.fields.empty() ? std::span(&whole, 1) : block.fields);
      std::uint32_t count = 0;
      for_fields(block, [&](std::uint32_t begin, const Field& field) {
        count += (field.end - begin + max_piece - 1) / max_piece;
      });
      block_view_[i] = {static_cast<std::uint32_t>(block.begin), block.size, 0, count};
    });
    std::uint32_t end = 0;
    for (Block& block : block_view_) {
      block.first_piece = end;
      block.end_piece = end += block.end_piece;
    }
    piece_view_ = pieces_host_.room(end);
    char* const all = bytes_.room(bytes).data();
    for_each_block([&](std::uint32_t i) {
      Piece* piece = piece_view_.data() + block_view_[i].first_piece;
      for_fields(blocks[i], [&](std::uint32_t begin, const Field& field) {
        for (std::uint32_t end = 0; begin < field.end; begin = end) {
          end = std::min(field.end, begin + max_piece);
          *piece++ = {i, static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end - begin), field.kind};
        }
      });
      const std::uint64_t used = blocks[i].begin + blocks[i].size;
      std::memset(all + used, 0, (i + 1 < blocks.size() ? blocks[i + 1].begin : bytes) - used);
    });
  }

  template <class Work>
  void for_each_block(const Work& work) const {
    tbb::parallel_for(std::uint32_t{0}, static_cast<std::uint32_t>(block_count_), work);
  }

  /// Calls use(begin, field) for each field of a block.
  template <class Use>
  static void for_fields(const BatchBlock& block, const Use& use) {
    if (block.fields.empty()) return use(0, Field{block.size, FieldKind::short_matches});
    std::uint32_t begin = 0;
    for (const Field& field : block.fields) {
      use(begin, field);
      begin = field.end;
    }
  }

  /// False if it would take a good part of the memory that others count on.
  bool grow(std::uint64_t bytes) {
    if (bytes > memory_.bytes.size()) {
      const std::uint64_t wanted = bytes + bytes / 4;
      constexpr std::uint64_t share = 16;
      if (wanted * Memory::bytes_a_byte > stream_.pool().free_bytes() / share) return false;
      memory_ = {};  // first: both together may not fit
      memory_ = Memory(wanted, stream_);
    }
    if (block_count_ > blocks_.size()) blocks_ = Buffer<Block>(block_count_, stream_);
    if (block_count_ > packed_.size()) packed_ = Buffer<Packed>(block_count_, stream_);
    if (block_count_ > checksums_.size()) checksums_ = Buffer<std::uint32_t>(block_count_, stream_);
    if (piece_view_.size() > pieces_.size()) pieces_ = Buffer<Piece>(piece_view_.size() * 5 / 4, stream_);
    if (used_.size() == 0) used_ = Buffer<std::uint32_t>(1, stream_);
    return true;
  }

  void run(std::uint64_t bytes) {
    const auto* host = reinterpret_cast<const std::uint8_t*>(bytes_.room(bytes).data());
    memory_.bytes.upload({host, bytes});
    blocks_.upload(block_view_);
    pieces_.upload(piece_view_);
    memory_.out.fill_zero();
    used_.fill_zero();
    const BatchView batch = {{memory_.bytes.data(), bytes},
                             {blocks_.data(), block_count_},
                             {pieces_.data(), piece_view_.size()},
                             memory_.candidates.data(),
                             memory_.found.data()};
    take_checksums(batch, checksums_.data(), stream_);
    find_matches(batch, stream_);
    encode(batch, memory_.out.data(), used_.data(), packed_.data(), stream_);
    packed_view_ = packed_host_.room(block_count_);
    packed_.download(packed_view_);
    checksum_view_ = checksums_host_.room(block_count_);
    checksums_.download(checksum_view_);
    used_.download(out_bytes_.room(1));
  }

  const Stream stream_;  // first: the buffers use it
  PinnedArray<char> bytes_;
  PinnedArray<Block> blocks_host_;
  PinnedArray<Piece> pieces_host_;
  PinnedArray<Packed> packed_host_;
  PinnedArray<std::byte> out_host_;
  PinnedArray<std::uint32_t> out_bytes_, checksums_host_;
  std::size_t block_count_ = 0;
  std::span<Block> block_view_;
  std::span<Piece> piece_view_;
  std::span<Packed> packed_view_;
  std::span<std::uint32_t> checksum_view_;
  std::span<std::byte> out_view_;
  Memory memory_;
  Buffer<std::uint32_t> used_, checksums_;
  Buffer<Block> blocks_;
  Buffer<Piece> pieces_;
  Buffer<Packed> packed_;
};

}  // namespace

std::unique_ptr<DeflateBatch> make_deflate_batch(const Backend& backend) {
  return std::make_unique<DeviceDeflateBatch>(backend);
}

}  // namespace warpseed::deflate::cuda
