// SIMD conversions of a read's bases and qualities, 16 at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpseed::reads {

/// Whether all bases are ACGTN, in either case.
bool only_acgtn(std::string_view bases);

/// Whether all bases are ACGT, in either case.
bool only_acgt(std::string_view bases);

/// Whether all characters are in '!' to '~'.
bool only_printable(std::string_view text);

/// Codes of the bases, see alphabet.hpp; code_n for any other character. `reverse`: of the reverse complement. [bases]
void codes_of(std::string_view bases, bool reverse, std::uint8_t* out);

/// The same codes as words: 32 bases each, two bits a base, the first one in the highest. In `unknown` 1 where the code is
/// code_n, and 0 in `words` there. Bits after the last base are 0. Returns whether any is code_n. [(bases + 31) / 32] each
bool code_words_of(std::string_view bases, std::uint64_t* words, std::uint64_t* unknown);

/// BAM's four bits per base, two bases per byte: [(bases + 1) / 2]. A=1 C=2 G=4 T=8, their unions for the other IUPAC
/// characters, 15 for any other. `reverse`: of the reverse complement.
void pack_bases(std::string_view bases, bool reverse, std::uint8_t* out);

/// Qualities as numbers: out[i] = qualities[i] - 33, in reverse order if `reverse`.
void pack_qualities(std::string_view qualities, bool reverse, std::uint8_t* out);

}  // namespace warpseed::reads
