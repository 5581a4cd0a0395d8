// warpseed.segmented_sort, warpseed.string_order.
#include "warpseed/sort.hpp"

#include "arrays.hpp"
#include "device_arrays.hpp"
#include "module.hpp"
#include "patterns.hpp"

namespace warpseed::python {

namespace {

/// Offsets of any type of integers.
py::array_t<std::uint64_t> offsets_of(const py::object& offsets) {
  require_on_host(offsets, "offsets");
  const auto given = py::array::ensure(offsets);
  if (!given || given.ndim() != 1 || (given.size() > 0 && given.dtype().kind() != 'u' && given.dtype().kind() != 'i'))
    throw py::type_error("offsets: give whole numbers in one dimension, one more than there are segments");
  if (given.dtype().kind() == 'i' && given.size() > 0 && py::cast<bool>(given.attr("min")().attr("__lt__")(0)))
    throw py::value_error("offsets: a negative number");
  return py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast>(given);
}

template <class Value>
void sort_with(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
               const std::string& backend, int threads) {
  const py::gil_scoped_release no_gil;
  warpseed::segmented_sort(keys, values, offsets, Context({backend, threads}));
}

/// Offsets on the host are copied.
void sort_on_device(const py::object& keys, const py::object& offsets, const py::object& values,
                    const Context& context) {
  const auto all = changeable_device_elements_of<std::uint32_t>(keys, "keys");
  DeviceArray<std::uint64_t> copied;
  DeviceSpan<const std::uint64_t> at;
  if (is_on_device(offsets)) {
    at = device_elements_of<std::uint64_t>(offsets, "offsets");
  } else {
    const py::array_t<std::uint64_t> host = offsets_of(offsets);
    copied = to_device(std::span(host.data(), static_cast<std::size_t>(host.size())), context);
    at = copied.view();
  }
  const auto sort_values = [&](auto moved) {
    const py::gil_scoped_release no_gil;
    warpseed::segmented_sort(all, moved, at, context);
  };
  if (values.is_none()) {
    const py::gil_scoped_release no_gil;
    return warpseed::segmented_sort(all, at, context);
  }
  if (is_on_device(values) && is_device_array_of<std::uint64_t>(values))
    return sort_values(changeable_device_elements_of<std::uint64_t>(values, "values"));
  sort_values(changeable_device_elements_of<std::uint32_t>(values, "values"));
}

void segmented_sort(const py::object& keys, const py::object& offsets, const py::object& values,
                    const std::string& backend, int threads) {
  if (is_on_device(keys)) return sort_on_device(keys, offsets, values, Context({backend_for(keys, backend), threads}));
  const std::span<std::uint32_t> all = changeable_elements_of<std::uint32_t>(keys, "keys", "uint32");
  const py::array_t<std::uint64_t> borders = offsets_of(offsets);
  const std::span<const std::uint64_t> at(borders.data(), static_cast<std::size_t>(borders.size()));
  if (values.is_none()) {
    const py::gil_scoped_release no_gil;
    return warpseed::segmented_sort(all, at, Context({backend, threads}));
  }
  if (is_array_of<std::uint64_t>(values)) {
    return sort_with(all, changeable_elements_of<std::uint64_t>(values, "values", "uint64"), at, backend, threads);
  }
  sort_with(all, changeable_elements_of<std::uint32_t>(values, "values", "uint32 or uint64"), at, backend, threads);
}

py::array string_order(const py::object& strings, const std::string& backend, int threads) {
  const py::tuple all(strings);
  std::vector<std::string_view> views;
  views.reserve(all.size());
  for (const py::handle& string : all) views.push_back(text_of(string, "strings"));
  std::vector<std::uint32_t> order;
  {
    const py::gil_scoped_release no_gil;
    order = warpseed::string_order(views, Context({backend, threads}));
  }
  return array_of(std::move(order));
}

}  // namespace

void add_sort(py::module_& module) {
  using namespace py::literals;
  module.def("segmented_sort", &segmented_sort, "keys"_a, "offsets"_a, "values"_a = py::none(), py::kw_only(),
             "backend"_a = "auto", "threads"_a = 0,
             "Sorts the keys of every segment in ascending order, in place and stably; values move with their keys.\n\n"
             "keys: uint32 [keys], in one piece; values: uint32 or uint64 [keys].\n"
             "offsets: [segments + 1], ascending; segment i is keys[offsets[i]:offsets[i + 1]].\n"
             "All may be on one device; offsets, then uint64, may stay on the host.\n"
             "Raises ValueError for sizes or offsets that do not fit, TypeError for an array of another type.");
  module.def("string_order", &string_order, "strings"_a, py::kw_only(), "backend"_a = "auto", "threads"_a = 0,
             "The numbers of the strings (str or bytes) in ascending order of their bytes, str as UTF-8; equal ones "
             "in the order given: uint32 [strings].");
}

}  // namespace warpseed::python
