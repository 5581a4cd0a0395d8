// What all targets do before their first input.
#include <tbb/global_control.h>

#include "records/htslib_messages.hpp"

/// oneTBB keeps to one thread, so that an input does the same in each run; a fuzzer has a process for each processor.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  static const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  warpseed::records::silence_htslib();
  return 0;
}
