// Letters and qualities of a read, 16 at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpseed::reads {

/// Whether all are of ACGTN, in either case.
bool only_common_letters(std::string_view bases);

/// Whether all are of ACGT, in either case.
bool only_acgt(std::string_view bases);

/// Whether all are of '!' to '~'.
bool only_visible(std::string_view text);

/// Codes of the letters, see alphabet.hpp, code_n of what is none. `turned`: the reverse complement's. [letters]
void codes_of(std::string_view bases, bool reverse, std::uint8_t* out);

/// BAM's four bits of each letter, two letters a byte: [(letters + 1) / 2]. A=1 C=2 G=4 T=8, their unions for the other
/// IUPAC letters, 15 for what is none. `turned`: the reverse complement's.
void pack_bases(std::string_view bases, bool reverse, std::uint8_t* out);

/// Qualities as numbers: out[i] = qualities[i] - 33, in reverse order if `turned`.
void pack_qualities(std::string_view qualities, bool reverse, std::uint8_t* out);

}  // namespace warpseed::reads
