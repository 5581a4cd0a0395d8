// Standard streams of a process that was started without one of them.
#pragma once

namespace warpseed {

/// Occupies closed descriptors among 0 to 2, so that no file opened later becomes a standard stream. Reading and
/// writing them fails as before. Call it first in main().
void occupy_closed_streams();

/// Whether the process was started without this standard stream (0 to 2).
bool is_closed_stream(int descriptor);

}  // namespace warpseed
