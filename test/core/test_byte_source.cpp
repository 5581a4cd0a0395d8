#include "core/byte_source.hpp"

#include <unistd.h>

#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "catch.hpp"
#include "core/gzip_files.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using test::compress;
using test::message_of;
using test::TempFolder;

namespace {

/// All bytes of a source, read in pieces of `piece` bytes.
std::string read_all(ByteSource& source, std::size_t piece = 1 << 16) {
  std::string content, buffer(piece, '\0');
  while (const std::uint64_t got = source.read(buffer)) content.append(buffer, 0, got);
  return content;
}

std::string read_all(const std::string& path, std::size_t piece = 1 << 16) {
  return read_all(*open_bytes(path), piece);
}

/// Reads `bytes` through a pipe that delivers portions of `portion`.
std::string read_piped(const std::string& bytes, std::size_t portion) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::thread writer([&] {
    for (std::size_t at = 0; at < bytes.size(); at += portion) {
      const std::size_t size = std::min(portion, bytes.size() - at);
      if (write(ends[1], bytes.data() + at, size) != static_cast<ssize_t>(size)) break;
    }
    close(ends[1]);
  });
  std::string content, problem;
  try {
    content = read_all("/dev/fd/" + std::to_string(ends[0]), 1000);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  writer.join();
  close(ends[0]);
  CHECK(problem == "");
  return content;
}

/// Random bases with repeats, so that they compress.
std::string some_text(std::size_t size, unsigned seed) {
  std::mt19937 rng(seed);
  std::string text;
  while (text.size() < size) {
    if (text.size() > 100 && rng() % 2) {
      text += text.substr(rng() % (text.size() - 50), 50);
    } else {
      for (int i = 0; i < 20; ++i) text += static_cast<char>('A' + rng() % 26);
    }
  }
  text.resize(size);
  return text;
}

std::string damage_message(const std::string& path) {
  return message_of<InputError>([&] { read_all(path); });
}

bool contains(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("plain, gzip and BGZF bytes are read unchanged", "[core][bytes]") {
  const TempFolder folder;
  const char* mode = GENERATE(static_cast<const char*>(nullptr), "w", "w0", "w1", "w9", "wg", "wg1", "wg9");
  const std::size_t size = GENERATE(as<std::size_t>{}, 1, 2, 9, 10, 11, 65279, 65280, 65281, 300000, 3000000);
  const std::string text = some_text(size, 1);
  CAPTURE(mode ? mode : "plain", size);
  const std::string path = folder.write("named without an extension", mode ? compress(text, mode) : text);
  CHECK(read_all(path) == text);
  CHECK(read_all(path, 7777) == text);
  CHECK(open_bytes(path)->compressed() == (mode != nullptr));
}

TEST_CASE("reading single bytes gives the same", "[core][bytes]") {
  const TempFolder folder;
  const std::string text = some_text(70000, 2);
  CHECK(read_all(folder.write("a", text), 1) == text);
  CHECK(read_all(folder.write("b", compress(text, "w")), 1) == text);
  CHECK(read_all(folder.write("c", compress(text, "wg")), 1) == text);
}

TEST_CASE("pipes may deliver portions of any size", "[core][bytes]") {
  const std::size_t portion = GENERATE(as<std::size_t>{}, 1, 2, 3, 5, 8, 13, 100, 4096);
  const std::string text = some_text(20000, 3);
  CAPTURE(portion);
  CHECK(read_piped(text, portion) == text);
  CHECK(read_piped(compress(text, "wg"), portion) == text);
  CHECK(read_piped(compress("ab", "wg") + compress("c", "wg0") + compress(text, "w"), portion) == "abc" + text);
}

TEST_CASE("empty inputs give no bytes", "[core][bytes]") {
  const TempFolder folder;
  CHECK(read_all(folder.write("plain", "")) == "");
  CHECK(read_all(folder.write("gzip", compress("", "wg"))) == "");
  CHECK(read_all(folder.write("bgzf", compress("", "w"))) == "");
  CHECK(read_all("/dev/null") == "");
}

TEST_CASE("concatenated members are one stream", "[core][bytes]") {
  const TempFolder folder;
  std::string file, text;
  for (unsigned i = 0; i < 60; ++i) {
    const std::string part = some_text(i * 37 % 1000, i);
    file += compress(part, i % 3 == 0 ? "w" : "wg");
    text += part;
  }
  file += compress("end", "w");
  text += "end";
  CHECK(read_all(folder.write("many", file)) == text);
}

TEST_CASE("a header with every optional field is skipped", "[core][bytes]") {
  const TempFolder folder;
  std::string file = compress("content", "wg");
  // RFC 1952: flags FEXTRA 4, FNAME 8, FCOMMENT 16 at byte 3; the fields follow the ten fixed bytes in this order.
  std::string fixed = file.substr(0, 10);
  const bool had_name = (fixed[3] & 8) != 0;
  REQUIRE(!had_name);
  fixed[3] = 4 | 8 | 16;
  const std::string extra(
      "\x07\x00XY\x03\x00"
      "abc",
      9);
  const std::string name("a name\0", 7), comment("a comment\0", 10);
  file = fixed + extra + name + comment + file.substr(10);
  CHECK(read_all(folder.write("fields", file)) == "content");
  CHECK(read_piped(file, 1) == "content");
}

TEST_CASE("zeros may follow the last member, other bytes may not", "[core][bytes]") {
  const TempFolder folder;
  const std::string member = compress("abc", "wg");
  CHECK(read_all(folder.write("padded", member + std::string(1000, '\0'))) == "abc");
  CHECK(read_all(folder.write("bgzf", compress("abc", "w") + std::string(3, '\0'))) == "abc");
  for (const std::string& tail : {std::string("x"), std::string(5, '\0') + "x", std::string("garbage")}) {
    const std::string message = damage_message(folder.write("tail", member + tail));
    CHECK(contains(message, "damaged near byte"));
  }
}

TEST_CASE("a compressed file truncated anywhere is reported with path and size", "[core][bytes]") {
  const TempFolder folder;
  const char* mode = GENERATE("w", "wg", "wg0");
  const std::string whole = compress(some_text(2000, 4), mode);
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const std::string path = folder.write("cut.gz", whole.substr(0, size));
    const std::string message = damage_message(path);
    CAPTURE(mode, size, message);
    REQUIRE(contains(message, path + ": cut short"));
    REQUIRE(contains(message, "byte " + std::to_string(size)));
    REQUIRE(contains(message, "copy or download it again"));
  }
}

TEST_CASE("truncation in the second member is detected as well", "[core][bytes]") {
  const TempFolder folder;
  const std::string first = compress("first", "wg"), second = compress(some_text(500, 5), "wg");
  for (std::size_t size = 1; size < second.size(); ++size) {
    const std::string message = damage_message(folder.write("cut.gz", first + second.substr(0, size)));
    CAPTURE(size, message);
    REQUIRE(contains(message, "cut short"));
    REQUIRE(contains(message, "byte " + std::to_string(first.size())));
  }
}

TEST_CASE("BGZF without its final empty block is reported as truncated", "[core][bytes]") {
  const TempFolder folder;
  const std::string whole = compress(some_text(200000, 6), "w");
  const std::string cut = whole.substr(0, whole.size() - test::bgzf_end_bytes);
  CHECK(contains(damage_message(folder.write("cut.gz", cut)), "empty block that ends a BGZF file"));
}

TEST_CASE("no flipped bit changes the content silently", "[core][bytes]") {
  const TempFolder folder;
  const char* mode = GENERATE("w", "wg");
  const std::string text = some_text(300, 7);
  const std::string whole = compress(text, mode);
  const bool is_bgzf = std::string(mode) == "w";
  const std::size_t begin = is_bgzf ? 18 : 10;  // flips in the header may have no effect on the content
  const std::size_t end = whole.size() - (is_bgzf ? test::bgzf_end_bytes : 0);
  int harmless = 0;  // the padding bits in the last byte of deflated data
  for (std::size_t bit = 8 * begin; bit < 8 * end; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    const std::string path = folder.write("flipped.gz", flipped);
    const std::string message = damage_message(path);
    CAPTURE(mode, bit, message);
    if (message.empty()) {
      ++harmless;
      REQUIRE(bit / 8 == end - 9);  // eight bytes of checksum and size follow
      REQUIRE(read_all(path) == text);
      continue;
    }
    REQUIRE(contains(message, path));
    REQUIRE((contains(message, "damaged near byte") || contains(message, "cut short")));
  }
  CHECK(harmless < 8);
}

TEST_CASE("an invalid gzip header is reported as damage", "[core][bytes]") {
  const TempFolder folder;
  std::string member = compress("abc", "wg");
  member[2] = 7;  // a method other than deflate
  CHECK(contains(damage_message(folder.write("method", member)), "damaged near byte"));
}

TEST_CASE("offsets show how far the file has been read", "[core][bytes]") {
  const TempFolder folder;
  const std::string text = some_text(100000, 8);
  for (const std::string& file : {text, compress(text, "w"), compress(text, "wg")}) {
    const auto source = open_bytes(folder.write("file", file));
    CHECK(source->file_size() == file.size());
    CHECK(source->file_offset() == 0);
    CHECK(read_all(*source) == text);
    CHECK(source->file_offset() == file.size());
  }
}

TEST_CASE("a large read of a plain file, in pieces by all threads, gives the file's bytes in order", "[core][bytes]") {
  const TempFolder folder;
  const std::size_t size = GENERATE(as<std::size_t>{}, 5000000, 6 << 20, 20000001),
                    piece = GENERATE(as<std::size_t>{}, 2 << 20, (6 << 20) - 1, 64 << 20);
  const std::string text = some_text(size, 27), path = folder.write("file", text);
  CHECK((read_all(path, piece) == text));
  const auto source = open_bytes(path);
  std::string mixed(1000, '\0'), large(4 << 20, '\0');  // small and large reads follow one another
  mixed.resize(source->read(mixed));
  for (std::uint64_t got = 1; got > 0; mixed.append(large, 0, got)) got = source->read(large);
  CHECK((mixed == text));
  CHECK(source->file_offset() == size);
}

TEST_CASE("files that cannot be opened are reported with the cause", "[core][bytes]") {
  const TempFolder folder;
  const std::string absent = folder.file("absent.fa");
  CHECK(message_of<InputError>([&] { open_bytes(absent); }) ==
        "cannot open " + absent + ": no such file; check the path");
  CHECK(contains(message_of<InputError>([&] { open_bytes(folder.file("")); }), "directory"));
  CHECK_THROWS_AS(open_bytes(folder.write("plain", "x") + "/below"), InputError);
  CHECK_THROWS_AS(open_bytes(""), InputError);
}

TEST_CASE("a file without read permission is an I/O error", "[core][bytes]") {
  if (geteuid() == 0) {
    WARN("skipped: root may read everything");
    return;
  }
  const TempFolder folder;
  const std::string path = folder.write("closed", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  CHECK(contains(message_of<IoError>([&] { open_bytes(path); }), path));
}

TEST_CASE("other compressions are reported with the program that decompresses them", "[core][bytes]") {
  const TempFolder folder;
  const std::string rest(20, 'x');
  CHECK(contains(damage_message(folder.write("a", "BZh91AY&SY" + rest)), "bzip2 -dc"));
  CHECK(contains(damage_message(folder.write("b", std::string("\xFD"
                                                              "7zXZ\0",
                                                              6) +
                                                      rest)),
                 "xz -dc"));
  CHECK(contains(damage_message(folder.write("c", "\x28\xB5\x2F\xFD" + rest)), "zstd -dc"));
  CHECK(read_all(folder.write("d", "BZh is a word")) == "BZh is a word");
}

TEST_CASE("a source whose start was examined is read from its beginning", "[core][bytes]") {
  const std::size_t looked_at = GENERATE(0, 1, 5, 26), block = GENERATE(1, 3, 5, 100);
  CAPTURE(looked_at, block);
  const TempFolder folder;
  const std::string text = "abcdefghijklmnopqrstuvwxyz", path = folder.file("letters");
  std::ofstream(path) << text;
  std::unique_ptr<ByteSource> source = open_bytes(path);
  std::string start(looked_at, ' ');
  REQUIRE(source->read(start) == looked_at);
  source = with_start(start, std::move(source));
  CHECK(source->file_size() == text.size());
  std::string all, part(block, ' ');
  while (const std::uint64_t got = source->read(part)) all += part.substr(0, got);
  CHECK(all == text);
}

TEST_CASE("BGZF of many blocks with gzip between and after them is one stream", "[core][bytes]") {
  const TempFolder folder;
  const std::string long1 = some_text(9000000, 21), long2 = some_text(3000000, 22), part = some_text(100000, 23);
  const std::string bgzf1 = compress(long1, "w1"), bgzf2 = compress(long2, "w0"), gzip = compress(part, "wg");
  CHECK((read_all(folder.write("a", bgzf1 + bgzf2)) == long1 + long2));
  CHECK((read_all(folder.write("b", bgzf1 + gzip + bgzf2)) == long1 + part + long2));
  CHECK((read_all(folder.write("c", gzip + bgzf1 + gzip), 777777) == part + long1 + part));
  CHECK((read_all(folder.write("d", bgzf1 + std::string(100, '\0')), 1 << 24) == long1));
}

TEST_CASE("a file of 0 bytes with a name of a compressed format was truncated", "[core][bytes]") {
  const TempFolder folder;
  for (const char* name : {"a.gz", "a.fq.bgz", "a.bam", "a.cram"}) {
    const std::string path = folder.write(name, "");
    CHECK(contains(message_of<InputError>([&] { open_bytes(path); }), path + ": truncated: it has 0 bytes"));
  }
  CHECK(read_all(folder.write("a.fq", "")).empty());
  CHECK(read_all(folder.write("nothing.gz", compress("", "w"))).empty());
  CHECK(read_all("/dev/null").empty());
}

TEST_CASE("damage in BGZF of many blocks is reported at its offset", "[core][bytes]") {
  const TempFolder folder;
  const std::string text = some_text(5000000, 24), whole = compress(text, "w1");
  const std::size_t at = GENERATE_COPY(as<std::size_t>{}, 18, 100, 70000, whole.size() / 2, whole.size() - 100);
  std::string damaged = whole;
  for (std::size_t i = at; i < at + 8; ++i) damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
  const std::string path = folder.write("damaged.gz", damaged);
  const auto source = open_bytes(path);
  std::string content, piece(1000, ' ');
  const std::string message = message_of<InputError>([&] {
    while (const std::uint64_t got = source->read(piece)) content.append(piece, 0, got);
  });
  CAPTURE(at, whole.size(), message, content.size());
  constexpr std::size_t largest = 1 << 16;  // of a block, compressed or not
  const std::size_t sound =
      content.size() - std::min(content.size(), largest);  // content of the damaged block may be arbitrary
  CHECK((content.substr(0, sound) == text.substr(0, sound)));
  CHECK(content.size() + 3 * largest > text.size() / whole.size() * at);
  const std::string before = path + ": damaged near byte ";
  REQUIRE(contains(message, before));
  const std::size_t told = std::stoul(message.substr(before.size()));
  CHECK((told >= at && told < at + largest));
}

TEST_CASE("truncation between or within the blocks of a long BGZF file is reported", "[core][bytes]") {
  const TempFolder folder;
  const std::string whole = compress(some_text(5000000, 25), "w1");
  const std::size_t size = GENERATE_COPY(as<std::size_t>{}, 1 << 20, whole.size() / 2, whole.size() - 29);
  const std::string message = damage_message(folder.write("cut.gz", whole.substr(0, size)));
  CAPTURE(size, message);
  CHECK(contains(message, "cut short: the compressed file ends at byte " + std::to_string(size)));
}

TEST_CASE("reading ahead gives the same bytes and the same errors", "[core][bytes]") {
  const TempFolder folder;
  const std::size_t size = GENERATE(as<std::size_t>{}, 0, 1, 1 << 20, 9000001),
                    piece = GENERATE(as<std::size_t>{}, 1000, 3 << 20);
  const std::string text = some_text(size, 26);
  for (const std::string& bytes : {text, compress(text, "w1"), compress(text, "wg1")}) {
    const std::string path = folder.write("file", bytes);
    const auto source = read_ahead(open_bytes(path));
    CHECK(source->file_size() == bytes.size());
    CHECK(source->compressed() == open_bytes(path)->compressed());
    CHECK((read_all(*source, piece) == text));
    CHECK(source->read(std::span<char>()) == 0);
  }
  const std::string whole = compress(text, "w1"), cut = folder.write("cut", whole.substr(0, whole.size() - 1));
  CHECK(message_of<InputError>([&] { read_all(*read_ahead(open_bytes(cut)), piece); }) == damage_message(cut));
  read_ahead(open_bytes(folder.write("left", text)));  // destroyed without reading
}

TEST_CASE("a large file is read ahead in larger blocks", "[core][bytes]") {
  const TempFolder folder;
  const std::string text = some_text(70000001, 27);
  const auto source = read_ahead(open_bytes(folder.write("large", text)));
  CHECK((read_all(*source, 3 << 20) == text));
  CHECK(source->file_offset() == text.size());
}

TEST_CASE("a file can be opened at any position of its content", "[core][byte_source]") {
  const std::string content = some_text(500'000, 5);
  const std::string kind = GENERATE("plain", "wg", "w", "w0");
  const TempFolder folder;
  const std::string path = folder.write("file", kind == "plain" ? content : compress(content, kind.c_str()));
  std::vector<BytePosition> positions;
  for (const std::uint64_t offset : {0, 1, 65'279, 65'280, 65'281, 130'560, 300'000, 499'999, 500'000})
    positions.push_back({offset});
  find_blocks(path, positions);
  for (const BytePosition& position : positions) {
    CAPTURE(kind, position.offset, position.block, position.block_offset);
    CHECK(position.block_offset <= position.offset);
    CHECK(read_all(*open_bytes_at(path, position)) == content.substr(position.offset));
    if (kind == "w" && position.offset > 65'536 && position.offset < content.size())
      CHECK(position.offset - position.block_offset < 65'536);
  }
}

TEST_CASE("a position of another file of BGZF is noticed", "[core][byte_source]") {
  const TempFolder folder;
  const std::string path = folder.write("bgzf", compress(some_text(200'000, 6), "w"));
  CHECK(message_of<InputError>([&] {
          open_bytes_at(path, {70'000, 1234, 65'280});
        }).find("byte 1234") != std::string::npos);
}

}  // namespace warpseed
