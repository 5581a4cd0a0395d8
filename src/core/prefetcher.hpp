// Items produced by a background thread, ahead of their consumer.
#pragma once

#include <cassert>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "core/background_thread.hpp"
#include "core/blocking_queue.hpp"

namespace warpseed {

/// Keeps the order. `depth` items circulate, so that at most so many are produced before they are consumed, and their
/// memory is used again.
/// Threads: one consumer at a time.
template <class Item>
class Prefetcher {
 public:
  /// produce: fills an item, new or used before; false when there are no more, and then the item is dropped. An
  /// exception ends the items as well. Only the background thread calls it, from now on.
  Prefetcher(std::function<bool(Item&)> produce, std::size_t depth) : produce_(std::move(produce)) {
    assert(depth > 0);
    for (std::size_t i = 0; i < depth; ++i) free_.push(Item());
    thread_.emplace([this] { run(); });
  }
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// Waits for the item that is being produced.
  ~Prefetcher() { free_.cancel(); }

  /// Swaps `item` for the next one, waiting for it. False at the end; an exception of produce() comes after the items
  /// before it, at every call.
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
