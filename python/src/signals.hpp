// Ctrl-C during long calls.
#pragma once

#include <pybind11/pybind11.h>

namespace warpseed::python {

/// For a thread without the GIL: runs Python's handlers of signals that have come. Throws what they raise, such as
/// KeyboardInterrupt.
inline void check_signals() {
  const pybind11::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

}  // namespace warpseed::python
