// Text written through a pointer into room that is there already; private to the module.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace warpseed {

constexpr std::uint64_t number_bytes = 20;  // the digits of 2^64 - 1

inline char* put(char* at, char letter) {
  *at = letter;
  return at + 1;
}

inline char* put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

inline char* put(char* at, std::uint64_t number) {
  return std::to_chars(at, at + number_bytes, number).ptr;
}

/// Each of the parts in turn.
template <class... Parts>
char* put_all(char* at, const Parts&... parts) {
  ((at = put(at, parts)), ...);
  return at;
}

/// Appends `count` lines of at most `bound` bytes each; write(i, at) writes line i at `at` and returns its end.
/// They are made in portions that stay in the cache, since a string's new room is filled with zeros first.
template <class Write>
void append_lines(std::string& out, std::uint64_t count, std::uint64_t bound, const Write& write) {
  constexpr std::uint64_t portion = 64;
  for (std::uint64_t done = 0; done < count; done += portion) {
    const std::uint64_t lines = std::min(portion, count - done);
    const std::size_t before = out.size();
    if (out.capacity() < before + lines * bound) out.reserve(2 * out.capacity() + lines * bound);
    out.resize(before + lines * bound);
    char* at = out.data() + before;
    for (std::uint64_t i = done; i < done + lines; ++i) at = write(i, at);
    out.resize(static_cast<std::size_t>(at - out.data()));
  }
}

}  // namespace warpseed
