#include "sort/string_keys.cuh"

#include <algorithm>
#include <bit>

#include "core/launch.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t sample_strings = 1 << 14;  // a letter that one string in a thousand has is hardly ever missed
constexpr std::uint64_t sample_symbols = 64;       // of each; later symbols are looked at when their keys are made

__device__ void note_byte(std::uint32_t* bits, unsigned byte) {
  const std::uint32_t bit = 1U << (byte % 32);
  if ((bits[byte / 32] & bit) == 0) atomicOr(&bits[byte / 32], bit);
}

__global__ void sample_kernel(Strings<ByteView> strings, std::uint64_t step, KeyFindings* findings) {
  const std::uint64_t i = thread_index() * step;
  if (i >= strings.count) return;
  const std::uint64_t begin = strings.begin(i), length = strings.length(i);
  for (std::uint64_t at = 0; at < length && at < sample_symbols; ++at) {
    note_byte(findings->unforeseen, static_cast<unsigned>(strings.text.window(begin + at) >> 56));
  }
}

/// A key, and the bytes without a code noted where there are some.
struct PackedCoder {
  __device__ void prepare() {}
  __device__ std::uint64_t key(const Strings<PackedView>& strings, std::uint64_t i, std::uint64_t depth, KeyShape shape,
                               KeyFindings*) const {
    return key_of(strings, i, depth, shape);
  }
};

struct ByteCoder {
  ByteCodes codes;  // comes with the launch

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
  const std::uint32_t high = __reduce_or_sync(0xFFFFFFFFU, static_cast<std::uint32_t>(value >> 32));
  return std::uint64_t{high} << 32 | __reduce_or_sync(0xFFFFFFFFU, static_cast<std::uint32_t>(value));
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
  if (threadIdx.x % 32 != 0) return;
  const std::uint64_t known = *static_cast<volatile std::uint64_t*>(&findings->varying);
  if ((varying & ~known) != 0) {
    atomicOr(reinterpret_cast<unsigned long long*>(&findings->varying), static_cast<unsigned long long>(varying));
  }
}

/// Adds the bytes of the findings; false when there are none.
bool add_seen(const KeyFindings& findings, std::array<bool, 256>& seen) {
  bool any = false;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if ((findings.unforeseen[byte / 32] >> (byte % 32) & 1) != 0) any = seen[byte] = true;
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
  if constexpr (symbol_bits<Text> == 8) {
    findings_.fill_zero();
    const std::uint64_t step = std::max<std::uint64_t>(1, strings.count / sample_strings);
    launch("sample_kernel", sample_kernel, strings.count / step, stream, strings, step, findings_.data());
    add_seen(findings_.value_at(0), seen_);
  }
}

template <class Text>
KeyShape KeyMaker<Text>::shape_for(unsigned bits) const {
  if (symbol_bits<Text> != 8) return widest_key(symbol_bits<Text>, bits);
  const auto letters = static_cast<std::uint64_t>(std::count(seen_.begin(), seen_.end(), true));
  return widest_key(letters <= 2 ? 1 : static_cast<unsigned>(std::bit_width(letters - 1)), bits);
}

template <class Text>
typename KeyMaker<Text>::Made KeyMaker<Text>::make(const SlotsView& slots, unsigned group_bits, std::uint64_t* keys,
                                                   const Stream& stream) {
  for (;;) {
    findings_.fill_zero();
    const KeyShape shape = shape_for(64 - group_bits);
    const auto coder = coder_for<Text>(seen_);
    launch("keys_kernel", keys_kernel<Text, std::remove_const_t<decltype(coder)>>, slots.count, stream, strings_, slots,
           shape, coder, keys, findings_.data());
    const KeyFindings findings = findings_.value_at(0);
    if (!add_seen(findings, seen_)) return {shape, findings.varying};
  }
}

template class KeyMaker<ByteView>;
template class KeyMaker<PackedView>;

}  // namespace warpseed::cuda
