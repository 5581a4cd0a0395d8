#include "arrays.hpp"

namespace warpseed::python {

namespace {

std::string type_of(const py::handle& object) {
  return py::str(py::type::handle_of(object).attr("__name__"));
}

/// The array, if it is one of this type, in C order, with one dimension.
template <class T>
py::array flat_array(const py::handle& object, std::string_view name, std::string_view type) {
  require_on_host(object, name);
  const std::string wanted =
      std::string(name) + ": give a one-dimensional array of " + std::string(type) + " in one piece, not ";
  if (!py::isinstance<py::array>(object)) throw py::type_error(wanted + type_of(object));
  auto array = py::reinterpret_borrow<py::array>(object);
  if (!is_array_of<T>(object) || array.ndim() != 1) {
    throw py::type_error(wanted + std::string(py::str(array.dtype())) + " of " + std::to_string(array.ndim()) +
                         " dimensions" + ((array.flags() & py::array::c_style) == 0 ? " with gaps" : ""));
  }
  return array;
}

}  // namespace

void require_on_host(const py::handle& object, std::string_view name) {
  if (!py::hasattr(object, "__cuda_array_interface__")) return;
  throw py::type_error(std::string(name) +
                       " is an array on a device, and this function takes arrays on the host; copy it there, with "
                       "cupy.asnumpy() for instance");
}

template <class T>
std::span<const T> elements_of(const py::handle& object, std::string_view name, std::string_view type) {
  const py::array array = flat_array<T>(object, name, type);
  return {static_cast<const T*>(array.data()), static_cast<std::size_t>(array.size())};
}

template <class T>
std::span<T> changeable_elements_of(const py::handle& object, std::string_view name, std::string_view type) {
  py::array array = flat_array<T>(object, name, type);
  if (!array.writeable()) throw py::value_error(std::string(name) + ": the array is read-only; give a copy of it");
  return {static_cast<T*>(array.mutable_data()), static_cast<std::size_t>(array.size())};
}

std::string_view text_of(const py::handle& object, std::string_view name) {
  if (PyUnicode_Check(object.ptr())) {
    Py_ssize_t size = 0;
    const char* const data = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
    if (!data) throw py::error_already_set();
    return {data, static_cast<std::size_t>(size)};
  }
  if (PyBytes_Check(object.ptr())) {
    return {PyBytes_AS_STRING(object.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(object.ptr()))};
  }
  throw py::type_error(std::string(name) + ": give str or bytes, not " + type_of(object));
}

std::string_view bytes_of(const py::handle& object, std::string_view name) {
  require_on_host(object, name);
  if (PyUnicode_Check(object.ptr()) && !PyUnicode_IS_ASCII(object.ptr()))
    throw py::value_error(std::string(name) + ": a str beyond ASCII has no single bytes; encode it");
  if (!py::isinstance<py::array>(object)) return text_of(object, name);
  const std::span<const std::uint8_t> bytes = elements_of<std::uint8_t>(object, name, "uint8");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template std::span<const std::uint8_t> elements_of(const py::handle&, std::string_view, std::string_view);
template std::span<const std::uint32_t> elements_of(const py::handle&, std::string_view, std::string_view);
template std::span<const std::uint64_t> elements_of(const py::handle&, std::string_view, std::string_view);
template std::span<std::uint32_t> changeable_elements_of(const py::handle&, std::string_view, std::string_view);
template std::span<std::uint64_t> changeable_elements_of(const py::handle&, std::string_view, std::string_view);

}  // namespace warpseed::python
