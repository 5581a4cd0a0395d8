#include "records/htslib_messages.hpp"

#include <htslib/hts.h>

namespace warpseed::records {

void silence_htslib() {
  hts_set_log_level(HTS_LOG_OFF);
}

}  // namespace warpseed::records
