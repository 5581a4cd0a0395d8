// Helpers of this module's tests: a byte source in memory, random reads.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/byte_source.hpp"
#include "core/temp_folder.hpp"
#include "reads/read_batch.hpp"

namespace warpseed::test {

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string text) : text_(std::move(text)) {}
  std::uint64_t read(std::span<char> out) override {
    const std::uint64_t count = std::min<std::uint64_t>(out.size(), text_.size() - at_);
    std::copy_n(text_.data() + at_, count, out.data());
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::uint64_t at_ = 0;
};

/// A read that owns its strings.
struct Read {
  std::string name, comment, bases, qualities;

  Read() = default;
  Read(std::string n, std::string c, std::string l, std::string q)
      : name(std::move(n)), comment(std::move(c)), bases(std::move(l)), qualities(std::move(q)) {}
  explicit Read(const reads::ReadView& view)
      : name(view.name), comment(view.comment), bases(view.bases), qualities(view.qualities) {}
  reads::ReadView view() const { return {name, comment, bases, qualities}; }
  friend bool operator==(const Read&, const Read&) = default;
};

inline std::string random_text(std::uint64_t length, std::string_view alphabet, std::mt19937& rng) {
  std::string text(length, ' ');
  for (char& letter : text) letter = alphabet[rng() % alphabet.size()];
  return text;
}

inline std::string all_qualities() {
  std::string text;
  for (char letter = '!'; letter <= '~'; ++letter) text += letter;
  return text;
}

/// Bases as sequencers and people write them.
inline Read random_read(const std::string& name, std::uint64_t longest, std::mt19937& rng) {
  const std::uint64_t length = rng() % (longest + 1);
  const bool odd = rng() % 4 == 0;
  const std::string comment = rng() % 2 == 0 ? "" : "1:N:0:" + random_text(6, "ACGT", rng);
  const std::string bases = random_text(length, odd ? "ACGTNacgtnURYKMSWBDHVu" : "ACGTN", rng);
  return {name, comment, bases, random_text(length, all_qualities(), rng)};
}

}  // namespace warpseed::test
