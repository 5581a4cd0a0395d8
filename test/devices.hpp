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

}  // namespace warpseed::test
