// Alignments of the interface from records.
#pragma once

#include "align/record/record_builder.hpp"
#include "warpseed/aligner.hpp"

namespace warpseed::api {

/// The alignments that a read's records report; empty for a read that is not aligned.
Alignments alignments_of(const align::ReadRecords& records);

}  // namespace warpseed::api
