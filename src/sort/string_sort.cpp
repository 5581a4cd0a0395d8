#include "sort/string_sort.hpp"

#include <cstring>
#include <limits>
#include <stdexcept>

#include "sort/entry.hpp"
#include "sort/string_sort_cpu.hpp"

namespace warpseed::sort {

void ByteStrings::add(std::string_view letters) {
  const std::uint64_t begin = bytes(), end = begin + letters.size();
  words_.resize(end / 8 + 2);
  if (!letters.empty()) std::memcpy(reinterpret_cast<char*>(words_.data()) + begin, letters.data(), letters.size());
  offsets_.push_back(end);
}

void ByteStrings::reserve(std::uint64_t strings, std::uint64_t bytes) {
  words_.reserve(bytes / 8 + 2);
  offsets_.reserve(strings + 1);
}

std::string_view ByteStrings::operator[](std::uint64_t i) const {
  return {reinterpret_cast<const char*>(words_.data()) + offsets_[i], offsets_[i + 1] - offsets_[i]};
}

template <class Text>
StringOrder sort_strings(const Text& text, View<std::uint64_t> offsets, const Backend& backend) {
  constexpr std::uint64_t limit = std::numeric_limits<std::uint32_t>::max();
  if (offsets.size == 0) throw std::invalid_argument("sort_strings: one offset more than strings");
  if (offsets.size > limit) throw std::invalid_argument("sort_strings: 2^32 - 1 strings or more");
  for (std::uint64_t i = 0; i + 1 < offsets.size; ++i) {
    if (offsets[i] > offsets[i + 1]) throw std::invalid_argument("sort_strings: offsets decrease");
    if (offsets[i + 1] - offsets[i] >= limit) throw std::invalid_argument("sort_strings: a string is too long");
  }
  const Strings<Text> strings = end_to_end(text, offsets.data, offsets.size - 1);
  switch (backend.kind) {
    case BackendKind::cpu: return sort_strings_on_cpu(strings, backend.threads);
    case BackendKind::cuda: return cuda::sort_strings(strings, backend);
  }
  throw std::logic_error("sort_strings: a backend kind without a case");
}

template StringOrder sort_strings(const ByteView&, View<std::uint64_t>, const Backend&);
template StringOrder sort_strings(const text::PackedView&, View<std::uint64_t>, const Backend&);

}  // namespace warpseed::sort
