// Lines from a byte source: their maximum length, and skipping.
#include "core/line_reader.hpp"

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using test::message_of;

namespace {

/// The sizes of all lines, with a limit of 100 bytes and blocks of `block_bytes`.
std::vector<std::uint64_t> sizes_of(const std::string& path, std::uint64_t block_bytes) {
  LineReader reader(open_bytes(path), block_bytes, {"list.txt", 100, "one name in a line"});
  std::vector<std::uint64_t> sizes;
  LineReader::Line line;
  for (reader.begin_record(); reader.next(line); reader.begin_record()) sizes.push_back(line.size);
  return sizes;
}

/// A file of `size` bytes in memory that cannot be read from `broken` on.
class BrokenFile final : public ByteSource {
 public:
  BrokenFile(std::string text, std::uint64_t broken) : text_(std::move(text)), broken_(broken) {}

  std::uint64_t read(std::span<char> out) override {
    const std::uint64_t size = std::min<std::uint64_t>(out.size(), text_.size() - given_);
    if (given_ + size > broken_) throw IoError("cannot read the file");
    std::copy_n(text_.data() + given_, size, out.data());
    given_ += size;
    return size;
  }
  std::uint64_t file_size() const override { return text_.size(); }

 private:
  const std::string text_;
  const std::uint64_t broken_;
  std::uint64_t given_ = 0;
};

/// The lines of a file, read into new memory after each `kept` bytes; up to an error.
struct KeptLines {
  std::string text;  // of all memory
  std::vector<std::string> lines;
  std::string error;
};

KeptLines keep_lines(LineReader& reader, std::uint64_t kept) {
  KeptLines read;
  LineReader::Line line;
  bool more = true;
  while (more) {
    TextMemory memory;
    memory.reserve(2 * kept);
    reader.begin_keeping(memory, kept);
    try {
      while (more && reader.kept_bytes() < kept) {
        reader.begin_record();
        more = reader.next(line);
        if (more) read.lines.emplace_back(reader.text(line));
      }
    } catch (const IoError& error) {
      read.error = error.what();
      more = false;
    }
    reader.end_keeping(memory);
    read.text.append(memory.begin(), memory.end());
  }
  return read;
}

}  // namespace

TEST_CASE("kept lines are read ahead, and remain in their memory", "[core][lines]") {
  const std::uint64_t block_bytes = GENERATE(1U, 100U, 4096U), kept = GENERATE(1U, 30000U, 100000U);
  const bool breaks = GENERATE(false, true);
  CAPTURE(block_bytes, kept, breaks);
  std::string text;
  std::vector<std::string> lines;
  for (std::size_t i = 0; text.size() < 250000; ++i) {
    lines.push_back(std::to_string(i) + std::string(i % 200, 'x'));
    text += lines.back() + "\n";
  }
  LineReader reader(std::make_unique<BrokenFile>(text, breaks ? 200000 : text.size()), block_bytes);
  const KeptLines read = keep_lines(reader, kept);
  CHECK(std::equal(read.lines.begin(), read.lines.end(), lines.begin()));
  CHECK(text.starts_with(read.text));
  CHECK(read.error == (breaks ? "cannot read the file" : ""));
  if (!breaks) CHECK(read.lines.size() == lines.size());
  if (breaks) CHECK(read.text.size() > 100000);
}

TEST_CASE("a line beyond the limit is an error with its line number", "[core][lines]") {
  const std::uint64_t block_bytes = GENERATE(1U, 7U, 64U);
  const test::TempFolder folder;
  const std::string fits = folder.write("fits", "a\n" + std::string(100, 'x') + "\nb");
  CHECK(sizes_of(fits, block_bytes) == std::vector<std::uint64_t>{1, 100, 1});
  const std::string long_line = folder.write("long", "a\n" + std::string(1000, 'x') + "\nb");
  CHECK(message_of<InputError>([&] { sizes_of(long_line, block_bytes); }) ==
        "list.txt:2: the line has more than 100 bytes; one name in a line");
}

TEST_CASE("an endless line is an error at the limit", "[core][lines]") {
  LineReader reader(open_bytes("/dev/zero"), 1 << 16, {"zeros", 1 << 20, "give text"});
  LineReader::Line line;
  CHECK_THROWS_AS(reader.next(line), InputError);
}

TEST_CASE("skip_rest() reads the source to its end without storing it", "[core][lines]") {
  const std::uint64_t block_bytes = GENERATE(1U, 7U, 10000U);
  const test::TempFolder folder;
  LineReader reader(open_bytes(folder.write("a", "first\n" + std::string(1000, 'x') + "\nlast\n")), block_bytes,
                    {"a", 100, ""});
  LineReader::Line line;
  reader.begin_record();
  REQUIRE(reader.next(line));
  CHECK(reader.text(line) == "first");
  reader.skip_rest();
  CHECK_FALSE(reader.next(line));
  CHECK(reader.peek() == -1);
}
