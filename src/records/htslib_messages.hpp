// The messages that htslib prints on standard error itself.
#pragma once

namespace warpseed::records {

/// Turns them off for the whole process. The library reports what it finds by exceptions and leaves htslib's log level
/// as it is; a program that prints these calls this once, before it reads or writes SAM, BAM or CRAM.
void silence_htslib();

}  // namespace warpseed::records
