// Highway's shared library measures the resolution of a timer in each process that loads it, for benchmarks: 4 ms, more than
// all else of the start of a short command. This function comes before the library's own.
#include <hwy/nanobenchmark.h>

namespace hwy::platform {

std::uint64_t TimerResolution() {
  return 1;
}

}  // namespace hwy::platform
