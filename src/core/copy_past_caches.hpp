// Copies to memory that this processor does not read soon.
#pragma once

#include <cstddef>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace warpseed {

/// As memcpy(). Where the processor can, it does not read what is overwritten, and keeps the copy out of its caches.
/// to: at a multiple of 16.
inline void copy_past_caches(char* to, const char* from, std::size_t bytes) {
  std::size_t at = 0;
#ifdef __SSE2__
  for (; at + sizeof(__m128i) <= bytes; at += sizeof(__m128i))
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  _mm_sfence();  // stores of this kind are not ordered with others, such as those that start the copy's reader
#endif
  std::memcpy(to + at, from + at, bytes - at);
}

}  // namespace warpseed
