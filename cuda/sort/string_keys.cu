#include "sort/string_keys.cuh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "core/lanes.cuh"
#include "core/launch.cuh"

namespace warpseed::sort::cuda {

namespace {

constexpr unsigned survey_threads = StringStatistics::sample / 2;  // one pair of keys per thread
constexpr std::uint64_t sampled_windows = 8;  // windows of each sampled string that are scanned for bytes in use
constexpr std::uint64_t min_strings_to_check_offsets =
    1 << 20;  // strings, from which checking their offsets is worth a launch

__device__ void note_byte(std::uint32_t* bits, unsigned byte) {
  const std::uint32_t bit = 1U << (byte % 32);
  if ((bits[byte / 32] & bit) == 0) atomicOr(&bits[byte / 32], bit);
}

/// Bitonic sort of a block's keys.
__device__ void sort_block(std::uint64_t* keys) {
  for (unsigned size = 2; size <= StringStatistics::sample; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
      const bool up = (low & size) == 0;
      const std::uint64_t a = keys[low], b = keys[high];
      if ((a > b) == up) keys[low] = b, keys[high] = a;
    }
  }
  __syncthreads();
}

/// The first block sorts the sampled strings' first windows and checks their lengths; the others scan for bytes in use,
/// one window per thread.
template <class Text>
__global__ void survey_kernel(Strings<Text> strings, StringStatistics* survey) {
  const std::uint64_t step = strings.count / StringStatistics::sample;
  if (blockIdx.x > 0) {
    const std::uint64_t number = std::uint64_t{blockIdx.x - 1} * blockDim.x + threadIdx.x;
    const std::uint64_t i = number / sampled_windows * step, from = number % sampled_windows * window_symbols<Text>;
    const std::uint64_t length = strings.length(i);
    if (from >= length) return;
    const std::uint64_t window = strings.text.window(strings.begin(i) + from);
    for (unsigned k = 0; k < window_symbols<Text> && from + k < length; ++k) {
      note_byte(survey->letters, static_cast<unsigned>(window << 8 * (k & 7) >> 56));
    }
    return;
  }
  __shared__ std::uint64_t keys[StringStatistics::sample];
  for (unsigned i = threadIdx.x; i < StringStatistics::sample; i += blockDim.x) {
    keys[i] = first_window(strings, i * step);
    if (strings.length(i * step) != strings.length(0)) survey->uneven = 1;
  }
  sort_block(keys);
  for (unsigned i = threadIdx.x; i + 1 < StringStatistics::sample; i += blockDim.x) {
    const unsigned common = leading_zeros(keys[i] ^ keys[i + 1]) / symbol_bits<Text>;
    for (unsigned symbols = 1; symbols <= common; ++symbols) atomicAdd(&survey->alike[symbols], 1U);
  }
}

/// Checks every string's offsets, unless the sample has shown already that lengths are uneven.
template <class Text>
__global__ void measure_kernel(Strings<Text> strings, StringStatistics* survey) {
  if (survey->uneven != 0) return;
  const std::uint64_t i = thread_index(), origin = strings.begins[0], stride = strings.ends[0] - origin;
  if (i >= strings.count) return;
  if (strings.begins[i] != origin + i * stride || strings.ends[i] != origin + (i + 1) * stride) survey->uneven = 1;
  if (i == 0) survey->origin = origin, survey->stride = stride;
}

/// For few strings: one thread per string scans its first 64 characters.
__global__ void bytes_in_use_kernel(Strings<ByteView> strings, StringStatistics* survey) {
  const std::uint64_t i = thread_index();
  if (i >= strings.count) return;
  const std::uint64_t length = strings.length(i) < 64 ? strings.length(i) : 64;
  for (std::uint64_t at = 0; at < length; ++at) {
    note_byte(survey->letters, static_cast<unsigned>(strings.text.window(strings.begin(i) + at) >> 56));
  }
}

/// Information per symbol, in bits, from pairs in the sample that agree in `symbols` symbols. 0 if there are none.
double information(const StringStatistics& survey, unsigned symbols) {
  constexpr double pairs = 0.5 * StringStatistics::sample * StringStatistics::sample;
  constexpr std::uint32_t enough = 32;  // for a significant estimate
  for (; symbols > 0; --symbols) {
    if (survey.alike[symbols] >= enough) return std::log2(pairs / survey.alike[symbols]) / symbols;
  }
  return 0;
}

/// Computes a key; for byte strings also records bytes without a code.
struct PackedCoder {
  __device__ void prepare() {}
  __device__ std::uint64_t key(const Strings<text::PackedView>& strings, std::uint64_t i, std::uint64_t depth,
                               KeyShape shape, KeyFindings*) const {
    return key_of(strings, i, depth, shape);
  }
};

struct ByteCoder {
  ByteCodes codes;  // passed as a kernel argument

