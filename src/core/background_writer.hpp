// Writes items in a background thread while the next ones are produced.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "core/background_thread.hpp"
#include "core/blocking_queue.hpp"

namespace warpseed {

/// Keeps the order. One item is written at a time, and others wait for it: `depth` in all.
/// Threads: one caller at a time.
template <class Item>
class BackgroundWriter {
 public:
  /// consume: writes an item and may leave any value in it. Called by the background thread only.
  explicit BackgroundWriter(std::function<void(Item&)> consume, int depth = 1)
      : consume_(std::move(consume)), free_count_(depth) {
    for (int i = 0; i < depth; ++i) free_.push(Item());
    thread_.emplace([this] { run(); });
  }
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// Waits until all items are written; discards their error if finish() was not called.
  ~BackgroundWriter() { filled_.close(); }

  /// Waits until fewer than `depth` items are not written, passes `item` on, and swaps it for one that has been written,
  /// whose memory can be reused. Throws the error of writing. Not allowed after finish().
  void write(Item& item) {
    std::optional<Item> written = free_.pop();
    if (!written) return thread_->get();  // throws
    std::swap(item, *written);
    --free_count_;
    filled_.push(std::move(*written));
  }

  /// Whether `depth` items are not written, so that write() would wait. False if writing has failed: then it throws.
  bool busy() const { return free_count_ <= 0 && !failed_; }

  /// Waits until all items are written. Throws the error of writing.
  void finish() {
    filled_.close();
    thread_->get();
  }

 private:
  void run() {
    const QueueCloser closer(free_);
    while (std::optional<Item> item = filled_.pop()) {
      consume(*item);
      ++free_count_;
      free_.push(std::move(*item));
    }
  }

  void consume(Item& item) try { consume_(item); } catch (...) {
    failed_ = true;
    throw;
  }

  const std::function<void(Item&)> consume_;
  BlockingQueue<Item> free_, filled_;
  std::atomic<int> free_count_;
  std::atomic<bool> failed_{false};
  std::optional<BackgroundThread<>> thread_;  // last: it uses all of the above
};

}  // namespace warpseed
