// The extension module warpseed._warpseed: what the package's __init__.py shows to users.
#include "module.hpp"

#include <string>

#include "warpseed/context.hpp"
#include "warpseed/version.hpp"

PYBIND11_MODULE(_warpseed, module) {
  using namespace warpseed::python;
  module.attr("__version__") = std::string(warpseed::version);
  add_errors(module);
  add_index(module);
  add_alignments(module);
  add_aligner(module);
  add_reads(module);
  add_device_arrays(module);
  add_suffix(module);
  add_sort(module);
  // Users meet the types under the package's name.
  for (const auto& [name, value] : module.attr("__dict__").cast<pybind11::dict>()) {
    if (PyType_Check(value.ptr())) pybind11::setattr(value, "__module__", pybind11::str("warpseed"));
  }
  module.def("why_no_gpu", &warpseed::why_no_gpu, "Why no GPU can be used here; empty if one can.");
}
