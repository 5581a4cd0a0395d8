// warpseed.suffix_array, warpseed.lcp_array.
#include "warpseed/suffix_array.hpp"

#include <limits>

#include "arrays.hpp"
#include "device_arrays.hpp"
#include "module.hpp"

namespace warpseed::python {

namespace {

template <class Position>
py::array suffixes_of(std::string_view text, const std::string& backend, int threads) {
  std::vector<Position> suffixes;
  {
    const py::gil_scoped_release no_gil;
    suffixes = warpseed::suffix_array<Position>(text, Context({backend, threads}));
  }
  return array_of(std::move(suffixes));
}

py::object suffixes_on_device(const py::object& text, const py::object& dtype, const Context& context) {
  if (!dtype.is_none() && !py::dtype::from_args(dtype).equal(py::dtype("uint32")))
    throw py::value_error("dtype: positions of a text on a device are uint32");
  const auto bytes = device_elements_of<std::uint8_t>(text, "text");
  DeviceArray<std::uint32_t> suffixes;
  {
    const py::gil_scoped_release no_gil;
    suffixes = warpseed::suffix_array(bytes, context);
  }
  return device_object(std::move(suffixes));
}

py::object suffix_array(const py::object& text, const py::object& dtype, const std::string& backend, int threads) {
  if (is_on_device(text)) return suffixes_on_device(text, dtype, Context({backend_for(text, backend), threads}));
  const std::string_view bytes = bytes_of(text, "text");
  constexpr std::uint64_t narrow_limit = std::numeric_limits<std::uint32_t>::max() - 1ULL;
  if (dtype.is_none()) {
    return bytes.size() <= narrow_limit ? suffixes_of<std::uint32_t>(bytes, backend, threads)
                                        : suffixes_of<std::uint64_t>(bytes, backend, threads);
  }
  const auto wanted = py::dtype::from_args(dtype);
  if (wanted.kind() == 'u' && wanted.itemsize() == 4) return suffixes_of<std::uint32_t>(bytes, backend, threads);
  if (wanted.kind() == 'u' && wanted.itemsize() == 8) return suffixes_of<std::uint64_t>(bytes, backend, threads);
  throw py::value_error("dtype: positions are uint32 or uint64");
}

template <class Position>
py::array lcp_of(std::string_view text, std::span<const Position> suffixes, const std::string& backend, int threads) {
  std::vector<Position> lcp;
  {
    const py::gil_scoped_release no_gil;
    lcp =
        warpseed::lcp_array(text, std::vector<Position>(suffixes.begin(), suffixes.end()), Context({backend, threads}));
  }
  return array_of(std::move(lcp));
}

py::object lcp_on_device(const py::object& text, const py::object& sa, const Context& context) {
  const auto bytes = device_elements_of<std::uint8_t>(text, "text");
  const auto suffixes = device_elements_of<std::uint32_t>(sa, "sa");
  DeviceArray<std::uint32_t> lcp;
  {
    const py::gil_scoped_release no_gil;
    lcp = warpseed::lcp_array(bytes, suffixes, context);
  }
  return device_object(std::move(lcp));
}

py::object lcp_array(const py::object& text, const py::object& sa, const std::string& backend, int threads) {
  if (is_on_device(text)) return lcp_on_device(text, sa, Context({backend_for(text, backend), threads}));
  const std::string_view bytes = bytes_of(text, "text");
  if (is_array_of<std::uint64_t>(sa))
    return lcp_of(bytes, elements_of<std::uint64_t>(sa, "sa", "uint64"), backend, threads);
  return lcp_of(bytes, elements_of<std::uint32_t>(sa, "sa", "uint32 or uint64"), backend, threads);
}

}  // namespace

void add_suffix(py::module_& module) {
  using namespace py::literals;
  module.def(
      "suffix_array", &suffix_array, "text"_a, py::kw_only(), "dtype"_a = py::none(), "backend"_a = "auto",
      "threads"_a = 0,
      "The positions of a text's suffixes in ascending order.\n\n"
      "text: str of ASCII, bytes, or uint8 [length]; all byte values, compared as unsigned numbers, a proper "
      "prefix first. dtype: uint32 or uint64; if not given the narrower that holds all positions.\n"
      "Returns an array [length]; for a text on a device (uint8 [length], at most 2^32 - 2) a DeviceArray of uint32.");
  module.def("lcp_array", &lcp_array, "text"_a, "sa"_a, py::kw_only(), "backend"_a = "auto", "threads"_a = 0,
             "The lengths of the longest common prefixes of neighbours in a suffix array.\n\n"
             "sa: the text's suffix array, uint32 or uint64 [length].\n"
             "Both may be on one device; then the result is a DeviceArray.\n"
             "Returns an array [length] of sa's type: element i is that of the suffixes sa[i - 1] and sa[i], element "
             "0 is 0. Raises InputError if sizes differ or a position is outside the text.");
}

}  // namespace warpseed::python
