#include "sort/key_order.hpp"

#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <compare>
#include <limits>
#include <stdexcept>

#include "core/parallel.hpp"
#include "sort/entry.hpp"

namespace warpseed::sort {

namespace {

struct NumberedKey {
  std::uint64_t key;
  std::uint32_t number;

  friend auto operator<=>(const NumberedKey&, const NumberedKey&) = default;
};

std::vector<std::uint32_t> key_order_cpu(std::span<const std::uint64_t> keys, int threads) {
  constexpr std::uint64_t keys_a_task = 1 << 16;
  std::vector<NumberedKey> numbered(keys.size());
  for_blocks(threads, keys.size(), keys_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) numbered[i] = {keys[i], static_cast<std::uint32_t>(i)};
  });
  tbb::task_arena arena(std::max(threads, 1));
  arena.execute([&] { tbb::parallel_sort(numbered.begin(), numbered.end()); });
  std::vector<std::uint32_t> order(keys.size());
  for_blocks(threads, keys.size(), keys_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) order[i] = numbered[i].number;
  });
  return order;
}

}  // namespace

std::vector<std::uint32_t> key_order(std::span<const std::uint64_t> keys, const Backend& backend) {
  if (keys.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("key_order: 2^32 keys or more");
  }
  if (backend.kind == BackendKind::cuda) {
    if (auto order = cuda::key_order(keys, backend)) return *std::move(order);
  }
  return key_order_cpu(keys, backend.threads);
}

}  // namespace warpseed::sort
