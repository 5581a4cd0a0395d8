// A queue between threads whose consumer waits for items.
#pragma once

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace warpseed {

/// First in, first out. push() never waits: memory is bounded by letting a fixed number of items circulate between two
/// queues, one for filled items and one for free ones (see Prefetcher and BackgroundWriter).
/// Threads: any number of producers and consumers.
/// Not tbb::concurrent_bounded_queue: its abort() wakes only the threads that are waiting at that moment, so a thread
/// that is about to wait would miss it.
template <class Item>
class BlockingQueue {
 public:
  /// Not allowed after close().
  void push(Item item) {
    {
      const std::lock_guard lock(mutex_);
      assert(!closed_);
      items_.push_back(std::move(item));
    }
    changed_.notify_one();
  }

  /// Waits for an item. Returns none once the queue is closed and empty.
  std::optional<Item> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
    return item;
  }

  /// No more items follow; those in the queue can still be popped.
  void close() {
    end([] {});
  }

  /// Closes the queue and discards the items in it.
  void cancel() {
    end([this] { items_.clear(); });
  }

 private:
  template <class Cleanup>
  void end(const Cleanup& cleanup) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      cleanup();
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
};

/// Closes a queue at the end of a scope, also by an exception, so that no consumer waits for ever.
template <class Item>
class QueueCloser {
 public:
  explicit QueueCloser(BlockingQueue<Item>& queue) : queue_(queue) {}
  QueueCloser(const QueueCloser&) = delete;
  QueueCloser& operator=(const QueueCloser&) = delete;
  ~QueueCloser() { queue_.close(); }

 private:
  BlockingQueue<Item>& queue_;
};

}  // namespace warpseed
