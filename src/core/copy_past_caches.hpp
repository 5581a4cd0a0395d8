// Copies to memory that this processor does not read soon.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace warpseed {

/// As memcpy(). Where the processor can, it does not read what is overwritten, and keeps the copy out of its caches.
inline void copy_past_caches(void* to, const void* from, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t vector = sizeof(__m128i);
  const std::size_t before = std::min(bytes, -reinterpret_cast<std::uintptr_t>(to) % vector);
  std::memcpy(to, from, before);
  char* out = static_cast<char*>(to) + before;
  const char* in = static_cast<const char*>(from) + before;
  for (bytes -= before; bytes >= vector; bytes -= vector, out += vector, in += vector)
    _mm_stream_si128(reinterpret_cast<__m128i*>(out), _mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
  _mm_sfence();  // stores of this kind are not ordered with others, such as those that start the copy's reader
  std::memcpy(out, in, bytes);
#else
  std::memcpy(to, from, bytes);
#endif
}

}  // namespace warpseed
