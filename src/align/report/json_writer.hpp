// Writes the objects and arrays of a JSON report; private to the module.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/json_text.hpp"

namespace warpseed::align {

/// One object, with commas and line breaks.
class JsonWriter {
 public:
  JsonWriter() { begin('{'); }

  JsonWriter& key(std::string_view name) {
    next();
    fmt::format_to(std::back_inserter(text_), "{}: ", json_string(name));
    after_key_ = true;
    return *this;
  }
  void begin(char bracket) {
    next();
    text_.push_back(bracket);
    first_ = true;
    ++depth_;
  }
  void end(char bracket) {
    --depth_;
    if (!first_) line();  // not in an empty one
    text_.push_back(bracket);
    first_ = false;
  }
  template <class Value>
  void value(const Value& written) {
    next();
    fmt::format_to(std::back_inserter(text_), "{}", written);
  }
  template <class Value>
  void member(std::string_view name, const Value& written) {
    key(name).value(written);
  }
  /// An array on one line; of(i) is the i-th value.
  template <class Values>
  void row(std::size_t count, const Values& of) {
    next();
    text_.push_back('[');
    for (std::size_t i = 0; i < count; ++i) {
      fmt::format_to(std::back_inserter(text_), "{}{}", i == 0 ? "" : ", ", of(i));
    }
    text_.push_back(']');
  }
  std::string finish() {
    end('}');
    text_.push_back('\n');
    return fmt::to_string(text_);
  }

 private:
  void line() { fmt::format_to(std::back_inserter(text_), "\n{:{}}", "", 2 * depth_); }
  void next() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (depth_ == 0) return;
    if (!first_) text_.push_back(',');
    first_ = false;
    line();
  }

  fmt::memory_buffer text_;
  int depth_ = 0;
  bool first_ = true, after_key_ = false;
};

/// A share with six digits; null where nothing was counted.
inline std::string rate(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "null";
  return fmt::format("{:.6g}", static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace warpseed::align
