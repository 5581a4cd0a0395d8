// Reads lines from a byte source in blocks; all lines of a record stay accessible.
#pragma once

#include <tbb/task_group.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/byte_source.hpp"
#include "core/text_memory.hpp"

namespace warpseed {

/// The maximum length of a line, and the input's name and the remedy for the message about a longer one: an endless
/// line, such as that of /dev/zero, would take all memory.
struct LineLimit {
  static constexpr std::uint64_t of_text = 1ULL << 26;      // 64 MiB: lists and tables
  static constexpr std::uint64_t of_sequence = 1ULL << 31;  // BAM's longest sequence, with its CR

  std::string name = "input";
  std::uint64_t bytes = of_sequence;
  std::string_view remedy = "break it into lines";
};

/// Returns lines without their LF or CRLF; the last one may lack it. All lines since begin_record() stay accessible,
/// however many blocks they span: the buffer grows for a record that is longer.
class LineReader {
 public:
  /// A line's position in its record.
  struct Line {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };

  /// block_bytes: how much is read at once, at least 1; less of a file that is smaller.
  LineReader(std::unique_ptr<ByteSource> source, std::uint64_t block_bytes, LineLimit limit = {});
  LineReader(LineReader&&) noexcept = default;  // not while lines are kept
  ~LineReader();

  /// Before the first line: the source begins at this offset of a file, after so many lines.
  void continue_at(std::uint64_t offset, std::uint64_t lines) { offset_ = offset, line_number_ = lines; }

  /// The offset of the next line in the file.
  std::uint64_t offset() const { return offset_; }

  /// Until end_keeping(), the source is read into this memory, whose content is replaced, and all lines stay there. The
  /// variable itself is not to be used until then. Copies what was read and not yet returned: hardly more than a block.
  /// expected_bytes: of these lines; as long as as many are missing, several blocks are read at once, those of a file
  /// while lines of the previous ones are returned.
  void begin_keeping(TextMemory& memory, std::uint64_t expected_bytes) {
    exchange_memory(memory);
    expected_ = expected_bytes;
    keeping_ = true;
  }

  /// The same memory now has all lines since begin_keeping(), with their line ends. No effect without that call.
  void end_keeping(TextMemory& memory) {
    if (!keeping_) return;
    exchange_memory(memory);
    expected_ = 0;
    keeping_ = false;
  }

  /// The next line begins a new record; earlier lines are dropped, unless they are kept.
  void begin_record() { record_ = next_; }

  /// The bytes that were read and not returned; valid until the next call of another function than this one.
  std::string_view unread() const { return {buffer_.data() + next_, end_ - next_}; }

  /// Passes over unread bytes that are whole lines, so many. The next line begins a new record.
  void skip(std::uint64_t bytes, std::uint64_t lines) {
    next_ += bytes;
    offset_ += bytes;
    line_number_ += lines;
    begin_record();
  }

  /// False at the end of the input. Throws the same as ByteSource::read(), InputError (with name and line) for a line
  /// beyond the limit; one that exceeds it by less than a block may pass.
  bool next(Line& line) {
    const void* found = next_ == end_ ? nullptr : std::memchr(buffer_.data() + next_, '\n', end_ - next_);
    if (!found) return next_over_blocks(line);
    take(line, static_cast<std::uint64_t>(static_cast<const char*>(found) - buffer_.data()));
    return true;
  }

  /// Reads the source to its end and discards it: next() returns no more lines. Throws the same as ByteSource::read().
  void skip_rest();

  /// The first character of the next line; '\n' for an empty line, -1 at the end of the input.
  int peek();

  /// Moves the text of a line since begin_record() to the end of an earlier one, over what is between them.
  void append(Line& to, Line line) {
    std::memmove(buffer_.data() + record_ + to.begin + to.size, buffer_.data() + record_ + line.begin, line.size);
    to.size += line.size;
  }

  /// All lines since begin_record(), with their line ends; valid as long as text().
  std::string_view record() const { return {buffer_.data() + record_, next_ - record_}; }

  /// Where the record begins among the kept lines.
  std::uint64_t record_begin() const { return record_; }

  /// The size of the kept lines so far.
  std::uint64_t kept_bytes() const { return next_; }

  /// The text of a line since begin_record(); valid until the next call of next() or peek().
  std::string_view text(Line line) const { return {buffer_.data() + record_ + line.begin, line.size}; }

  /// Lines read so far: the number of the last one, counted from 1.
  std::uint64_t line_number() const { return line_number_; }

 private:
  /// A read of the source that a task makes into buffer_, from end_ on.
  struct Ahead {
    tbb::task_group task;
    std::uint64_t wanted = 0, got = 0;  // bytes
    std::exception_ptr error;
  };

  /// Continues in the other memory, with the bytes not yet returned; leaves the returned ones in this one.
  void exchange_memory(TextMemory& memory);
  bool fill();
  std::uint64_t bytes_to_read() const;
  void read_ahead();
  void take_ahead();
  bool next_over_blocks(Line& line);
  [[noreturn]] void fail_long() const;

  /// Takes the line from next_ to line_end, where a line end or the end of the input is.
  void take(Line& line, std::uint64_t line_end) {
    line = {next_ - record_, line_end - next_};
    if (line.size > 0 && buffer_[line_end - 1] == '\r') --line.size;
    const std::uint64_t next = std::min(line_end + 1, end_);
    offset_ += next - next_;
    next_ = next;
    ++line_number_;
  }

  std::unique_ptr<ByteSource> source_;
  std::uint64_t block_bytes_;
  TextMemory buffer_;
  std::uint64_t record_ = 0;  // in buffer_: the record's first character
  std::uint64_t next_ = 0;    // the next line's first character
  std::uint64_t end_ = 0;     // the end of the data
  std::uint64_t line_number_ = 0;
  std::uint64_t offset_ = 0;
  bool at_end_ = false;
  bool keeping_ = false;
  std::uint64_t expected_ = 0;  // bytes of the lines that are kept
  LineLimit limit_;
  std::exception_ptr error_;        // of reading ahead, for the next fill()
  std::unique_ptr<Ahead> reading_;  // last: its task uses the source and the buffer. Null: none runs
};

}  // namespace warpseed
