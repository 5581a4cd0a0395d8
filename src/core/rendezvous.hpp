// Where threads that do one job in steps wait for each other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "warpseed/error.hpp"

namespace warpseed {

/// Another thread of the job has failed; its exception says why.
struct OtherFailed : BackendError {
  OtherFailed() : BackendError("another thread of the job has failed") {}
};

/// Threads: the number that it was made for. Once one of them has failed, nobody waits any more.
class Rendezvous {
 public:
  explicit Rendezvous(unsigned threads) : published_(threads), threads_(threads) {}

  /// Returns when all threads have arrived; what they wrote before is visible. Throws OtherFailed.
  void wait();

  /// Makes the others' wait() throw, now and later.
  void fail();

  /// The values of all threads by number, once all have arrived. number: of the calling thread. Throws OtherFailed.
  template <class T>
  std::vector<T> share(unsigned number, const T& mine) {
    published_[number] = &mine;
    wait();
    std::vector<T> all;
    for (const void* value : published_) all.push_back(*static_cast<const T*>(value));
    wait();  // until then the others read `mine`
    return all;
  }

 private:
  std::vector<const void*> published_;
  const unsigned threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<unsigned> arrived_ = 0;
  std::atomic<std::uint64_t> round_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace warpseed
