#include "search.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "arrays.hpp"
#include "patterns.hpp"
#include "signals.hpp"

namespace warpseed::python {

namespace {

/// A row of find()'s result. NumPy calculates with signed numbers; it turns sums with std::uint64_t into fractions.
struct Counts {
  std::int64_t forward, reverse, total;
};

/// A row of locate()'s result.
struct Location {
  std::int64_t pattern, contig, begin, end;
  std::int8_t strand;
};

/// Patterns that are searched between two looks for signals.
constexpr std::size_t patterns_a_part = 1 << 16;

std::int64_t to_signed(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

Strands strands_of(const std::string& name) {
  if (name == "both") return Strands::both;
  if (name == "forward") return Strands::forward;
  if (name == "reverse") return Strands::reverse;
  throw py::value_error("strand \"" + name + "\": both, forward or reverse");
}

/// Calls work(first, part) for parts of the patterns; releases the GIL meanwhile.
template <class Work>
void for_parts(const Patterns& patterns, const Work& work) {
  const py::gil_scoped_release no_gil;
  for (std::size_t first = 0; first < patterns.views.size(); first += patterns_a_part) {
    const auto begin = patterns.views.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t count = std::min(patterns_a_part, patterns.views.size() - first);
    work(first, std::vector<std::string_view>(begin, begin + static_cast<std::ptrdiff_t>(count)));
    check_signals();
  }
}

}  // namespace

void add_search_types() {
  PYBIND11_NUMPY_DTYPE(Counts, forward, reverse, total);
  PYBIND11_NUMPY_DTYPE(Location, pattern, contig, begin, end, strand);
}

py::array find(IndexHandle& index, const py::object& patterns, const std::string& strand) {
  const Strands strands = strands_of(strand);
  const Patterns wanted = patterns_of(patterns);
  std::vector<Counts> found;
  found.reserve(wanted.views.size());
  for_parts(wanted, [&](std::size_t, const std::vector<std::string_view>& part) {
    for (const StrandCounts& counts :
         index.search(strands, [&](Searcher& searcher) { return searcher.count_strands_batch(part); }))
      found.push_back({to_signed(counts.forward), to_signed(counts.reverse), to_signed(counts.total())});
  });
  return array_of(std::move(found));
}

py::array locate(IndexHandle& index, const py::object& patterns, const std::optional<std::uint64_t>& max_hits,
                 const std::string& strand) {
  const Strands strands = strands_of(strand);
  const std::uint64_t most = max_hits.value_or(std::numeric_limits<std::uint64_t>::max());
  const Patterns wanted = patterns_of(patterns);
  std::vector<Location> found;
  for_parts(wanted, [&](std::size_t first, const std::vector<std::string_view>& part) {
    const auto all = index.search(strands, [&](Searcher& searcher) { return searcher.locate_batch(part, most); });
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const Occurrence& one : all[i]) {
        const auto strand_sign = static_cast<std::int8_t>(one.reverse ? -1 : 1);
        const std::uint64_t end = one.position + part[i].size();
        found.push_back(
            {to_signed(first + i), to_signed(one.contig), to_signed(one.position), to_signed(end), strand_sign});
      }
    }
  });
  return array_of(std::move(found));
}

}  // namespace warpseed::python
