// Prefetches memory into the cache.
#pragma once

#include "core/host_device.hpp"

namespace warpseed {

/// A hint that `address` will be read soon. No effect on a device, which hides latency by switching warps.
WS_HD inline void prefetch([[maybe_unused]] const void* address) {
#ifndef __CUDA_ARCH__
  __builtin_prefetch(address);
  asm volatile("");  // GCC omits calls of functions that do nothing else, as if they had no effect
#endif
}

}  // namespace warpseed
