// Natural order of read names: numbers within them compare by value.
#pragma once

namespace warpseed::records {

/// Negative, 0 or positive as `a` comes before, equals or comes after `b` in `samtools sort -n`: runs of digits compare
/// by value, of equal values the longer first (r007, r07, r7); all else byte by byte. 0 for equal names only.
int compare_names(const char* a, const char* b);

}  // namespace warpseed::records
