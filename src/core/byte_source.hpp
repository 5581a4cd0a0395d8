// Bytes out of a file or standard input, plain, gzip or BGZF alike.
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

  /// Fills as much of `out` as it can; less than its size only at the end of the input, then 0.
  /// Throws IoError (with the path) when reading fails, InputError when the compressed data are damaged or
  /// cut short (with the byte offset in the compressed file).
  virtual std::uint64_t read(std::span<char> out) = 0;

  /// Bytes taken from the file so far, as they lie on the disk; 0 where that is not known.
  virtual std::uint64_t file_offset() const { return 0; }

  /// The file's size on the disk; 0 for pipes and wherever else it is not known.
  virtual std::uint64_t file_size() const { return 0; }

  virtual bool compressed() const { return false; }
};

/// `path` "-" is standard input. BGZF is decompressed by as many threads as oneTBB has. Throws InputError if there is no
/// such file, it is a directory, compressed in another way than gzip, or of 0 bytes though its name says that it is
/// compressed (.gz, .bgz, .bam, .cram); IoError if it cannot be read.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// `start`, bytes that were read to see what a source holds, then the rest of it. Offsets are those of `rest`.
std::unique_ptr<ByteSource> with_start(std::string start, std::unique_ptr<ByteSource> rest);

/// Has a thread of its own read `source`, some MiB ahead of who asks. The same bytes, and the same errors behind them;
/// where bytes and an error meet, up to 1 MiB of bytes before the error is lost with it. Offsets are in steps of 1 MiB.
std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source);

/// What messages call the input: the path, or "standard input" for "-".
std::string input_name(const std::string& path);

}  // namespace warpseed
