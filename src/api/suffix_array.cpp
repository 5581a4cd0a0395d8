#include "warpseed/suffix_array.hpp"

#include <fmt/format.h>

#include <span>

#include "api/context_state.hpp"
#include "suffix/lcp.hpp"
#include "suffix/suffix_array.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

/// The text as the modules take it.
template <class Position>
std::span<const std::uint8_t> bytes_of(std::string_view text) {
  if (sizeof(Position) < 8 && !fits_narrow(text.size())) {
    throw InputError(
        fmt::format("a text of {} bytes has positions beyond 32 bits; ask for std::uint64_t", text.size()));
  }
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

template <class Position>
std::vector<Position> suffix_array(std::string_view text, const Context& context, SuffixSorter sorter) {
  const std::span<const std::uint8_t> bytes = bytes_of<Position>(text);
  const Backend& backend = context.state().backend;
  suffix::SortOptions options;
  options.sorter = suffix::choose_sorter(suffix::to_string(sorter), backend);
  return api::run(context, [&] { return suffix::suffix_array<Position>(bytes, backend, options); });
}

template <class Position>
std::vector<Position> lcp_array(std::string_view text, const std::vector<Position>& suffixes, const Context& context) {
  const std::span<const std::uint8_t> bytes = bytes_of<Position>(text);
  if (suffixes.size() != text.size()) {
    throw InputError(fmt::format("the suffix array has {} positions, its text {} bytes", suffixes.size(), text.size()));
  }
  for (const Position position : suffixes) {
    if (position >= text.size()) throw InputError("the suffix array has positions outside its text");
  }
  return api::run(context, [&] { return suffix::lcp_array<Position>(bytes, suffixes, context.state().backend); });
}

template std::vector<std::uint32_t> suffix_array(std::string_view, const Context&, SuffixSorter);
template std::vector<std::uint64_t> suffix_array(std::string_view, const Context&, SuffixSorter);
template std::vector<std::uint32_t> lcp_array(std::string_view, const std::vector<std::uint32_t>&, const Context&);
template std::vector<std::uint64_t> lcp_array(std::string_view, const std::vector<std::uint64_t>&, const Context&);

}  // namespace warpseed
