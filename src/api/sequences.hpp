// Sequences of the caller, checked and packed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/genome.hpp"
#include "warpseed/sequence.hpp"

namespace warpseed::api {

/// Packs the sequences. `what` names one in messages: "contig".
/// Throws InputError for a sequence without bases or a letter outside IUPAC.
text::Genome genome_of(const std::vector<Sequence>& sequences, const std::string& what);

/// Throws InputError for an empty name, one that SAM does not allow, or two sequences of one name.
void require_names(const std::vector<Sequence>& sequences, const std::string& what);

/// Throws InputError "WHAT NUMBER: position 12: letter 'Z' is no nucleotide ..." for the first letter outside IUPAC.
void require_letters(std::string_view bases, std::string_view what, std::uint64_t number);

}  // namespace warpseed::api
