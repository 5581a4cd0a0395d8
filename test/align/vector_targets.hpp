// The kinds of vectors that the processor has, and a way to run the code of one of them.
#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <vector>

namespace warpseed::test {

/// Has the code for one kind of vectors run, although the processor has wider ones.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { choose(target); }
  ~OnlyTarget() { choose(0); }

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);  // 0: all that the processor has
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// A bit for each kind of vectors that is compiled and that the processor has.
inline std::vector<std::int64_t> vector_targets() {
  std::vector<std::int64_t> all;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1)
    all.push_back(left & -left);
  return all;
}

}  // namespace warpseed::test
