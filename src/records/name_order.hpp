// The order of read names that people expect: numbers within them by value.
#pragma once

namespace warpseed::records {

/// Below, at or above 0 as `a` comes before, equals or comes after `b`, as `samtools sort -n` has them: runs of digits
/// by their value, of one value the longer first (r007, r07, r7); all else byte by byte. 0 for equal names only.
int compare_names(const char* a, const char* b);

}  // namespace warpseed::records
