#include "core/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace warpseed {

void occupy_closed_streams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free descriptor is this one. An O_PATH descriptor, also through /dev/stdin, cannot be read or written.
    if (open("/", O_PATH) < 0) return;
  }
}

bool is_closed_stream(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags < 0 || (flags & O_PATH) != 0;
}

}  // namespace warpseed
