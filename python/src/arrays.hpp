// NumPy arrays from the library's results, and checks of those that come in.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpseed::python {

namespace py = pybind11;

/// A one-dimensional array that takes over the vector's memory.
template <class T>
py::array_t<T> array_of(std::vector<T>&& values) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owner->data();
  const auto size = static_cast<py::ssize_t>(owner->size());
  const py::capsule base(owner.release(), [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return py::array_t<T>(size, data, base);
}

/// Throws TypeError for an array on a device, with the way to the host. CuPy, PyTorch and Numba name such arrays by
/// __cuda_array_interface__.
void require_on_host(const py::handle& object, std::string_view name);

/// Whether the object is an array of NumPy with this type of elements, in C order.
template <class T>
bool is_array_of(const py::handle& object) {
  return py::isinstance<py::array_t<T, py::array::c_style>>(object);
}

/// The elements of a one-dimensional array of this very type, without a copy. Throws TypeError for anything else.
template <class T>
std::span<const T> elements_of(const py::handle& object, std::string_view name, std::string_view type);

/// The same to be changed. Throws ValueError if the array is read-only.
template <class T>
std::span<T> changeable_elements_of(const py::handle& object, std::string_view name, std::string_view type);

/// The bytes of str (ASCII), bytes, or of an array of uint8, without a copy: valid while the object is.
std::string_view bytes_of(const py::handle& object, std::string_view name);

/// The bytes of str or bytes. Throws TypeError, with the name, for another object.
std::string_view text_of(const py::handle& object, std::string_view name);

extern template std::span<const std::uint8_t> elements_of(const py::handle&, std::string_view, std::string_view);
extern template std::span<const std::uint32_t> elements_of(const py::handle&, std::string_view, std::string_view);
extern template std::span<const std::uint64_t> elements_of(const py::handle&, std::string_view, std::string_view);
extern template std::span<std::uint32_t> changeable_elements_of(const py::handle&, std::string_view, std::string_view);
extern template std::span<std::uint64_t> changeable_elements_of(const py::handle&, std::string_view, std::string_view);

}  // namespace warpseed::python
