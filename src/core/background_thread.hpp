// Work in a thread of its own.
#pragma once

#include <functional>
#include <future>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace warpseed {

/// Runs a function in a new thread and holds its result. An exception of the function ends the thread, not the process:
/// whoever asks for the result gets it. The destructor waits for the thread, and discards an exception nobody asked for.
/// Threads: get() and share(): any.
template <class Result = void>
class BackgroundThread {
 public:
  /// Throws IoError if the system gives no thread.
  explicit BackgroundThread(std::function<Result()> work) : result_(start(std::move(work))) {}
  BackgroundThread(BackgroundThread&&) noexcept = default;
  BackgroundThread& operator=(BackgroundThread&&) noexcept = default;

  /// Waits for the end of the function. Its result, or what it threw, at every call.
  decltype(auto) get() const { return result_.get(); }

  /// Shares the result; the last owner waits for the thread.
  std::shared_future<Result> share() const { return result_; }

 private:
  static std::shared_future<Result> start(std::function<Result()> work) {
    try {
      return std::async(std::launch::async, std::move(work)).share();
    } catch (const std::system_error& error) {
      throw IoError("cannot start a thread: " + error.code().message() +
                    "; use fewer --threads, or raise the limits of processes and memory (ulimit -u, ulimit -v)");
    }
  }

  std::shared_future<Result> result_;
};

}  // namespace warpseed
