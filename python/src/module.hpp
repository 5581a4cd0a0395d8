// The parts of the module, a function a source file.
#pragma once

#include <pybind11/pybind11.h>

namespace warpseed::python {

void add_errors(pybind11::module_& module);
void add_index(pybind11::module_& module);
void add_aligner(pybind11::module_& module);
void add_alignments(pybind11::module_& module);
void add_reads(pybind11::module_& module);
void add_suffix(pybind11::module_& module);
void add_sort(pybind11::module_& module);
void add_device_arrays(pybind11::module_& module);

}  // namespace warpseed::python
