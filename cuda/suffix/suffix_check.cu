#include "suffix/suffix_check.cuh"

#include <vector>

#include "core/launch.cuh"
#include "suffix/suffix_check_core.hpp"

namespace warpseed::suffix::cuda {

namespace {

__global__ void scatter_rows_kernel(View<std::uint32_t> suffixes, std::uint32_t* ranks) {
  const std::uint64_t row = thread_index();
  if (row < suffixes.size && suffixes[row] < suffixes.size) ranks[suffixes[row]] = static_cast<std::uint32_t>(row);
}

__global__ void check_rows_kernel(DeviceTextView text, const std::uint32_t* suffixes, const std::uint32_t* ranks,
                                  unsigned long long* first_wrong) {
  const std::uint64_t row = thread_index();
  if (row < text.size && !row_is_right(text, suffixes, ranks, row)) atomicMin(first_wrong, row);
}

}  // namespace

std::uint64_t first_wrong_row(const DeviceText& text, const Buffer<std::uint32_t>& suffixes, const Stream& stream) {
  if (suffixes.size() != text.size()) throw std::invalid_argument("first_wrong_row: one suffix for every symbol");
  Buffer<std::uint32_t> ranks(text.size(), stream);
  ranks.fill_zero();
  Buffer<unsigned long long> first_wrong(1, stream);
  const unsigned long long none[] = {text.size()};
  first_wrong.upload(none);
  launch("scatter_rows_kernel", scatter_rows_kernel, text.size(), stream, suffixes.view(), ranks.data());
  launch("check_rows_kernel", check_rows_kernel, text.size(), stream, text.view(), suffixes.data(), ranks.data(),
         first_wrong.data());
  return first_wrong.value_at(0);
}

std::uint64_t first_wrong_row(const DeviceText& text, const Buffer<std::uint32_t>& mine, const TeamMember& member) {
  const Stream& stream = member.stream();
  if (member.is_alone()) return first_wrong_row(text, mine, stream);
  const std::vector<View<std::uint32_t>> parts = member.share(mine.view());
  std::uint64_t row = text.size();
  if (member.number() == 0) {
    Buffer<std::uint32_t> all(text.size(), stream);
    std::uint64_t at = 0;
    for (const View<std::uint32_t>& part : parts) {
      copy_values(all.data() + at, part.data, part.size, stream);
      at += part.size;
    }
    row = first_wrong_row(text, all, stream);
  }
  member.meet();  // until then the first one reads `mine`
  return row;
}

}  // namespace warpseed::suffix::cuda