  __device__ std::uint16_t* table() const {
    __shared__ std::uint16_t shared[256];
    return shared;
  }
  __device__ void prepare() {
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) table()[i] = codes.of[i];
  }
  __device__ std::uint64_t key(const Strings<ByteView>& strings, std::uint64_t i, std::uint64_t depth, KeyShape shape,
                               KeyFindings* findings) const {
    bool unforeseen = false;
    const std::uint64_t made = key_of(strings, i, depth, shape, table(), unforeseen);
    if (unforeseen) {
      for (unsigned k = 0; k < symbols_in_key(strings, i, depth, shape); ++k) {
        const auto byte = static_cast<unsigned>(strings.text.window(strings.begin(i) + depth + k) >> 56);
        if (table()[byte] == ByteCodes::unknown) note_byte(findings->unforeseen, byte);
      }
    }
    return made;
  }
};

__device__ std::uint64_t or_of_warp(std::uint64_t value) {
  const std::uint32_t high = __reduce_or_sync(all_lanes, static_cast<std::uint32_t>(value >> 32));
  return std::uint64_t{high} << 32 | __reduce_or_sync(all_lanes, static_cast<std::uint32_t>(value));
}

template <class Text, class Coder>
__global__ void keys_kernel(Strings<Text> strings, SlotsView slots, KeyShape shape, Coder coder, std::uint64_t* keys,
                            KeyFindings* findings) {
  __shared__ std::uint64_t first_key;
  coder.prepare();
  __syncthreads();
  const auto key_at = [&](std::uint64_t slot) {
    const std::uint32_t group = slots.group(slot);
    return shape.with_group(group, coder.key(strings, slots.string(slot), slots.depth(group), shape, findings));
  };
  if (threadIdx.x == 0) first_key = key_at(0);
  __syncthreads();
  const std::uint64_t slot = thread_index();
  const std::uint64_t key = slot < slots.count ? key_at(slot) : first_key;
  if (slot < slots.count) keys[slot] = key;
  const std::uint64_t varying = or_of_warp(key ^ first_key);
  if (lane_id() != 0) return;
  const std::uint64_t known = *static_cast<volatile std::uint64_t*>(&findings->varying);
  if ((varying & ~known) != 0) {
    atomicOr(reinterpret_cast<unsigned long long*>(&findings->varying), static_cast<unsigned long long>(varying));
  }
}

/// Adds bytes, one bit each; false if there are none.
bool add_seen(const std::uint32_t* bits, std::array<bool, 256>& seen) {
  bool any = false;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if ((bits[byte / 32] >> (byte % 32) & 1) != 0) any = seen[byte] = true;
  }
  return any;
}

ByteCodes codes_for(const std::array<bool, 256>& seen) {
  ByteCodes codes;
  std::uint16_t next = 0;
  for (unsigned byte = 0; byte < 256; ++byte) codes.of[byte] = seen[byte] ? next++ : ByteCodes::unknown;
  return codes;
}

