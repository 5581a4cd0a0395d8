// Writes items in a background thread while the next ones are produced.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "core/background_thread.hpp"
#include "core/blocking_queue.hpp"

namespace warpseed {

/// Keeps the order. One item is written at a time and none is queued, so memory is bounded by two items.
/// Threads: one caller at a time.
template <class Item>
class BackgroundWriter {
 public:
  /// consume: writes an item and may leave any value in it. Called by the background thread only.
  explicit BackgroundWriter(std::function<void(Item&)> consume) : consume_(std::move(consume)) {
    free_.push(Item());
    thread_.emplace([this] { run(); });
  }
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// Waits until the last item is written; discards its error if finish() was not called.
  ~BackgroundWriter() { filled_.close(); }

  /// Waits for the previous item to be written, passes `item` on, and swaps it for the previous one, whose memory can
  /// be reused. Throws the error of writing. Not allowed after finish().
  void write(Item& item) {
    std::optional<Item> written = free_.pop();
    if (!written) return thread_->get();  // throws
    std::swap(item, *written);
    busy_ = true;
    filled_.push(std::move(*written));
  }

  /// Whether an item is being written, so that write() would wait.
  bool busy() const { return busy_; }

  /// Waits until all items are written. Throws the error of writing.
  void finish() {
    filled_.close();
    thread_->get();
  }

 private:
  void run() {
    const QueueCloser closer(free_);
    while (std::optional<Item> item = filled_.pop()) {
      consume_(*item);
      busy_ = false;
      free_.push(std::move(*item));
    }
  }

  const std::function<void(Item&)> consume_;
  BlockingQueue<Item> free_, filled_;
  std::atomic<bool> busy_{false};
  std::optional<BackgroundThread<>> thread_;  // last: it uses all of the above
};

}  // namespace warpseed
