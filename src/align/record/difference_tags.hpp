// The tags cs and ds, and the CIGAR that distinguishes matches from mismatches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "records/alignment_record.hpp"
#include "warpseed/align_options.hpp"

namespace warpseed::align {

/// The aligned codes of a read and of the genome, from the first base of a path on. Owns nothing.
struct AlignedCodes {
  std::span<const std::uint8_t> query, genome;
};

/// cs as minimap2's manual defines it: ":6-ata:10+gtc:4*at:3"; with all bases for CsTag::long_form. cigar: M, I and D.
std::string cs_text(std::span<const records::CigarElement> cigar, const AlignedCodes& codes, CsTag form);

/// As the short form of cs; of a gap's bases, those by which it could move to the right come first in brackets, those
/// by which it could move to the left last: "-[a]ta".
std::string ds_text(std::span<const records::CigarElement> cigar, const AlignedCodes& codes);

/// A CIGAR with = and X instead of M. An N is a mismatch.
std::vector<records::CigarElement> with_mismatches(std::span<const records::CigarElement> cigar,
                                                   const AlignedCodes& codes);

}  // namespace warpseed::align
