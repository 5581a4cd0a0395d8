#include "approximate/found_end.hpp"

#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace warpseed::approximate {

void keep_best(std::vector<FoundEnd>& found) {
  constexpr std::size_t worth_sharing = 1 << 17;
  if (found.size() < worth_sharing) {
    std::sort(found.begin(), found.end());
  } else {
    tbb::this_task_arena::isolate([&] { tbb::parallel_sort(found.begin(), found.end()); });
  }
  const auto same_end = [](const FoundEnd& a, const FoundEnd& b) {
    return a.pattern == b.pattern && a.end.end == b.end.end;
  };
  found.erase(std::unique(found.begin(), found.end(), same_end), found.end());
}

}  // namespace warpseed::approximate
