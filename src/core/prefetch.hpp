// Announces a read, so that it is on its way while something else is done.
#pragma once

#include "core/host_device.hpp"

namespace warpseed {

/// A hint that what lies at `address` will be read soon. Nothing on a device, which has other threads to turn to.
WS_HD inline void prefetch([[maybe_unused]] const void* address) {
#ifndef __CUDA_ARCH__
  __builtin_prefetch(address);
#endif
}

}  // namespace warpseed
