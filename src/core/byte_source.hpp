// Reads bytes from a file or standard input, plain, gzip or BGZF.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace warpseed {

/// A stream of decompressed bytes. Compression is recognised by content, never by name.
/// Threads: one reader at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills as much of `out` as possible; less than its size only at the end of the input, then 0.
  /// Throws IoError (with the path) if reading fails, InputError if the compressed data is damaged or truncated (with
  /// the byte offset in the compressed file).
  virtual std::uint64_t read(std::span<char> out) = 0;

  /// Bytes read from the file so far, as stored on disk; 0 if unknown.
  virtual std::uint64_t file_offset() const { return 0; }

  /// The file's size on disk; 0 for pipes and if unknown.
  virtual std::uint64_t file_size() const { return 0; }

  virtual bool compressed() const { return false; }
};

/// Compressed bytes of BGZF that are decompressed together, at most.
constexpr std::uint64_t usual_bgzf_bytes = 8 << 20;

/// `path` "-" is standard input. BGZF is decompressed by all oneTBB threads, bgzf_bytes of the file at a time: less where many
/// files are open. Throws InputError if the file does not
/// exist, is a directory, uses another compression than gzip, or has 0 bytes and a name of a compressed format (.gz,
/// .bgz, .bam, .cram); IoError if it cannot be read.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, std::uint64_t bgzf_bytes = usual_bgzf_bytes);

/// A position in the decompressed bytes of a file, and where in the file reading can begin for it.
struct BytePosition {
  std::uint64_t offset = 0;        // of decompressed bytes
  std::uint64_t block = 0;         // BGZF: a byte of the file at which a block begins; 0 otherwise
  std::uint64_t block_offset = 0;  // the offset of that block's first decompressed byte, at most `offset`

  friend bool operator==(const BytePosition&, const BytePosition&) = default;
};

/// Opens a file at a position. Cost: a seek in a plain file, a block in BGZF; gzip is decompressed up to there. Throws as
/// open_bytes(), and InputError if no block of BGZF begins there.
std::unique_ptr<ByteSource> open_bytes_at(const std::string& path, const BytePosition& position);

/// Sets, for ascending offsets, the last block of BGZF that begins at or before each; nothing in other files. Cost: a short
/// read for each block up to the last offset.
void find_blocks(const std::string& path, std::span<BytePosition> positions);

/// Returns `start`, bytes already read to recognise a source's content, then `rest`. Offsets are those of `rest`.
std::unique_ptr<ByteSource> with_start(std::string start, std::unique_ptr<ByteSource> rest);

/// Reads `source` in a background thread, four blocks ahead of the caller: of 1 MiB, or of 8 MiB for a large file. Returns
/// the same bytes, then the same errors; an error can lose up to a block of the bytes before it. Offsets advance by blocks.
std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source);

/// The input's name in messages: the path, or "standard input" for "-".
std::string input_name(const std::string& path);

}  // namespace warpseed
