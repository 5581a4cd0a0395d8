// Patterns to search, as Python gives them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpseed::python {

/// Patterns as the library takes them, and what keeps them in memory.
struct Patterns {
  std::vector<std::string_view> views;   // [patterns]
  std::unique_ptr<std::string> letters;  // of those that came as arrays
  pybind11::object objects;              // of those that came as str or bytes
};

/// Takes a sequence of str and bytes; an array uint8 [patterns, length]; or a tuple of codes, uint8 [bases], and
/// offsets, uint64 [patterns + 1]. Bytes of arrays are codes (A=0 C=1 G=2 T=3 N=4) or letters. Throws TypeError or
/// ValueError for anything else.
Patterns patterns_of(const pybind11::object& patterns);

}  // namespace warpseed::python
