#include "patterns.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "arrays.hpp"

namespace warpseed::python {

namespace {

/// Letters of codes; other bytes are letters already.
std::unique_ptr<std::string> letters_of(std::span<const std::uint8_t> bytes) {
  auto letters = std::make_unique<std::string>(bytes.size(), '\0');
  std::transform(bytes.begin(), bytes.end(), letters->begin(),
                 [](std::uint8_t byte) { return byte < 5 ? "ACGTN"[byte] : static_cast<char>(byte); });
  return letters;
}

/// The rows of a matrix.
Patterns rows_of(const py::array& matrix) {
  const auto codes = py::array_t<std::uint8_t, py::array::c_style>(matrix);
  Patterns patterns;
  patterns.letters = letters_of({codes.data(), static_cast<std::size_t>(codes.size())});
  const auto rows = static_cast<std::size_t>(matrix.shape(0)), length = static_cast<std::size_t>(matrix.shape(1));
  patterns.views.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i)
    patterns.views.push_back(std::string_view(*patterns.letters).substr(i * length, length));
  return patterns;
}

Patterns parts_of(const py::handle& codes, const py::handle& offsets) {
  const std::span<const std::uint8_t> bytes = elements_of<std::uint8_t>(codes, "codes", "uint8");
  require_on_host(offsets, "offsets");
  const auto borders = py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast>::ensure(offsets);
  if (!borders || borders.ndim() != 1 || borders.size() == 0)
    throw py::value_error("offsets: give an array of one dimension, with one number more than there are patterns");
  Patterns patterns;
  patterns.letters = letters_of(bytes);
  const std::span<const std::uint64_t> at(borders.data(), static_cast<std::size_t>(borders.size()));
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    if (at[i] > at[i + 1] || at[i + 1] > bytes.size())
      throw py::value_error("offsets: they must not descend, nor pass the number of codes");
    patterns.views.push_back(std::string_view(*patterns.letters).substr(at[i], at[i + 1] - at[i]));
  }
  return patterns;
}

Patterns texts_of(const py::object& texts) {
  Patterns patterns;
  const py::tuple all(texts);
  patterns.views.reserve(all.size());
  for (const py::handle& text : all) patterns.views.push_back(text_of(text, "patterns"));
  patterns.objects = all;
  return patterns;
}

}  // namespace

Patterns patterns_of(const py::object& patterns) {
  require_on_host(patterns, "patterns");
  if (PyUnicode_Check(patterns.ptr()) || PyBytes_Check(patterns.ptr()))
    throw py::type_error("patterns: give a list of patterns, for one [pattern]");
  if (py::isinstance<py::array>(patterns)) {
    const auto array = py::reinterpret_borrow<py::array>(patterns);
    const char kind = array.dtype().kind();
    if (kind == 'S' || kind == 'U' || kind == 'O') return texts_of(array.attr("tolist")());
    if (kind == 'u' && array.itemsize() == 1 && array.ndim() == 2) return rows_of(array);
    throw py::type_error("patterns: an array is uint8 [patterns, length]; for several lengths give (codes, offsets)");
  }
  if (py::isinstance<py::tuple>(patterns) && py::len(patterns) == 2) {
    const auto pair = py::reinterpret_borrow<py::tuple>(patterns);
    const auto is_text = [](const py::handle& part) {
      return PyUnicode_Check(part.ptr()) || PyBytes_Check(part.ptr());
    };
    if (!is_text(pair[0])) return parts_of(pair[0], pair[1]);
  }
  return texts_of(patterns);
}

}  // namespace warpseed::python
