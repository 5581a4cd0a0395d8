#include "hard_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulate/synthetic_core.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

std::string random_text(std::uint64_t length, std::uint64_t seed) {
  const std::uint64_t key = simulate::synthetic::mix_bits(seed);
  std::string text(length, 'A');
  for (std::uint64_t i = 0; i < length; ++i)
    text[i] = "ACGT"[simulate::synthetic::mix_bits(key + i / 32) >> 2 * (i % 32) & 3];
  return text;
}

/// Each word is the previous one followed by the one before it; the latter is a prefix of what is there already.
std::string fibonacci_text(std::uint64_t length) {
  std::string text = "AC";
  text.reserve(length + 2);
  for (std::uint64_t before = 1; text.size() < length;) {
    const std::uint64_t last = text.size(), appended = std::min(before, length - last);
    text.append(text, 0, appended);
    before = last;
  }
  text.resize(length);
  return text;
}

/// Extends the text periodically: each character repeats the one `unit` positions before.
void repeat_to(std::string& text, std::uint64_t length) {
  text.reserve(length);
  while (text.size() < length) text.append(text, 0, std::min<std::uint64_t>(text.size(), length - text.size()));
  text.resize(length);
}

}  // namespace

std::string hard_text(const HardText& text) {
  if (text.kind == "one-letter") return std::string(text.length, 'A');
  if (text.kind == "fibonacci") return fibonacci_text(text.length);
  if (text.kind == "random") return random_text(text.length, text.seed);
  if (text.kind != "period" && text.kind != "repeat") {
    throw InputError(
        fmt::format("unknown text \"{}\" (choose one-letter, fibonacci, period, repeat, random or genome)", text.kind));
  }
  if (text.unit == 0) throw InputError("a text that repeats wants a unit of 1 letter at least");
  std::string repeated = random_text(std::min(text.unit, text.length), text.seed);
  repeat_to(repeated, text.length);
  return repeated;
}

std::string mutated_copies(const std::string& original, std::uint64_t length, double rate, std::uint64_t seed) {
  if (original.empty()) throw InputError("a file to mutate must hold a byte at least");
  if (!(rate >= 0 && rate <= 1)) throw InputError(fmt::format("a rate of {}; it must be from 0 to 1", rate));
  std::string text = original;
  repeat_to(text, length);
  constexpr std::uint64_t always = std::uint64_t{1} << 32;
  const auto limit = static_cast<std::uint64_t>(rate * static_cast<double>(always));
  const std::uint64_t key = simulate::synthetic::mix_bits(seed);
  for (std::uint64_t i = 0; i < length; ++i) {
    const std::uint64_t random = simulate::synthetic::mix_bits(key + i);
    if ((random & (always - 1)) < limit) text[i] = original[simulate::synthetic::mix_bits(random) % original.size()];
  }
  return text;
}

}  // namespace warpseed
