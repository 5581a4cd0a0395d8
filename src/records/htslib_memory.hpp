// Memory that htslib lacks.
#pragma once

#include <cerrno>
#include <new>

namespace warpseed::records {

/// htslib reports that there is no memory as it reports malformed data: only errno differs. Set errno to 0 before the
/// call, and pass it here if the call fails. Throws std::bad_alloc if memory was the reason.
inline void require_memory(int error_number) {
  if (error_number == ENOMEM) throw std::bad_alloc();
}

}  // namespace warpseed::records
