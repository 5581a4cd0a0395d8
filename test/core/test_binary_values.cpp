// Values as bytes of a file: what is written is read again, and bytes of any other kind are an error.
#include "core/binary_values.hpp"

#include <cstdint>
#include <limits>

#include "catch.hpp"
#include "message_of.hpp"

using namespace warpseed;

namespace {

struct Inner {
  std::uint8_t small = 0;
  std::int32_t number = 0;

  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.small, self.number);
  }
  friend bool operator==(const Inner&, const Inner&) = default;
};

struct Outer {
  bool flag = false;
  std::int64_t number = 0;
  double real = 0;
  std::string text;
  std::vector<Inner> inner;
  std::vector<std::string> texts;
  std::array<std::uint16_t, 3> three{};
  std::map<std::int64_t, std::uint64_t> map;

  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.flag, self.number, self.real, self.text, self.inner, self.texts, self.three, self.map);
  }
  friend bool operator==(const Outer&, const Outer&) = default;
};

const Outer example = {
    true, -5, 0.1, std::string("a\0b", 3), {{255, -1}, {0, 7}}, {"", "x"}, {1, 2, 65535}, {{-9, 3}, {4, 5}}};

std::string bytes_of(const Outer& value) {
  ValueWriter writer;
  writer(value);
  return writer.bytes();
}

std::string problem_with(std::string_view bytes) {
  return test::message_of<InputError>([&] {
    ValueReader reader(bytes, "damaged");
    Outer value;
    reader(value);
    if (!reader.at_end()) reader.fail();
  });
}

}  // namespace

TEST_CASE("values are read as they were written", "[core][binary_values]") {
  for (const Outer& value : {Outer{}, example}) {
    const std::string bytes = bytes_of(value);
    ValueReader reader(bytes, "damaged");
    Outer read;
    reader(read);
    CHECK(read == value);
    CHECK(reader.at_end());
  }
  ValueWriter writer;
  writer(std::uint32_t{0x01020304}, std::int8_t{-2});
  CHECK(writer.bytes() == std::string("\4\3\2\1\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff", 16));
}

TEST_CASE("bytes that end too soon or do not fit are errors", "[core][binary_values]") {
  const std::string bytes = bytes_of(example);
  CHECK(problem_with(bytes).empty());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK(problem_with(std::string_view(bytes).substr(0, size)) == "damaged");
  }
  CHECK(problem_with(bytes + "x") == "damaged");
  // Any word may be as large as it likes, as a length or a number of elements, too: only what is there is allocated.
  for (std::size_t at = 0; at + 8 <= bytes.size(); ++at) {
    for (const std::uint64_t word :
         {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 61, std::uint64_t{1} << 32}) {
      std::string changed = bytes;
      for (unsigned i = 0; i < 8; ++i) changed[at + i] = static_cast<char>(word >> 8 * i);
      CAPTURE(at, word);
      const std::string problem = problem_with(changed);
      CHECK((problem.empty() || problem == "damaged"));
    }
  }
}
