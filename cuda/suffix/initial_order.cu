#include "suffix/initial_order.cuh"

#include "core/launch.cuh"

namespace warpseed::cuda {

namespace {

/// Bit i: a separator stands among the 32 symbols from position 32 * word + i.
__device__ std::uint32_t short_in(const DeviceTextView& text, std::uint64_t word) {
  std::uint64_t near = std::uint64_t{text.separators[word + 1]} << 32 | text.separators[word];
  for (unsigned shift = 1; shift < 32; shift *= 2) near |= near >> shift;
  return static_cast<std::uint32_t>(near);
}

__global__ void count_short_kernel(DeviceTextView text, std::uint64_t words, std::uint32_t* short_before) {
  const std::uint64_t word = thread_index();
  if (word > words) return;
  short_before[word] = word < words ? static_cast<std::uint32_t>(__popc(short_in(text, word))) : 0;
}

/// One thread a suffix: the long ones go to their place with their key, the short ones to the front with their
/// length, to be sorted by it.
__global__ void place_kernel(DeviceTextView text, const std::uint32_t* short_before, std::uint64_t short_count,
                             std::uint64_t* keys, std::uint32_t* positions) {
  const TextPos position = thread_index();
  if (position >= text.text.size) return;
  const unsigned bit = static_cast<unsigned>(position % 32);
  const std::uint32_t short_bits = short_in(text, position / 32);
  const std::uint64_t earlier =
      short_before[position / 32] + static_cast<unsigned>(__popc(short_bits & ((1U << bit) - 1)));
  const bool is_short = short_bits >> bit & 1;
  const std::uint64_t slot = is_short ? earlier : short_count + position - earlier;
  keys[slot] = is_short ? text.bases_ahead(position) : text.text.window(position);
  positions[slot] = static_cast<std::uint32_t>(position);
}

__global__ void short_keys_kernel(DeviceTextView text, const std::uint32_t* sorted, std::uint64_t short_count,
                                  std::uint64_t* keys, std::uint32_t* positions) {
  const std::uint64_t slot = thread_index();
  if (slot >= short_count) return;
  const std::uint32_t position = sorted[slot];
  keys[slot] = text.key(position, text.bases_ahead(position));
  positions[slot] = position;
}

}  // namespace

void list_suffixes(const DeviceText& text, SortablePairs& pairs, const Stream& stream) {
  const std::uint64_t words = (text.size() + 31) / 32;
  Buffer<std::uint32_t> short_before(words + 1, stream);
  launch("count_short_kernel", count_short_kernel, words + 1, stream, text.view(), words, short_before.data());
  exclusive_sum(short_before, stream);
  const std::uint64_t short_count = short_before.value_at(words);

  launch("place_kernel", place_kernel, text.size(), stream, text.view(), short_before.data(), short_count,
         pairs.keys.data(), pairs.values.data());
  const std::uint64_t* keys_before = pairs.keys.data();
  constexpr unsigned length_bits = 5;
  pairs.sort(short_count, length_bits, stream);
  const Buffer<std::uint32_t>* sorted = &pairs.values;
  if (pairs.keys.data() != keys_before) {  // the long ones stayed behind in what is the spare room now
    std::swap(pairs.keys, pairs.spare_keys), std::swap(pairs.values, pairs.spare_values);
    sorted = &pairs.spare_values;
  }
  launch("short_keys_kernel", short_keys_kernel, short_count, stream, text.view(), sorted->data(), short_count,
         pairs.keys.data(), pairs.values.data());
}

}  // namespace warpseed::cuda
