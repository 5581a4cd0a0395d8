// Work in a thread of its own.
#pragma once

#include <functional>
#include <future>
#include <utility>

namespace warpseed {

/// Runs a function in a new thread and holds its result. An exception of the function ends the thread, not the process:
/// whoever asks for the result gets it. The destructor waits for the thread, and discards an exception nobody asked for.
/// Threads: get() and share(): any.
template <class Result = void>
class BackgroundThread {
 public:
  /// Throws std::system_error if the system gives no thread; error_report() has words for it.
  explicit BackgroundThread(std::function<Result()> work) : result_(start(std::move(work))) {}
  BackgroundThread(BackgroundThread&&) noexcept = default;
  BackgroundThread& operator=(BackgroundThread&&) noexcept = default;

  /// Waits for the end of the function. Its result, or what it threw, at every call.
  decltype(auto) get() const { return result_.get(); }

  /// Shares the result; the last owner waits for the thread.
  std::shared_future<Result> share() const { return result_; }

 private:
  static std::shared_future<Result> start(std::function<Result()> work) {
    return std::async(std::launch::async, std::move(work)).share();
  }

  std::shared_future<Result> result_;
};

}  // namespace warpseed
