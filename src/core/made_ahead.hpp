// Items made by a thread of its own, ahead of who takes them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

namespace warpseed {

/// Keeps the order, and at most `depth` items that nobody has taken. The memory of items goes round: who takes one
/// gives the last one back, to be filled anew.
/// Threads: one taker at a time.
template <class Item>
class MadeAhead {
 public:
  /// make: fills an item, new or used before; false when there are no more, and then the item is nobody's. What it
  /// throws ends the items as well. It is called by the thread alone, from now on.
  MadeAhead(std::function<bool(Item&)> make, std::size_t depth)
      : make_(std::move(make)), depth_(depth), thread_([this] { run(); }) {}
  MadeAhead(const MadeAhead&) = delete;
  MadeAhead& operator=(const MadeAhead&) = delete;

  /// Waits for the item that is being made.
  ~MadeAhead() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    room_.notify_one();
    thread_.join();
  }

  /// Swaps `item` for the next one, waiting for it. False at the end; what make() threw comes out in its place, again
  /// at every call.
  bool next(Item& item) {
    std::unique_lock lock(mutex_);
    made_.wait(lock, [this] { return !items_.empty() || ended_; });
    if (items_.empty()) {
      if (error_) std::rethrow_exception(error_);
      return false;
    }
    std::swap(item, items_.front());
    used_.push_back(std::move(items_.front()));
    items_.pop();
    lock.unlock();
    room_.notify_one();
    return true;
  }

 private:
  void run() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [this] { return items_.size() < depth_ || stopped_; });
      if (stopped_) return;
      Item item;
      if (!used_.empty()) {
        item = std::move(used_.back());
        used_.pop_back();
      }
      lock.unlock();
      const bool made = try_to_make(item);
      lock.lock();
      ended_ = !made;
      if (made) items_.push(std::move(item));
      made_.notify_one();
      if (ended_) return;
    }
  }

  bool try_to_make(Item& item) noexcept {
    try {
      return make_(item);
    } catch (...) {
      error_ = std::current_exception();  // nobody looks before ended_ is set
      return false;
    }
  }

  const std::function<bool(Item&)> make_;
  const std::size_t depth_;
  std::mutex mutex_;
  std::condition_variable room_, made_;
  std::queue<Item> items_;
  std::vector<Item> used_;
  std::exception_ptr error_;
  bool ended_ = false, stopped_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace warpseed
