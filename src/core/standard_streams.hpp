// Standard input, output and error of a process that was started without one of them.
#pragma once

namespace warpseed {

/// Occupies the descriptors 0 to 2 that are closed, so that no file opened later becomes a standard stream. Reading and
/// writing them fails as before. Call it first in main().
void occupy_closed_streams();

/// Whether the process was started without this standard stream (0 to 2).
bool is_closed_stream(int descriptor);

}  // namespace warpseed
