// Devices that do one job together, in steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "core/rendezvous.hpp"
#include "core/stream.cuh"

namespace warpseed::cuda {

/// How many devices a team has at most: kernels take an address for each.
constexpr unsigned max_team_size = 16;

/// One device of a team, with the stream and the host thread that work there. Members read and write each other's
/// buffers.
class TeamMember {
 public:
  /// The only member of a team.
  explicit TeamMember(const Stream& stream) : stream_(stream) {}

  TeamMember(const Stream& stream, unsigned number, unsigned team_size, Rendezvous& rendezvous)
      : stream_(stream), number_(number), team_size_(team_size), rendezvous_(&rendezvous) {}

  const Stream& stream() const { return stream_; }
  unsigned number() const { return number_; }
  unsigned team_size() const { return team_size_; }
  bool is_alone() const { return team_size_ == 1; }

  /// Returns when all work that any member has queued so far is done. Every member must call it. The only member of a
  /// team does not wait. Throws OtherFailed.
  void meet() const;

  /// The same without waiting for work that is queued. Every member must call it.
  void meet_hosts() const {
    if (!is_alone()) rendezvous_->wait();
  }

  /// The values of all members, by number, once all work that they have queued so far is done. Every member must call
  /// it. Throws OtherFailed.
  template <class T>
  std::vector<T> share(const T& mine) const {
    if (is_alone()) return {mine};
    stream_.wait();
    return rendezvous_->share(number_, mine);
  }

 private:
  const Stream& stream_;
  unsigned number_ = 0, team_size_ = 1;
  Rendezvous* rendezvous_ = nullptr;  // null: alone
};

/// The devices of a backend as a team.
class DeviceTeam {
 public:
  /// All devices of the backend; only its first one if any two of them do not reach each other's memory, as over NVLink.
  /// A device may occur more than once. Throws BackendError.
  explicit DeviceTeam(const Backend& backend);

  unsigned size() const { return static_cast<unsigned>(devices_.size()); }

  /// The backend's CPU threads, shared out among the members.
  int threads_each() const { return std::max(1, backend_.threads / static_cast<int>(devices_.size())); }

  /// Calls work(member) for every member, each in a thread of its own, the first one in this thread. Throws the
  /// exception of a member that failed by itself.
  void run(const std::function<void(const TeamMember&)>& work) const;

 private:
  void run_member(unsigned number, Rendezvous& rendezvous, const std::function<void(const TeamMember&)>& work) const;

  Backend backend_;
  std::vector<int> devices_;
};

/// Whether it is true for any member. Every member must call it.
inline bool any_member(bool mine, const TeamMember& member) {
  const std::vector<int> all = member.share(int{mine});
  return std::find(all.begin(), all.end(), 1) != all.end();
}

/// The sum of the members' values. Every member must call it.
inline std::uint64_t sum_of_members(std::uint64_t mine, const TeamMember& member) {
  const std::vector<std::uint64_t> all = member.share(mine);
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

/// Queues a copy of values between buffers of any members.
template <class T>
void copy_values(T* to, const T* from, std::uint64_t count, cudaStream_t stream) {
  if (count == 0) return;
  check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream), "copying on the device");
}
template <class T>
void copy_values(T* to, const T* from, std::uint64_t count, const Stream& stream) {
  copy_values(to, from, count, stream.handle());
}

/// The end of what a queue has now.
class QueueMark {
 public:
  QueueMark() = default;
  explicit QueueMark(cudaStream_t queue) {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event");
    check(cudaEventRecord(event_, queue), "recording an event");
  }
  QueueMark(QueueMark&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  QueueMark& operator=(QueueMark other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~QueueMark() {
    if (event_) cudaEventDestroy(event_);
  }

  /// Work that `queue` gets from now on begins when the marked work is done.
  void hold(cudaStream_t queue) const { check(cudaStreamWaitEvent(queue, event_), "waiting for another queue"); }

  void wait() const { check(cudaEventSynchronize(event_), "waiting for the device"); }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace warpseed::cuda
