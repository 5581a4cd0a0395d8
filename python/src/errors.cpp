// The library's exceptions as Python's.
#include "warpseed/error.hpp"

#include "module.hpp"

namespace warpseed::python {

void add_errors(pybind11::module_& module) {
  const auto add = [&]<class Error>(std::type_identity<Error>, const char* name, PyObject* base, const char* text) {
    pybind11::register_exception<Error>(module, name, base).attr("__doc__") = text;
  };
  add(std::type_identity<InputError>(), "InputError", PyExc_ValueError,
      "Data or options are wrong: fix the input, a retry is useless.");
  add(std::type_identity<IoError>(), "IoError", PyExc_OSError,
      "The machine failed: a file that cannot be read or written, a full disk, too little memory.");
  add(std::type_identity<BackendError>(), "BackendError", PyExc_RuntimeError,
      "A backend cannot be used or failed: try another one.");
}

}  // namespace warpseed::python
