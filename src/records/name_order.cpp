#include "records/name_order.hpp"

#include <algorithm>
#include <string_view>

namespace warpseed::records {

namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

std::string_view digits_at(const char* text) {
  const char* end = text;
  while (is_digit(*end)) ++end;
  return {text, static_cast<std::size_t>(end - text)};
}

std::string_view without_zeros(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

int sign(bool before) {
  return before ? -1 : 1;
}

int compare_numbers(std::string_view a, std::string_view b) {
  const std::string_view value_a = without_zeros(a), value_b = without_zeros(b);
  if (value_a.size() != value_b.size()) return sign(value_a.size() < value_b.size());
  if (value_a != value_b) return sign(value_a < value_b);
  return a.size() == b.size() ? 0 : sign(a.size() > b.size());
}

}  // namespace

int compare_names(const char* a, const char* b) {
  while (*a && *b) {
    if (is_digit(*a) && is_digit(*b)) {
      const std::string_view number_a = digits_at(a), number_b = digits_at(b);
      if (const int compared = compare_numbers(number_a, number_b)) return compared;
      a += number_a.size(), b += number_b.size();
    } else {
      if (*a != *b) return sign(static_cast<unsigned char>(*a) < static_cast<unsigned char>(*b));
      ++a, ++b;
    }
  }
  return *a ? 1 : *b ? -1 : 0;
}

}  // namespace warpseed::records
