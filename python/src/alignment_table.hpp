// The alignments of a batch as an array.
#pragma once

#include <pybind11/numpy.h>

#include "alignment_batch.hpp"

namespace warpseed::python {

/// Registers the type of the array's elements; once, before table_of().
void add_table_type();

/// [alignments] in the order of the reads.
pybind11::array table_of(const AlignmentBatch& batch);

}  // namespace warpseed::python
