#include "core/byte_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bgzf_source.hpp"
#include "core/gzip_source.hpp"
#include "core/prefetcher.hpp"
#include "core/raw_file.hpp"
#include "core/text_memory.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

class PlainSource : public ByteSource {
 public:
  PlainSource(RawFile file, std::string_view start) : file_(std::move(file)), start_(start) {}

  std::uint64_t read(std::span<char> out) override {
    const std::uint64_t early = std::min(out.size(), start_.size());
    std::copy_n(start_.begin(), early, out.begin());
    start_.erase(0, early);
    return early + file_.read_full(out.subspan(early));
  }

  std::uint64_t file_offset() const override { return file_.offset() - start_.size(); }
  std::uint64_t file_size() const override { return file_.size(); }

 private:
  RawFile file_;
  std::string start_;  // read to recognise the file, not yet returned
};

class RestartedSource final : public ByteSource {
 public:
  RestartedSource(std::string start, std::unique_ptr<ByteSource> rest)
      : start_(std::move(start)), rest_(std::move(rest)) {}

  std::uint64_t read(std::span<char> out) override {
    const std::uint64_t early = std::min(out.size(), start_.size() - given_);
    std::copy_n(start_.data() + given_, early, out.begin());
    given_ += early;
    return early == out.size() ? early : early + rest_->read(out.subspan(early));
  }

  std::uint64_t file_offset() const override { return rest_->file_offset(); }
  std::uint64_t file_size() const override { return rest_->file_size(); }
  bool compressed() const override { return rest_->compressed(); }

 private:
  std::string start_;
  std::uint64_t given_ = 0;  // bytes of start_ returned so far
  std::unique_ptr<ByteSource> rest_;
};

/// Bytes that the background thread has read.
struct AheadBlock {
  TextMemory bytes;
  std::uint64_t size = 0;
  std::uint64_t file_offset = 0;  // after these bytes
};

class AheadSource final : public ByteSource {
 public:
  explicit AheadSource(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)),
        file_size_(source_->file_size()),
        compressed_(source_->compressed()),
        block_bytes_(file_size_ >= large_file ? large_block : small_block),
        block_{{}, 0, source_->file_offset()},
        blocks_([this](AheadBlock& block) { return make(block); }, blocks_ahead) {}

  std::uint64_t read(std::span<char> out) override {
    std::uint64_t filled = 0;
    while (filled < out.size() && (given_ < block_.size || next_block())) {
      const std::uint64_t some = std::min(out.size() - filled, block_.size - given_);
      std::copy_n(block_.bytes.data() + given_, some, out.data() + filled);
      filled += some;
      given_ += some;
    }
    return filled;
  }

  std::uint64_t file_offset() const override { return block_.file_offset; }
  std::uint64_t file_size() const override { return file_size_; }
  bool compressed() const override { return compressed_; }

 private:
  static constexpr std::uint64_t small_block = 1 << 20, large_block = 8 << 20;  // many threads read a large one
  static constexpr std::uint64_t large_file = 64 << 20;
  static constexpr std::size_t blocks_ahead = 4;

  bool make(AheadBlock& block) {
    block.bytes.resize(block_bytes_);
    block.size = source_->read(block.bytes);
    block.file_offset = source_->file_offset();
    return block.size > 0;
  }

  bool next_block() {
    if (!blocks_.next(block_)) return false;
    given_ = 0;
    return true;
  }

  const std::unique_ptr<ByteSource> source_;  // the thread's
  const std::uint64_t file_size_;
  const bool compressed_;
  const std::uint64_t block_bytes_;
  AheadBlock block_;
  std::uint64_t given_ = 0;        // bytes of block_ returned so far
  Prefetcher<AheadBlock> blocks_;  // last: its thread uses the source
};

/// The program that decompresses an unsupported format; null if `start` is not such a format.
const char* external_decompressor(std::string_view start) {
  if (start.starts_with("\xFD"
                        "7zXZ"))
    return "xz -dc";
  if (start.starts_with("\x28\xB5\x2F\xFD")) return "zstd -dc";
  if (start.size() >= 10 && start.starts_with("BZh") && start.substr(4, 6) == "1AY&SY") return "bzip2 -dc";
  if (start.starts_with("PK\x03\x04")) return "unzip -p";
  return nullptr;
}

/// Compressed data always has a header, even if it is empty: a compressed file of 0 bytes was truncated.
void require_content(const std::string& path) {
  for (const std::string_view ending : {".gz", ".bgz", ".bam", ".cram"}) {
    if (!path.ends_with(ending)) continue;
    throw InputError(
        fmt::format("{}: truncated: it has 0 bytes, where a {} file has a header at least; make or copy the file again",
                    path, ending));
  }
}

/// Reads bytes and drops them; fewer at the end.
void skip(ByteSource& source, std::uint64_t bytes) {
  std::vector<char> dropped(std::min<std::uint64_t>(bytes, 1 << 20));
  while (bytes > 0) {
    const std::uint64_t got = source.read(std::span(dropped).first(std::min<std::uint64_t>(bytes, dropped.size())));
    if (got == 0) return;
    bytes -= got;
  }
}

std::unique_ptr<ByteSource> open_file(RawFile file, std::string_view start, std::uint64_t bgzf_bytes) {
  if (begins_bgzf(start)) return make_bgzf_source(std::move(file), start, bgzf_bytes);
  if (start.starts_with("\x1F\x8B")) return make_gzip_source(std::move(file), start);
  if (const char* program = external_decompressor(start)) {
    throw InputError(file.name() + ": compressed in a way that is not read here; pipe it in through `" + program +
                     "`, or compress it with gzip");
  }
  return std::make_unique<PlainSource>(std::move(file), start);
}

/// The first bytes: as many as the longest signature that is checked.
struct FileStart {
  char bytes[bgzf_header_bytes];
  std::uint64_t size;

  explicit FileStart(RawFile& file) : size(file.read_full(bytes)) {}
  std::string_view text() const { return {bytes, size}; }
};

}  // namespace

std::unique_ptr<ByteSource> with_start(std::string start, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<RestartedSource>(std::move(start), std::move(rest));
}

std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source) {
  return std::make_unique<AheadSource>(std::move(source));
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path, std::uint64_t bgzf_bytes) {
  RawFile file(path);
  const FileStart start(file);
  if (start.size == 0) require_content(path);
  return open_file(std::move(file), start.text(), bgzf_bytes);
}

std::unique_ptr<ByteSource> open_bytes_at(const std::string& path, const BytePosition& position) {
  RawFile file(path);
  const FileStart start(file);
  const bool compressed = start.text().starts_with("\x1F\x8B");
  const bool by_block = begins_bgzf(start.text()) && position.block > 0;
  if (compressed && !by_block) {
    auto source = open_file(std::move(file), start.text(), usual_bgzf_bytes);
    skip(*source, position.offset);
    return source;
  }
  file.seek(compressed ? position.block : position.offset);
  if (!compressed) return std::make_unique<PlainSource>(std::move(file), std::string_view());
  const FileStart block(file);
  if (!begins_bgzf(block.text())) {
    throw InputError(
        fmt::format("{}: no block of BGZF begins at its byte {}; has the file changed?", file.name(), position.block));
  }
  auto source = make_bgzf_source(std::move(file), block.text(), usual_bgzf_bytes);
  skip(*source, position.offset - position.block_offset);
  return source;
}

void find_blocks(const std::string& path, std::span<BytePosition> positions) {
  RawFile file(path);
  const FileStart start(file);
  if (begins_bgzf(start.text())) find_bgzf_blocks(std::move(file), positions);
}

}  // namespace warpseed
