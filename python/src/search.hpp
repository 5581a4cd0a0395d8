// Counts and positions of patterns as arrays.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <optional>
#include <string>

#include "index_handle.hpp"

namespace warpseed::python {

/// Registers the types of the results' elements; once, before the functions below.
void add_search_types();

/// [patterns] forward, reverse, total.
pybind11::array find(IndexHandle& index, const pybind11::object& patterns, const std::string& strand);

/// [occurrences] pattern, contig, begin, end, strand; by pattern, contig, position and strand.
pybind11::array locate(IndexHandle& index, const pybind11::object& patterns,
                       const std::optional<std::uint64_t>& max_hits, const std::string& strand);

}  // namespace warpseed::python
