// Produces items in a background thread, ahead of their consumer.
#pragma once

#include <cassert>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "core/background_thread.hpp"
#include "core/blocking_queue.hpp"

namespace warpseed {

/// Keeps the order. `depth` items circulate: at most that many are produced ahead, and their memory is reused.
/// Threads: one consumer at a time.
template <class Item>
class Prefetcher {
 public:
  /// produce: fills an item, new or used before; returns false if there are no more, and the item is dropped. An
  /// exception ends the items as well. Called by the background thread only, from now on.
  Prefetcher(std::function<bool(Item&)> produce, std::size_t depth) : produce_(std::move(produce)) {
    assert(depth > 0);
    for (std::size_t i = 0; i < depth; ++i) free_.push(Item());
    thread_.emplace([this] { run(); });
  }
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// Waits for the item that is being produced.
  ~Prefetcher() { free_.cancel(); }

  /// Waits for the next item and swaps it with `item`. False at the end; throws an exception of produce() after the
  /// items before it, at every call.
  bool next(Item& item) {
    std::optional<Item> filled = filled_.pop();
    if (!filled) {
      thread_->get();
      return false;
    }
    std::swap(item, *filled);
    free_.push(std::move(*filled));
    return true;
  }

 private:
  void run() {
    const QueueCloser closer(filled_);
    while (std::optional<Item> item = free_.pop()) {
      if (!produce_(*item)) return;
      filled_.push(std::move(*item));
    }
  }

  const std::function<bool(Item&)> produce_;
  BlockingQueue<Item> free_, filled_;
  std::optional<BackgroundThread<>> thread_;  // last: it uses all of the above
};

}  // namespace warpseed
