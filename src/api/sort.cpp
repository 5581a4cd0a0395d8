#include "warpseed/sort.hpp"

#include "api/context_state.hpp"
#include "sort/segmented_sort.hpp"
#include "sort/string_sort.hpp"

namespace warpseed {

void segmented_sort(std::span<std::uint32_t> keys, std::span<const std::uint64_t> offsets, const Context& context) {
  api::run(context, [&] { sort::segmented_sort(keys, offsets, context.state().backend); });
}

template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Context& context) {
  api::run(context, [&] { sort::segmented_sort(keys, values, offsets, context.state().backend); });
}

std::vector<std::uint32_t> string_order(const std::vector<std::string_view>& strings, const Context& context) {
  sort::ByteStrings packed;
  std::uint64_t bytes = 0;
  for (const std::string_view string : strings) bytes += string.size();
  packed.reserve(strings.size(), bytes);
  for (const std::string_view string : strings) packed.add(string);
  return api::run(context, [&] { return sort::sort_strings(packed, context.state().backend).order; });
}

template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint32_t>, std::span<const std::uint64_t>,
                             const Context&);
template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint64_t>, std::span<const std::uint64_t>,
                             const Context&);

}  // namespace warpseed
