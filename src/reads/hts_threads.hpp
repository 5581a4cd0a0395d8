// Threads that htslib compresses and decompresses with.
#pragma once

#include <htslib/thread_pool.h>

#include <memory>
#include <new>

namespace warpseed {

/// None when one thread has to do.
class HtsThreads {
 public:
  explicit HtsThreads(int threads) : pool_(nullptr, hts_tpool_destroy) {
    if (threads < 2) return;
    pool_.reset(hts_tpool_init(threads));
    if (!pool_) throw std::bad_alloc();
  }
  hts_tpool* get() const { return pool_.get(); }

 private:
  std::unique_ptr<hts_tpool, void (*)(hts_tpool*)> pool_;
};

}  // namespace warpseed
