// The devices of a machine, for tests of device-only behaviour.
#pragma once

#include <vector>

#include "catch.hpp"
#include "core/backend.hpp"

namespace warpseed::test {

/// Tests that loop over these are tagged [gpu]: ctest runs them only if a device is usable, see gpu_tests.sh. Run
/// directly elsewhere, a test warns here that it is skipped.
inline std::vector<Backend> devices() {
  std::vector<Backend> found = available_backends(2);
  found.erase(found.begin());  // the CPU
  if (found.empty()) WARN("skipped: " << why_no_cuda());
  return found;
}

/// Teams of devices that sort together. A device may be in a team several times, so that one suffices for these tests.
inline std::vector<Backend> device_teams() {
  std::vector<Backend> teams;
  const std::vector<Backend> alone = devices();
  for (const Backend& device : alone) {
    for (const int others : {1, 2, 4}) {
      teams.push_back(device);
      teams.back().threads = 4;
      teams.back().more_devices.assign(static_cast<std::size_t>(others), device.device);
    }
  }
  if (alone.size() > 1) {
    teams.push_back(alone[0]);
    for (std::size_t i = 1; i < alone.size(); ++i) teams.back().more_devices.push_back(alone[i].device);
  }
  return teams;
}

}  // namespace warpseed::test
