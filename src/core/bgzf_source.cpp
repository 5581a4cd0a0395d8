// BGZF (SAM specification, 4.1) is gzip whose members (blocks) have at most 64 KiB, compressed or not. An extra field
// holds their compressed size, so that blocks can be found without decompressing and then decompressed by many threads,
// some blocks at a time. Anything irregular (a damaged or truncated block, another kind of member, padding, the end) is
// left to the gzip source, which continues there and reports the error.
#include "core/bgzf_source.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/checksum.hpp"
#include "core/deflate.hpp"
#include "core/gzip_source.hpp"

namespace warpseed {

namespace {

constexpr std::uint64_t first_wave =
    1 << 20;  // compressed: some 50 blocks; threads wait for the last block of each wave
constexpr std::uint64_t least_wave = 1 << 17;  // holds a block
constexpr std::uint64_t largest_content = 1 << 16;
constexpr std::uint64_t trailer_bytes = 8;  // CRC-32 and size of the content
constexpr std::uint64_t least_block = bgzf_header_bytes + trailer_bytes;

std::uint32_t number_at(const char* bytes, int width) {
  std::uint32_t number = 0;
  for (int i = width - 1; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

/// The size that a header of BGZF gives its block; gzip that resembles BGZF may give fewer than least_block.
std::uint64_t block_bytes(const char* header) {
  return number_at(header + bgzf_header_bytes - 2, 2) + std::uint64_t{1};
}

struct Block {
  std::uint64_t begin, size;  // in the input, including header and trailer
  std::uint32_t content_size, checksum;
  std::uint64_t content_begin;  // offset in content_
};

/// Decompresses a block and checks it against its trailer.
bool unpack(const char* block, const Block& expected, char* content) {
  const auto deflate = std::as_bytes(std::span(block, expected.size)).subspan(bgzf_header_bytes);
  const auto bytes = std::as_writable_bytes(std::span(content, expected.content_size));
  return inflate(deflate.first(deflate.size() - trailer_bytes), bytes) && crc32(bytes) == expected.checksum;
}

class BgzfSource final : public ByteSource {
 public:
  BgzfSource(RawFile file, std::string_view start, std::uint64_t most_bytes)
      : file_(std::move(file)),
        largest_wave_(std::max(most_bytes, least_wave)),
        input_(std::max<std::uint64_t>(file_.buffer_bytes(std::min(first_wave, largest_wave_)), start.size())) {
    end_ = start.copy(input_.data(), start.size());
  }

  std::uint64_t read(std::span<char> out) override {
    std::uint64_t filled = 0;
    while (filled < out.size() && (given_ < content_size_ || next_wave())) {
      const std::uint64_t some = std::min(out.size() - filled, content_size_ - given_);
      std::copy_n(content_.data() + given_, some, out.data() + filled);
      filled += some;
      given_ += some;
    }
    return filled == out.size() ? filled : filled + rest_->read(out.subspan(filled));
  }

  std::uint64_t file_offset() const override { return rest_ ? rest_->file_offset() : file_.offset() - (end_ - next_); }
  std::uint64_t file_size() const override { return rest_ ? rest_->file_size() : file_.size(); }
  bool compressed() const override { return true; }

 private:
  bool next_wave();
  void find_blocks();
  void inflate_blocks();

  RawFile file_;
  const std::uint64_t largest_wave_;
  std::vector<char> input_;
  std::uint64_t next_ = 0, end_ = 0;  // in input_: what is not decompressed yet
  std::vector<Block> blocks_;
  std::vector<char> good_;  // [blocks_]; bytes, since threads write adjacent elements
  std::vector<char> content_;
  std::uint64_t content_size_ = 0, given_ = 0;  // valid bytes of content_, and those returned so far
  bool unmarked_ = false;                       // the last block was not the empty one that ends a file
  std::unique_ptr<ByteSource> rest_;            // takes over where no block was found
};

/// Finds the complete blocks in input_ and assigns the offsets of their content.
void BgzfSource::find_blocks() {
  blocks_.clear();
  std::uint64_t content = 0;
  for (std::uint64_t at = next_; begins_bgzf({input_.data() + at, end_ - at});) {
    const std::uint64_t size = block_bytes(input_.data() + at);
    if (size < least_block || size > end_ - at) break;
    const char* trailer = input_.data() + at + size - trailer_bytes;
    const Block block = {at, size, number_at(trailer + 4, 4), number_at(trailer, 4), content};
    if (block.content_size > largest_content) break;
    blocks_.push_back(block);
    content += block.content_size;
    at += size;
  }
  if (content_.size() < content) content_.resize(content);
}

/// Decompresses the blocks; drops the first bad one and all that follow it.
void BgzfSource::inflate_blocks() {
  good_.assign(blocks_.size(), 0);
  constexpr std::size_t blocks_per_task = 2;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks_.size(), blocks_per_task), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const Block& block = blocks_[i];
      good_[i] = unpack(input_.data() + block.begin, block, content_.data() + block.content_begin);
    }
  });
  const auto good = static_cast<std::size_t>(std::find(good_.begin(), good_.end(), 0) - good_.begin());
  blocks_.resize(good);
}

/// False if no valid block follows; the gzip source reads the rest.
bool BgzfSource::next_wave() {
  if (rest_) return false;
  std::memmove(input_.data(), input_.data() + next_, end_ - next_);
  end_ -= next_;
  if (next_ > 0) input_.resize(std::min<std::uint64_t>(2 * input_.size(), largest_wave_));
  next_ = 0;
  end_ += file_.read_full(std::span(input_).subspan(end_));
  find_blocks();
  inflate_blocks();
  given_ = content_size_ = 0;
  if (blocks_.empty()) {
    rest_ = make_gzip_source(std::move(file_), {input_.data(), end_}, unmarked_);
    return false;
  }
  const Block& last = blocks_.back();
  next_ = last.begin + last.size;
  content_size_ = last.content_begin + last.content_size;
  unmarked_ = last.content_size != 0;
  return true;
}

}  // namespace

bool begins_bgzf(std::string_view start) {
  constexpr std::string_view magic("\x1F\x8B\x08\x04", 4), field(
                                                               "\x06\x00"
                                                               "BC\x02\x00",
                                                               6);
  constexpr std::size_t field_begin = 10;  // after the fixed fields
  return start.size() >= bgzf_header_bytes && start.starts_with(magic) &&
         start.substr(field_begin, field.size()) == field;
}

void find_bgzf_blocks(RawFile file, std::span<BytePosition> positions) {
  char header[bgzf_header_bytes], size[4];  // of a block, and of its content, at the block's end
  std::uint64_t block = 0, offset = 0;      // where it begins, in the file and in the decompressed bytes
  auto position = positions.begin();
  while (position != positions.end()) {
    file.seek(block);
    if (file.read_full(header) < sizeof header || !begins_bgzf({header, sizeof header})) return;
    if (block_bytes(header) < least_block) return;
    const std::uint64_t next = block + block_bytes(header);
    file.seek(next - sizeof size);
    if (file.read_full(size) < sizeof size) return;
    const std::uint64_t end = offset + number_at(size, 4);
    for (; position != positions.end() && position->offset < end; ++position) {
      position->block = block, position->block_offset = offset;
    }
    block = next, offset = end;
  }
}

std::unique_ptr<ByteSource> make_bgzf_source(RawFile file, std::string_view start, std::uint64_t most_bytes) {
  return std::make_unique<BgzfSource>(std::move(file), start, most_bytes);
}

}  // namespace warpseed
