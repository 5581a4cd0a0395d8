// Runs a function in its own thread.
#pragma once

#include <functional>
#include <future>
#include <utility>

namespace warpseed {

/// Runs a function in a new thread and holds its result. An exception of the function is rethrown by get() and does not
/// end the process. The destructor waits for the thread, and discards an exception that was not fetched.
/// Threads: get() and share(): any.
template <class Result = void>
class BackgroundThread {
 public:
  /// Throws std::system_error if the thread cannot be created; error_report() formats the message.
  explicit BackgroundThread(std::function<Result()> work) : result_(start(std::move(work))) {}
  BackgroundThread(BackgroundThread&&) noexcept = default;
  BackgroundThread& operator=(BackgroundThread&&) noexcept = default;

  /// Waits for the function to end. Returns its result, or throws its exception, at every call.
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
