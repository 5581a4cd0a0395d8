// gzip, BGZF and plain bytes: open_bytes() in reads of any size, compared with zlib; positions in the decompressed bytes.
// Covers: src/core/gzip_source.cpp src/core/bgzf_source.cpp src/core/byte_source.cpp
#include <zlib.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/byte_source.hpp"
#include "fuzz.hpp"

namespace {

using namespace warpseed;

constexpr std::size_t most_bytes =
    8 << 20;  // of content; deflate compresses a thousandfold, which takes time and memory

/// Decompresses one member and removes it from the front; false if it is not valid.
bool take_member(std::string_view& file, std::string& content) {
  z_stream stream = {};
  constexpr int gzip_with_header = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzip_with_header) != Z_OK) std::abort();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file.data()));
  stream.avail_in = static_cast<uInt>(file.size());
  int status = Z_OK;
  while (status == Z_OK && content.size() <= most_bytes) {
    char out[1 << 14];
    stream.next_out = reinterpret_cast<Bytef*>(out);
    stream.avail_out = sizeof out;
    status = inflate(&stream, Z_NO_FLUSH);
    content.append(out, sizeof out - stream.avail_out);
  }
  file.remove_prefix(file.size() - stream.avail_in);
  inflateEnd(&stream);
  return status == Z_STREAM_END;
}

/// The content by zlib; none if a member is not valid, or something else than padding follows the last one.
std::optional<std::string> expected_content(std::string_view file) {
  std::string content;
  do {
    if (!take_member(file, content)) return {};
    if (file.find_first_not_of('\0') == std::string_view::npos) return content;
  } while (file.starts_with("\x1F\x8B"));
  return {};
}

/// All bytes, some at a time. Stops past most_bytes.
std::string read_all(ByteSource& source, std::uint64_t at_a_time) {
  std::string content;
  std::vector<char> block(at_a_time);
  while (const std::uint64_t got = source.read(block)) {
    content.append(block.data(), got);
    if (content.size() > most_bytes || got < block.size()) break;
  }
  return content;
}

/// Opens the file at positions of its content.
void read_from_positions(const std::string& path, const std::string& content, fuzz::Choices& choices) {
  std::vector<BytePosition> positions(1 + choices.below(3));
  for (BytePosition& position : positions) position.offset = choices.below(content.size() + 1);
  std::sort(positions.begin(), positions.end(),
            [](const BytePosition& a, const BytePosition& b) { return a.offset < b.offset; });
  find_blocks(path, positions);
  for (const BytePosition& position : positions) {
    fuzz::require(position.block_offset <= position.offset, "a block that begins after its position");
    const auto source = open_bytes_at(path, position);
    fuzz::require(read_all(*source, 1 << 14) == content.substr(position.offset), "other bytes from a position on");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  fuzz::Choices choices(input);
  const fuzz::InputFile file(input);
  const bool is_plain = !input.starts_with("\x1F\x8B");
  const std::optional<std::string> expected = is_plain ? std::string(input) : expected_content(input);
  std::string whole, in_parts, ahead;
  const std::uint64_t at_a_time = 1 + choices.below(1000);
  const bool accepted = fuzz::accepts(file.path(), [&] { whole = read_all(*open_bytes(file.path()), 1 << 14); });
  if (whole.size() > most_bytes) return 0;
  const bool same =
      accepted == fuzz::accepts(file.path(), [&] { in_parts = read_all(*open_bytes(file.path()), at_a_time); });
  fuzz::require(same && whole == in_parts, "the bytes depend on how many are read at a time");
  if (accepted) {
    fuzz::accepts(file.path(), [&] { ahead = read_all(*read_ahead(open_bytes(file.path())), at_a_time); });
    fuzz::require(whole == ahead, "other bytes when read ahead");
    read_from_positions(file.path(), whole, choices);
  }
  if (accepted && expected)
    fuzz::require(whole == *expected, "not the content of the file, by zlib if it is compressed");
  return 0;
}