template <class Text>
auto coder_for(const std::array<bool, 256>& seen) {
  if constexpr (symbol_bits<Text> == 8) {
    return ByteCoder{codes_for(seen)};
  } else {
    return PackedCoder{};
  }
}

}  // namespace

template <class Text>
KeyMaker<Text>::KeyMaker(const Strings<Text>& strings, const Stream& stream) : strings_(strings), findings_(1, stream) {
  survey(stream);
}

template <class Text>
void KeyMaker<Text>::survey(const Stream& stream) {
  Buffer<StringStatistics> survey(1, stream);
  survey.fill_zero();
  const bool bytes = symbol_bits<Text> == 8, measured = strings_.count >= min_strings_to_check_offsets;
  if (strings_.count >= 2 * StringStatistics::sample) {
    const unsigned byte_scan_blocks = bytes ? StringStatistics::sample * sampled_windows / survey_threads : 0;
    survey_kernel<<<1 + byte_scan_blocks, survey_threads, 0, stream.handle()>>>(strings_, survey.data());
    check_launch("survey_kernel", stream.handle());
  } else if constexpr (bytes) {
    launch("bytes_in_use_kernel", bytes_in_use_kernel, strings_.count, stream, strings_, survey.data());
  }
  if (measured) launch("measure_kernel", measure_kernel<Text>, strings_.count, stream, strings_, survey.data());
  const StringStatistics found = survey.value_at(0);
  add_seen(found.letters, seen_);
  bits_a_symbol_ = information(found, window_symbols<Text>);
  if (measured && found.uneven == 0) strings_.origin = found.origin, strings_.stride = found.stride;
}

template <class Text>
KeyShape KeyMaker<Text>::shape_for(unsigned bits) const {
  if (symbol_bits<Text> != 8) return widest_key(symbol_bits<Text>, bits);
  const auto letters = static_cast<std::uint64_t>(std::count(seen_.begin(), seen_.end(), true));
  return widest_key(letters <= 2 ? 1 : static_cast<unsigned>(std::bit_width(letters - 1)), bits);
}

/// For random characters, twice as many bits as number the strings would leave hardly any two different strings in one
/// group; since groups are sorted by comparisons, slightly fewer bits cost less. Characters far from random depend on
/// each other as well, and the sample underestimates: then the key takes as many as fit.
template <class Text>
KeyShape KeyMaker<Text>::first_shape() const {
  const KeyShape widest = shape_for(64);
  if (bits_a_symbol_ < 0.9 * widest.code_bits) return widest;
  const double wanted = 1.4 * std::log2(static_cast<double>(strings_.count)) + 4;
  const double symbols = std::ceil(wanted / bits_a_symbol_);
  if (symbols >= widest.symbols) return widest;
  const unsigned passes = (static_cast<unsigned>(symbols) * widest.code_bits + 7) / 8;
  const unsigned fitting = std::min(widest.symbols, 8 * passes / widest.code_bits);
  return {widest.code_bits, fitting, static_cast<unsigned>(std::bit_width(fitting))};
}

template <class Text>
typename KeyMaker<Text>::Made KeyMaker<Text>::make(const SlotsView& slots, unsigned group_bits, std::uint64_t* keys,
                                                   const Stream& stream) {
  for (;;) {
    findings_.fill_zero();
    const KeyShape shape = slots.strings == nullptr ? first_shape() : shape_for(64 - group_bits);
    const auto coder = coder_for<Text>(seen_);
    launch("keys_kernel", keys_kernel<Text, std::remove_const_t<decltype(coder)>>, slots.count, stream, strings_, slots,
           shape, coder, keys, findings_.data());
    const KeyFindings findings = findings_.value_at(0);
    if (!add_seen(findings.unforeseen, seen_)) return {shape, findings.varying};
  }
}

template class KeyMaker<ByteView>;
template class KeyMaker<text::PackedView>;

}  // namespace warpseed::sort::cuda
