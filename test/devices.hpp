// The devices of a machine, for tests of what only a device does.
#pragma once

#include <vector>

#include "catch.hpp"
#include "core/backend.hpp"

namespace warpseed::test {

/// Tests that loop over these are tagged [gpu]: ctest runs them only where a device answers, see gpu_tests.sh. Run
/// by hand elsewhere, a test says here that it is skipped.
inline std::vector<Backend> devices() {
  std::vector<Backend> found = available_backends(2);
  found.erase(found.begin());  // the CPU
  if (found.empty()) WARN("skipped: " << why_no_cuda());
  return found;
}

}  // namespace warpseed::test
