// A parallel loop over blocks of fixed size.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstdint>

namespace warpseed {

/// Calls work(begin, end) for each block [begin, end) of [0, count): `block` items, fewer in the last one. The
/// boundaries do not depend on `threads`, so results stored by block number are the same for every thread count.
/// An exception from `work` reaches the caller.
template <class Work>
void for_blocks(int threads, std::uint64_t count, std::uint64_t block, const Work& work) {
  const std::uint64_t blocks = count / block + (count % block != 0 ? 1 : 0);
  const auto run = [&](std::uint64_t i) { work(i * block, std::min(count, (i + 1) * block)); };
  if (threads <= 1 || blocks <= 1) {
    for (std::uint64_t i = 0; i < blocks; ++i) run(i);
    return;
  }
  tbb::task_arena arena(threads);
  arena.execute([&] { tbb::parallel_for(std::uint64_t{0}, blocks, run); });
}

}  // namespace warpseed
