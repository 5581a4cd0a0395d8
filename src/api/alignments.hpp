// Alignments of the interface from records.
#pragma once

#include <string>

#include "align/record/record_builder.hpp"
#include "warpseed/aligner.hpp"

namespace warpseed::api {

/// The alignments that a read's records report; empty for a read that is not aligned. read_group: an ID, or empty.
Alignments alignments_of(const align::ReadRecords& records, const std::string& read_group);

}  // namespace warpseed::api
