#include "core/device_team.cuh"

#include <algorithm>
#include <exception>

#include "core/background_thread.hpp"

namespace warpseed::cuda {

namespace {

/// Whether a device reads and writes the memory of another one, also in atomic operations.
bool reaches(int device, int owner) {
  if (device == owner) return true;
  int access = 0, atomics = 0;
  check(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, device, owner), "asking about devices");
  check(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, device, owner),
        "asking about devices");
  return access != 0 && atomics != 0;
}

bool all_reach_each_other(const std::vector<int>& devices) {
  return std::all_of(devices.begin(), devices.end(), [&](int device) {
    return std::all_of(devices.begin(), devices.end(), [&](int owner) { return reaches(device, owner); });
  });
}

void open_to_others(MemoryPool& pool, const std::vector<int>& devices) {
  for (const int device : devices) {
    if (device == pool.device()) continue;
    cudaMemAccessDesc access{};
    access.location = {cudaMemLocationTypeDevice, device};
    access.flags = cudaMemAccessFlagsProtReadWrite;
    check(cudaMemPoolSetAccess(pool.handle(), &access, 1), "opening a device's memory to another device");
  }
}

}  // namespace

void TeamMember::meet() const {
  if (is_alone()) return;
  stream_.wait();
  rendezvous_->wait();
}

DeviceTeam::DeviceTeam(const Backend& backend) : backend_(backend), devices_(backend.all_devices()) {
  if (devices_.size() > max_team_size)
    throw BackendError("at most " + std::to_string(max_team_size) + " devices work on one job");
  if (!all_reach_each_other(devices_)) devices_.resize(1);
  for (const int device : devices_) open_to_others(pools_of(backend_).of(device), devices_);
}

void DeviceTeam::run_member(unsigned number, Rendezvous& rendezvous,
                            const std::function<void(const TeamMember&)>& work) const {
  try {
    Backend backend = backend_;
    backend.device = devices_[number];
    const Stream stream(backend);
    work(size() == 1 ? TeamMember(stream) : TeamMember(stream, number, size(), rendezvous));
    stream.wait();
  } catch (...) {
    rendezvous.fail();
    throw;
  }
}

void DeviceTeam::run(const std::function<void(const TeamMember&)>& work) const {
  Rendezvous rendezvous(size());
  std::vector<BackgroundThread<>> others;
  for (unsigned number = 1; number < size(); ++number) {
    others.emplace_back([&, number] { run_member(number, rendezvous, work); });
  }
  std::exception_ptr cause, consequence;
  const auto finish = [&](const std::function<void()>& member) {
    try {
      member();
    } catch (const OtherFailed&) {
      if (!consequence) consequence = std::current_exception();
    } catch (...) {
      if (!cause) cause = std::current_exception();
    }
  };
  finish([&] { run_member(0, rendezvous, work); });
  for (const auto& other : others) finish([&] { other.get(); });
  if (cause) std::rethrow_exception(cause);
  if (consequence) std::rethrow_exception(consequence);
}

}  // namespace warpseed::cuda
