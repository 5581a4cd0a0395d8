// What the tests of this module share: a folder of their own, a byte source in memory, random reads.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/byte_source.hpp"
#include "core/temp_folder.hpp"
#include "reads/read_batch.hpp"

namespace warpseed::test {

/// A fresh folder that goes with its contents.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpseed_test.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string file(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return file(name);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

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

/// A read that owns its parts.
struct Read {
  std::string name, comment, letters, qualities;

  Read() = default;
  Read(std::string n, std::string c, std::string l, std::string q)
      : name(std::move(n)), comment(std::move(c)), letters(std::move(l)), qualities(std::move(q)) {}
  explicit Read(const ReadView& view)
      : name(view.name), comment(view.comment), letters(view.letters), qualities(view.qualities) {}
  ReadView view() const { return {name, comment, letters, qualities}; }
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

/// Letters as sequencers and people write them.
inline Read random_read(const std::string& name, std::uint64_t longest, std::mt19937& rng) {
  const std::uint64_t length = rng() % (longest + 1);
  const bool odd = rng() % 4 == 0;
  const std::string comment = rng() % 2 == 0 ? "" : "1:N:0:" + random_text(6, "ACGT", rng);
  const std::string letters = random_text(length, odd ? "ACGTNacgtnURYKMSWBDHVu" : "ACGTN", rng);
  return {name, comment, letters, random_text(length, all_qualities(), rng)};
}

}  // namespace warpseed::test
