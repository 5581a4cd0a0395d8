// Options of an aligner from keywords.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "warpseed/aligner.hpp"

namespace warpseed::python {

/// The preset's options, changed by keywords with the names of AlignParameters and AlignOptions; scoring and
/// long_scoring are dicts with the names of Scoring and LongScoring. Throws TypeError for an unknown name or a value of
/// another type, InputError for an unknown preset.
AlignOptions options_of(const std::string& preset, const pybind11::dict& keywords);

}  // namespace warpseed::python
