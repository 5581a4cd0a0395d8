#include "core/rendezvous.hpp"

namespace warpseed {

void Rendezvous::wait() {
  const std::uint64_t round = round_.load();
  if (failed_.load()) throw OtherFailed();
  if (++arrived_ == threads_) {
    arrived_ = 0;
    {
      const std::lock_guard lock(mutex_);
      ++round_;
    }
    changed_.notify_all();
    return;
  }
  const auto over = [&] { return failed_.load() || round_.load() != round; };
  constexpr int spins = 200'000;  // some 0.2 ms: waking a thread takes longer than waiting for it
  for (int i = 0; i < spins && !over(); ++i) {
  }
  if (!over()) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, over);
  }
  if (round_.load() == round) throw OtherFailed();
}

void Rendezvous::fail() {
  {
    const std::lock_guard lock(mutex_);
    failed_ = true;
  }
  changed_.notify_all();
}

}  // namespace warpseed
