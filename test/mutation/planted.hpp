// Switches planted faults on, one a process. Included before every source of a tree that plant.py wrote.
#pragma once

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace warpseed_planted {

constexpr int most_faults = 4096;

/// WS_PLANTED: the number of the fault of this process; 0 or nothing: none. WS_PLANTED_TRACE: a folder, in which a file of each
/// process gets the numbers of the faults that it came past.
struct Faults {
  Faults() {
    if (const char* number = std::getenv("WS_PLANTED")) active = std::atoi(number);
  }
  ~Faults() {
    const char* folder = std::getenv("WS_PLANTED_TRACE");
    if (!folder) return;
    std::FILE* file = std::fopen((std::string(folder) + "/" + std::to_string(getpid())).c_str(), "a");
    if (!file) return;
    for (int i = 0; i < most_faults; ++i) {
      if (passed[i]) std::fprintf(file, "%d\n", i);
    }
    std::fclose(file);
  }

  int active = 0;
  bool passed[most_faults] = {};
};

inline Faults faults;

inline bool is_planted_at_run_time(int number) {
  if (!faults.passed[number]) faults.passed[number] = true;
  return faults.active == number;
}

/// Constants are computed by the compiler without faults.
constexpr bool is_planted(int number) {
  return !__builtin_is_constant_evaluated() && is_planted_at_run_time(number);
}

}  // namespace warpseed_planted
