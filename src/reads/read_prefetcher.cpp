#include "reads/read_prefetcher.hpp"

#include <algorithm>

namespace warpseed::reads {

bool ReadPrefetcher::make(ReadPortion& portion) {
  const std::uint64_t most = reads_per_portion_;
  // Portions end where calls do, even if these ask for more, or begin after an odd number as those of a later lane do.
  const std::uint64_t wanted = most - (made_ + most - end_of_call_ % most) % most;
  parser_.fill(portion, {wanted, limits_});
  made_ += portion.reads.size();
  return !portion.reads.empty() || portion.error;
}

void ReadPrefetcher::take(std::uint64_t count, ReadPortion& portion) {
  end_of_call_ = taken_ + count;
  reads_per_portion_ = std::max<std::uint64_t>(count, 1);
  if (!portions_) portions_.emplace([this](ReadPortion& made) { return make(made); }, portions_ahead);
  gather(count, portion);
  taken_ += portion.reads.size();
}

FilePosition ReadPrefetcher::position() const {
  if (used_ == current_.reads.size()) return end_;
  return {{current_.offsets[used_]}, current_.lines[used_] - 1};
}

void ReadPrefetcher::gather(std::uint64_t count, ReadPortion& portion) {
  portion.clear();
  const auto full_with = [&](std::uint64_t reads, std::uint64_t bytes) {
    return limits_.reached_by(portion.reads.size() + reads, portion.reads.text_bytes() + bytes);
  };
  while (portion.reads.size() < count && !full_with(0, 0)) {
    if (used_ == current_.reads.size()) {
      portion.error = current_.error;
      if (portion.error) return;
      used_ = 0;
      if (!portions_->next(current_)) {
        current_.clear();
        return;
      }
      end_ = current_.end;
      // Reads that are as much text as a call may return are returned by the next one, where they need no copy.
      if (!portion.reads.empty() && full_with(current_.reads.size(), current_.reads.text_bytes())) return;
    }
    const std::uint64_t wanted = count - portion.reads.size(), left = current_.reads.size() - used_;
    if (portion.reads.empty() && used_ == 0 && left <= wanted) {
      std::swap(portion, current_);
      std::swap(portion.error, current_.error);  // reported once its reads are all taken
      continue;
    }
    for (const std::uint64_t end = used_ + std::min(wanted, left); used_ < end && !full_with(0, 0); ++used_) {
      portion.reads.add(current_.reads[used_]);
      portion.lines.push_back(current_.lines[used_]);
      portion.offsets.push_back(current_.offsets[used_]);
    }
  }
}

}  // namespace warpseed::reads
