// Arrays in a GPU's memory: those that come in by __cuda_array_interface__, and those that the library returns.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "warpseed/device_arrays.hpp"

namespace warpseed::python {

namespace py = pybind11;

/// Whether the object is an array on a device (of CuPy, PyTorch, Numba or this module).
bool is_on_device(const py::handle& object);

/// The backend for work on a device's array: that of the array's device where the caller names none.
std::string backend_for(const py::handle& array, const std::string& backend);

/// The elements of a one-dimensional array of this very type on a device, without a copy; work that is queued on them is
/// waited for. Throws TypeError for anything else.
template <class T>
DeviceSpan<const T> device_elements_of(const py::handle& object, std::string_view name);

/// The same to be changed. Throws ValueError if the array is read-only.
template <class T>
DeviceSpan<T> changeable_device_elements_of(const py::handle& object, std::string_view name);

/// Whether the elements of an array on a device have this type.
template <class T>
bool is_device_array_of(const py::handle& object);

/// A Python object that owns the array.
template <class T>
py::object device_object(DeviceArray<T> array);

}  // namespace warpseed::python
