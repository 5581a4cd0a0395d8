#include "core/line_reader.hpp"

#include <fmt/format.h>

#include <span>

#include "warpseed/error.hpp"

namespace warpseed {

namespace {

constexpr std::uint64_t most_blocks_at_once = 8;  // many threads copy them

/// A small file is not worth a large buffer. One byte more than it has shows its end.
std::uint64_t bytes_at_once(const ByteSource& source, std::uint64_t block_bytes) {
  constexpr std::uint64_t least = 4096;  // should the file grow
  const bool known = source.file_size() > 0 && !source.compressed();
  return known ? std::min(block_bytes, std::max(source.file_size() + 1, least)) : block_bytes;
}

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::uint64_t block_bytes, LineLimit limit)
    : source_(std::move(source)), block_bytes_(bytes_at_once(*source_, block_bytes)), limit_(std::move(limit)) {}

LineReader::~LineReader() {
  if (reading_) reading_->task.wait();
}

void LineReader::exchange_memory(TextMemory& memory) {
  take_ahead();
  const auto bytes = buffer_.begin();
  memory.assign(bytes + static_cast<std::ptrdiff_t>(next_), bytes + static_cast<std::ptrdiff_t>(end_));
  buffer_.resize(next_);
  buffer_.swap(memory);
  end_ -= next_;
  record_ = next_ = 0;
}

bool LineReader::fill() {
  if (error_) std::rethrow_exception(error_);
  if (at_end_) return false;
  if (reading_) {
    const std::uint64_t before = end_;
    take_ahead();
    if (error_) std::rethrow_exception(error_);
    read_ahead();
    return end_ > before;
  }
  if (record_ > 0 && !keeping_) {
    std::memmove(buffer_.data(), buffer_.data() + record_, end_ - record_);
    next_ -= record_;
    end_ -= record_;
    record_ = 0;
  }
  const std::uint64_t wanted = bytes_to_read();
  buffer_.resize(end_ + wanted);
  const std::uint64_t got = source_->read(std::span(buffer_).subspan(end_));
  end_ += got;
  at_end_ = got < wanted;
  read_ahead();
  return got > 0;
}

std::uint64_t LineReader::bytes_to_read() const {
  const std::uint64_t missing = expected_ > end_ ? expected_ - end_ : 0;
  return std::clamp(missing, block_bytes_, most_blocks_at_once * block_bytes_);
}

/// Starts a task that reads what the next fill() wants, unless more may not be wanted or the memory would have to grow.
void LineReader::read_ahead() {
  if (!keeping_ || at_end_ || source_->file_size() == 0 || expected_ < end_ + block_bytes_) return;
  const std::uint64_t wanted = bytes_to_read();
  if (buffer_.capacity() < end_ + wanted) return;
  buffer_.resize(end_ + wanted);
  reading_ = std::make_unique<Ahead>();
  reading_->wanted = wanted;
  const std::span<char> room = std::span(buffer_).subspan(end_);
  reading_->task.run([this, ahead = reading_.get(), room] {
    try {
      ahead->got = source_->read(room);
    } catch (...) {
      ahead->error = std::current_exception();
    }
  });
}

/// Waits for what is being read, if anything is.
void LineReader::take_ahead() {
  if (!reading_) return;
  reading_->task.wait();
  end_ += reading_->got;
  at_end_ = reading_->got < reading_->wanted && !reading_->error;
  error_ = reading_->error;
  reading_.reset();
}

bool LineReader::next_over_blocks(Line& line) {
  std::uint64_t searched = end_ - next_;  // bytes of this line known to contain no line end
  const char* found = nullptr;
  while (!found && fill()) {
    const char* from = buffer_.data() + next_ + searched;
    const std::uint64_t size = end_ - next_ - searched;
    found = static_cast<const char*>(std::memchr(from, '\n', size));
    searched += size;
    if (!found && searched > limit_.bytes) fail_long();
  }
  if (!found && next_ == end_) return false;
  take(line, found ? static_cast<std::uint64_t>(found - buffer_.data()) : end_);
  return true;
}

void LineReader::fail_long() const {
  throw InputError::at(limit_.name, line_number_ + 1,
                       fmt::format("the line has more than {} bytes; {}", limit_.bytes, limit_.remedy));
}

void LineReader::skip_rest() {
  do {
    record_ = next_ = end_;
  } while (fill());
}

int LineReader::peek() {
  if (next_ == end_ && !fill()) return -1;
  if (buffer_[next_] != '\r') return static_cast<unsigned char>(buffer_[next_]);
  if (next_ + 1 == end_) fill();
  return next_ + 1 < end_ && buffer_[next_ + 1] != '\n' ? '\r' : '\n';
}

}  // namespace warpseed
