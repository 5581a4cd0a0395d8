// Iterators that serve one thread at a time.
#pragma once

#include <pybind11/pybind11.h>

namespace warpseed::python {

/// Marks an iterator as busy while this object lives, with the GIL held at both ends, as generators are while they run.
class Occupied {
 public:
  explicit Occupied(bool& busy) : busy_(busy) {
    if (busy_) throw pybind11::value_error("the iterator is in use by another thread");
    busy_ = true;
  }
  Occupied(const Occupied&) = delete;
  Occupied& operator=(const Occupied&) = delete;
  ~Occupied() { busy_ = false; }

 private:
  bool& busy_;
};

}  // namespace warpseed::python
