#include "device_arrays.hpp"

#include <utility>
#include <variant>

#include "arrays.hpp"
#include "module.hpp"

namespace warpseed::python {

namespace {

constexpr const char* interface_name = "__cuda_array_interface__";

/// As NumPy writes types: "<u4".
template <class T>
std::string type_string() {
  return sizeof(T) == 1 ? "|u1" : "<u" + std::to_string(sizeof(T));
}

/// An array of any of the types, as Python sees it.
struct AnyDeviceArray {
  std::variant<DeviceArray<std::uint8_t>, DeviceArray<std::uint32_t>, DeviceArray<std::uint64_t>> array;

  std::uint64_t size() const {
    return std::visit([](const auto& one) { return one.size; }, array);
  }
  int device() const {
    return std::visit([](const auto& one) { return one.device; }, array);
  }
  std::string type() const {
    return std::visit([]<class T>(const DeviceArray<T>&) { return type_string<T>(); }, array);
  }
  std::uintptr_t address() const {
    return std::visit([](const auto& one) { return reinterpret_cast<std::uintptr_t>(one.data.get()); }, array);
  }
  std::string backend() const { return "cuda:" + std::to_string(device()); }

  py::dict interface() const {
    py::dict dict;
    dict["shape"] = py::make_tuple(size());
    dict["typestr"] = type();
    dict["data"] = py::make_tuple(address(), false);
    dict["strides"] = py::none();
    dict["version"] = 3;
    return dict;
  }

  py::array get() const {
    return std::visit(
        [&]<class T>(const DeviceArray<T>& one) -> py::array {
          std::vector<T> host;
          {
            const py::gil_scoped_release no_gil;
            host = to_host(one.view(), Context({backend()}));
          }
          return array_of(std::move(host));
        },
        array);
  }
};

std::string text_for(const AnyDeviceArray& array) {
  return "warpseed.DeviceArray of " + std::to_string(array.size()) + " " +
         std::string(py::str(py::dtype(array.type()))) + " on " + array.backend();
}

/// What the interface says of an array with one dimension and no gaps.
struct Interface {
  std::uintptr_t address = 0;
  std::uint64_t size = 0;
  bool read_only = false;
};

template <class T>
Interface interface_of(const py::handle& object, std::string_view name) {
  const std::string wanted = std::string(name) + ": give a one-dimensional array of " + type_string<T>().substr(1) +
                             " on a device, in one piece, not ";
  if (!is_on_device(object)) throw py::type_error(wanted + "one on the host; all arrays of a call are on one side");
  const py::dict dict = object.attr(interface_name);
  const py::tuple shape = dict["shape"];
  const auto type = dict["typestr"].cast<std::string>();
  if (shape.size() != 1 || !is_device_array_of<T>(object))
    throw py::type_error(wanted + type + " of " + std::to_string(shape.size()) + " dimensions");
  const py::object strides = dict.attr("get")("strides"), stream = dict.attr("get")("stream");
  if (!strides.is_none() && !strides.equal(py::make_tuple(sizeof(T)))) throw py::type_error(wanted + "one with gaps");
  if (dict.contains("mask") && !dict["mask"].is_none()) throw py::type_error(wanted + "one with a mask");
  const py::tuple data = dict["data"];
  const Interface found = {data[0].cast<std::uintptr_t>(), shape[0].cast<std::uint64_t>(), data[1].cast<bool>()};
  const bool is_complete = stream.is_none() && dict["version"].cast<int>() >= 3;
  if (!is_complete && found.size > 0) wait_for_device(device_of(reinterpret_cast<const void*>(found.address)));
  return found;
}

py::object to_device_object(const py::object& values, const std::string& backend) {
  const auto copy = [&]<class T>(std::span<const T> host) {
    const py::gil_scoped_release no_gil;
    return to_device(host, Context({backend}));
  };
  if (is_array_of<std::uint64_t>(values)) return device_object(copy(elements_of<std::uint64_t>(values, "values", "")));
  if (is_array_of<std::uint32_t>(values)) return device_object(copy(elements_of<std::uint32_t>(values, "values", "")));
  return device_object(copy(elements_of<std::uint8_t>(values, "values", "uint8, uint32 or uint64")));
}

}  // namespace

bool is_on_device(const py::handle& object) {
  return py::hasattr(object, interface_name);
}

std::string backend_for(const py::handle& array, const std::string& backend) {
  if (backend != "auto" && backend != "cuda") return backend;
  const py::dict dict = array.attr(interface_name);
  const auto address = dict["data"].cast<py::tuple>()[0].cast<std::uintptr_t>();
  const int device = address == 0 ? 0 : device_of(reinterpret_cast<const void*>(address));
  return device < 0 ? "cuda" : "cuda:" + std::to_string(device);  // the library says what is wrong
}

template <class T>
bool is_device_array_of(const py::handle& object) {
  const auto type = py::dict(object.attr(interface_name))["typestr"].cast<std::string>();
  return type == type_string<T>() || (sizeof(T) == 1 && type == "<u1");
}

template <class T>
DeviceSpan<const T> device_elements_of(const py::handle& object, std::string_view name) {
  const Interface found = interface_of<T>(object, name);
  return {reinterpret_cast<const T*>(found.address), found.size};
}

template <class T>
DeviceSpan<T> changeable_device_elements_of(const py::handle& object, std::string_view name) {
  const Interface found = interface_of<T>(object, name);
  if (found.read_only) throw py::value_error(std::string(name) + ": the array is read-only; give a copy of it");
  return {reinterpret_cast<T*>(found.address), found.size};
}

template <class T>
py::object device_object(DeviceArray<T> array) {
  return py::cast(AnyDeviceArray{std::move(array)});
}

void add_device_arrays(py::module_& module) {
  using namespace py::literals;
  py::class_<AnyDeviceArray>(
      module, "DeviceArray",
      "A one-dimensional array in a GPU's memory, uint8, uint32 or uint64, from to_device() or a "
      "function of this module. cupy.asarray() and torch.as_tensor() take it without a copy.")
      .def_property_readonly("__cuda_array_interface__", &AnyDeviceArray::interface)
      .def_property_readonly("shape", [](const AnyDeviceArray& array) { return py::make_tuple(array.size()); })
      .def_property_readonly("dtype", [](const AnyDeviceArray& array) { return py::dtype(array.type()); })
      .def_property_readonly("device", &AnyDeviceArray::device, "The number of the CUDA device.")
      .def("get", &AnyDeviceArray::get, "A copy on the host: a NumPy array.")
      .def("__len__", &AnyDeviceArray::size)
      .def("__repr__", &text_for);
  module.def("to_device", &to_device_object, "values"_a, py::kw_only(), "backend"_a = "cuda",
             "A copy of a one-dimensional NumPy array (uint8, uint32 or uint64) in a GPU's memory: a DeviceArray.");
}

template bool is_device_array_of<std::uint8_t>(const py::handle&);
template bool is_device_array_of<std::uint32_t>(const py::handle&);
template bool is_device_array_of<std::uint64_t>(const py::handle&);
template DeviceSpan<const std::uint8_t> device_elements_of(const py::handle&, std::string_view);
template DeviceSpan<const std::uint32_t> device_elements_of(const py::handle&, std::string_view);
template DeviceSpan<const std::uint64_t> device_elements_of(const py::handle&, std::string_view);
template DeviceSpan<std::uint32_t> changeable_device_elements_of(const py::handle&, std::string_view);
template DeviceSpan<std::uint64_t> changeable_device_elements_of(const py::handle&, std::string_view);
template py::object device_object(DeviceArray<std::uint32_t>);

}  // namespace warpseed::python
