#include "reads/read_prefetcher.hpp"

#include <algorithm>
#include <utility>

namespace warpseed::reads {

namespace {

constexpr std::size_t portions_ahead = 2;  // one to be taken while the next is parsed
constexpr std::uint64_t spare_bytes_a_read = 8;

}  // namespace

void ReadPortion::clear() {
  reads.clear();
  lines.clear();
  error = nullptr;
}

bool ReadPrefetcher::make(ReadPortion& portion) {
  portion.clear();
  if (ended_) return false;
  try {
    const std::uint64_t most = reads_per_portion_;
    const std::uint64_t wanted = most - made_ % most;  // portions end where calls do, even if these ask for more
    if (bytes_per_read_ > 0) {
      const std::uint64_t reads = std::min(wanted, most_bytes_ / bytes_per_read_ + 1);
      portion.reads.reserve(reads, reads * bytes_per_read_ + longest_read_bytes_);  // the last may go beyond the limit
    }
    for (std::uint64_t bytes = 0; portion.reads.size() < wanted && bytes < most_bytes_;) {
      ended_ = !parser_.next(portion.reads);
      if (ended_) break;
      portion.lines.push_back(parser_.record_line());
      const std::uint64_t before = std::exchange(bytes, portion.reads.text_bytes());
      longest_read_bytes_ = std::max(longest_read_bytes_, bytes - before);
    }
  } catch (...) {
    portion.error = std::current_exception();
    ended_ = true;
  }
  made_ += portion.reads.size();
  if (!portion.reads.empty()) bytes_per_read_ = portion.reads.text_bytes() / portion.reads.size() + spare_bytes_a_read;
  return !portion.lines.empty() || portion.error;
}

void ReadPrefetcher::take(std::uint64_t count, ReadPortion& portion) {
  reads_per_portion_ = std::max<std::uint64_t>(count, 1);
  if (!portions_) portions_.emplace([this](ReadPortion& made) { return make(made); }, portions_ahead);
  portion.clear();
  while (portion.reads.size() < count && portion.reads.text_bytes() < most_bytes_) {
    if (used_ == current_.reads.size()) {
      portion.error = current_.error;
      if (portion.error) return;
      used_ = 0;
      if (!portions_->next(current_)) {
        current_.clear();
        return;
      }
      // Reads that are as much text as a call may return are returned by the next one, where they need no copy.
      if (!portion.reads.empty() && portion.reads.text_bytes() + current_.reads.text_bytes() > most_bytes_) return;
    }
    const std::uint64_t wanted = count - portion.reads.size(), left = current_.reads.size() - used_;
    if (portion.reads.empty() && used_ == 0 && left <= wanted) {
      std::swap(portion, current_);
      std::swap(portion.error, current_.error);  // reported once its reads are all taken
      continue;
    }
    for (const std::uint64_t end = used_ + std::min(wanted, left); used_ < end; ++used_) {
      portion.reads.add(current_.reads[used_]);
      portion.lines.push_back(current_.lines[used_]);
    }
  }
}

}  // namespace warpseed::reads
