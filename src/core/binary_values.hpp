// Numbers, texts and sequences of them as bytes of a file: every number takes 8 bytes, the lowest one first.
//
// A type states its values once, for both directions, in
//   template <class Self, class Values> static void for_each_value(Self& self, Values& values)
// which calls values(...) with them in the order of the file.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpseed/error.hpp"

namespace warpseed {

/// Appends values to bytes().
class ValueWriter {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (add(values), ...);
  }

  /// A number of elements, and what each(element) writes of each.
  template <class Element, class Each>
  void sequence(const std::vector<Element>& elements, const Each& each) {
    add_word(elements.size());
    for (const Element& element : elements) each(element);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void add_word(std::uint64_t word) {
    for (unsigned i = 0; i < 8; ++i) bytes_ += static_cast<char>(word >> 8 * i & 0xff);
  }

  template <class T>
  void add(const T& value) {
    if constexpr (std::integral<T>) {
      add_word(static_cast<std::uint64_t>(value));
    } else if constexpr (std::same_as<T, double>) {
      add_word(std::bit_cast<std::uint64_t>(value));
    } else {
      T::for_each_value(value, *this);
    }
  }
  void add(const std::string& text) {
    add_word(text.size());
    bytes_ += text;
  }
  template <class T>
  void add(const std::vector<T>& elements) {
    sequence(elements, [&](const T& element) { add(element); });
  }
  template <class T, std::size_t size>
  void add(const std::array<T, size>& elements) {
    for (const T& element : elements) add(element);
  }
  template <class Key, class Value>
  void add(const std::map<Key, Value>& map) {
    add_word(map.size());
    for (const auto& [key, value] : map) add(key), add(value);
  }

  std::string bytes_;
};

/// Reads what ValueWriter has written. Throws InputError with `problem` where the bytes end too soon or a number does
/// not fit its type, whatever they are; memory is allocated only for what they hold.
class ValueReader {
 public:
  /// The bytes must outlive this.
  ValueReader(std::string_view bytes, std::string problem) : rest_(bytes), problem_(std::move(problem)) {}

  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }

  template <class Element, class Each>
  void sequence(std::vector<Element>& elements, const Each& each) {
    const std::uint64_t count = get_count();
    elements.clear();
    for (std::uint64_t i = 0; i < count; ++i) each(elements.emplace_back());
  }

  bool at_end() const { return rest_.empty(); }
  [[noreturn]] void fail() const { throw InputError(problem_); }

 private:
  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::uint64_t get_word() {
    std::uint64_t word = 0;
    unsigned shift = 0;
    for (const char byte : take(8))
      word |= std::uint64_t{static_cast<unsigned char>(byte)} << std::exchange(shift, shift + 8);
    return word;
  }

  /// Of elements, each of which takes a number at least.
  std::uint64_t get_count() {
    const std::uint64_t count = get_word();
    if (count > rest_.size() / 8) fail();
    return count;
  }

  template <class T>
  void get(T& value) {
    if constexpr (std::integral<T>) {
      const std::uint64_t word = get_word();
      value = static_cast<T>(word);
      if (static_cast<std::uint64_t>(value) != word) fail();
    } else if constexpr (std::same_as<T, double>) {
      value = std::bit_cast<double>(get_word());
    } else {
      T::for_each_value(value, *this);
    }
  }
  void get(std::string& text) { text = take(get_word()); }
  template <class T>
  void get(std::vector<T>& elements) {
    sequence(elements, [&](T& element) { get(element); });
  }
  template <class T, std::size_t size>
  void get(std::array<T, size>& elements) {
    for (T& element : elements) get(element);
  }
  template <class Key, class Value>
  void get(std::map<Key, Value>& map) {
    map.clear();
    for (std::uint64_t left = get_count(); left > 0; --left) {
      Key key{};
      get(key);
      get(map[key]);
    }
  }

  std::string_view rest_;
  const std::string problem_;
};

}  // namespace warpseed
