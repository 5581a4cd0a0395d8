// A pipe that is fed from a source: all bytes, the source's error after them, and a reader that stops early.
#include "reads/pipe_feeder.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "catch.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace reads;

namespace {

/// `size` bytes, then the end or an error.
class CountedSource final : public ByteSource {
 public:
  CountedSource(std::uint64_t size, bool fails) : left_(size), fails_(fails) {}

  std::uint64_t read(std::span<char> out) override {
    if (left_ == 0 && fails_) throw InputError("the source is damaged");
    const std::uint64_t size = std::min<std::uint64_t>(out.size(), left_);
    for (std::uint64_t i = 0; i < size; ++i) out[i] = static_cast<char>('a' + --left_ % 23);
    return size;
  }

 private:
  std::uint64_t left_;
  const bool fails_;
};

std::string counted(std::uint64_t size) {
  std::string bytes;
  while (size > 0) bytes += static_cast<char>('a' + --size % 23);
  return bytes;
}

std::string read_to_end(int descriptor) {
  std::string content, buffer(70000, '\0');
  for (ssize_t got; (got = ::read(descriptor, buffer.data(), buffer.size())) > 0;)
    content.append(buffer, 0, static_cast<std::size_t>(got));
  ::close(descriptor);
  return content;
}

}  // namespace

TEST_CASE("a pipe feeder passes on all bytes of its source, then the source's error", "[reads][pipe]") {
  const std::uint64_t size = GENERATE(0, 1, (1 << 20) - 1, 1 << 20, (5 << 20) + 3);
  const bool fails = GENERATE(false, true);
  CAPTURE(size, fails);
  PipeFeeder feeder(std::make_unique<CountedSource>(size, fails), "reads.bam");
  CHECK((read_to_end(feeder.take_descriptor()) == counted(size)));
  if (fails) {
    CHECK_THROWS_AS(feeder.check(), InputError);
    CHECK_THROWS_WITH(feeder.check(), "the source is damaged");
  } else {
    CHECK_NOTHROW(feeder.check());
  }
}

TEST_CASE("a reader that stops early ends a pipe feeder without an error or a signal", "[reads][pipe]") {
  constexpr std::uint64_t endless = std::uint64_t{1} << 60;
  const int takes = GENERATE(0, 1, 3);
  CAPTURE(takes);
  {
    PipeFeeder feeder(std::make_unique<CountedSource>(endless, true), "reads.bam");
    const int descriptor = feeder.take_descriptor();
    char byte = 0;
    for (int i = 0; i < takes; ++i) CHECK(::read(descriptor, &byte, 1) == 1);
    ::close(descriptor);
    CHECK_NOTHROW(feeder.check());
  }
  const PipeFeeder nobody_reads(std::make_unique<CountedSource>(endless, true), "reads.bam");
}

}  // namespace warpseed
