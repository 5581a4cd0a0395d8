#include "core/rendezvous.hpp"

namespace warpseed {

void Rendezvous::wait() {
  std::unique_lock lock(mutex_);
  if (failed_) throw OtherFailed();
  if (++arrived_ == threads_) {
    arrived_ = 0;
    ++round_;
    changed_.notify_all();
    return;
  }
  const std::uint64_t round = round_;
  changed_.wait(lock, [&] { return failed_ || round_ != round; });
  if (round_ == round) throw OtherFailed();
}

void Rendezvous::fail() {
  const std::lock_guard lock(mutex_);
  failed_ = true;
  changed_.notify_all();
}

}  // namespace warpseed
