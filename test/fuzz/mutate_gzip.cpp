// Changes gzip files so that checksums and sizes stay right: bytes of the file, or of what it is compressed from.
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "mutator.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t fixed_header_bytes = 10, trailer_bytes = 8, most_content = 1 << 16;

void put_number(std::uint8_t* at, std::uint32_t number, int width) {
  for (int i = 0; i < width; ++i) at[i] = static_cast<std::uint8_t>(number >> 8 * i);
}

/// The end of a member's header, RFC 1952; the end of the file if it is cut.
std::size_t header_end(const Bytes& file, std::size_t begin) {
  constexpr unsigned checksum = 2, extra = 4, name = 8, comment = 16;
  const unsigned flags = begin + fixed_header_bytes <= file.size() ? file[begin + 3] : 0;
  std::size_t at = begin + fixed_header_bytes;
  if ((flags & extra) != 0 && at + 2 <= file.size()) at += 2 + file[at] + 256U * file[at + 1];
  for (const unsigned text : {name, comment}) {
    if ((flags & text) == 0) continue;
    while (at < file.size() && file[at] != 0) ++at;
    ++at;
  }
  if ((flags & checksum) != 0) at += 2;
  return std::min(at, file.size());
}

/// Decompresses the deflated data from `at` on, as far as it is valid; sets `at` to its end.
Bytes inflated(const Bytes& file, std::size_t& at) {
  z_stream stream = {};
  inflateInit2(&stream, -MAX_WBITS);
  stream.next_in = const_cast<Bytef*>(file.data() + at);
  stream.avail_in = static_cast<uInt>(file.size() - at);
  Bytes content(most_content);
  stream.next_out = content.data();
  stream.avail_out = static_cast<uInt>(content.size());
  inflate(&stream, Z_FINISH);
  content.resize(content.size() - stream.avail_out);
  at = file.size() - stream.avail_in;
  inflateEnd(&stream);
  return content;
}

/// Corrects checksum and sizes of the members, and returns what they are compressed from.
Bytes mend(Bytes& file) {
  Bytes all;
  for (std::size_t begin = 0; begin + fixed_header_bytes < file.size() && file[begin] == 0x1F;) {
    std::size_t at = header_end(file, begin);
    const Bytes content = inflated(file, at);
    all.insert(all.end(), content.begin(), content.end());
    if (at + trailer_bytes > file.size()) break;
    put_number(&file[at], static_cast<std::uint32_t>(crc32(0, content.data(), static_cast<uInt>(content.size()))), 4);
    put_number(&file[at + 4], static_cast<std::uint32_t>(content.size()), 4);
    const std::size_t end = at + trailer_bytes;
    const bool is_bgzf =
        (file[begin + 3] & 4) != 0 && begin + 18 < end && file[begin + 12] == 'B' && file[begin + 13] == 'C';
    if (is_bgzf) put_number(&file[begin + 16], static_cast<std::uint32_t>(end - begin - 1), 2);
    begin = end;
  }
  return all;
}

/// One member, or one block of BGZF.
void append_member(const std::uint8_t* content, std::size_t size, bool is_bgzf, int level, int strategy, Bytes& file) {
  const std::size_t begin = file.size();
  const std::string_view header("\x1F\x8B\x08\0\0\0\0\0\0\xFF\x06\0BC\x02\0\0\0", 18);
  file.insert(file.end(), header.begin(), header.begin() + (is_bgzf ? 18 : 10));
  file[begin + 3] = is_bgzf ? 4 : 0;
  z_stream stream = {};
  deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy);
  Bytes deflated(deflateBound(&stream, size));
  stream.next_in = const_cast<Bytef*>(content);
  stream.avail_in = static_cast<uInt>(size);
  stream.next_out = deflated.data();
  stream.avail_out = static_cast<uInt>(deflated.size());
  deflate(&stream, Z_FINISH);
  file.insert(file.end(), deflated.begin(), deflated.end() - stream.avail_out);
  deflateEnd(&stream);
  file.resize(file.size() + trailer_bytes);
  put_number(&file[file.size() - 8], static_cast<std::uint32_t>(crc32(0, content, static_cast<uInt>(size))), 4);
  put_number(&file[file.size() - 4], static_cast<std::uint32_t>(size), 4);
  if (is_bgzf) put_number(&file[begin + 16], static_cast<std::uint32_t>(file.size() - begin - 1), 2);
}

/// Some members or blocks, at random levels.
Bytes compressed(const Bytes& content, std::mt19937& random) {
  Bytes file;
  const bool is_bgzf = random() % 2 == 0;
  std::size_t at = 0;
  do {
    const std::size_t size = std::min(content.size() - at, 1 + random() % (content.size() + 1));
    append_member(content.data() + at, size, is_bgzf && random() % 16 != 0, static_cast<int>(random() % 10),
                  static_cast<int>(random() % (Z_FIXED + 1)), file);
    at += size;
  } while (at < content.size());
  if (is_bgzf && random() % 8 != 0) append_member(nullptr, 0, true, 6, Z_DEFAULT_STRATEGY, file);
  return file;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  std::mt19937 random(seed);
  const auto kind = random() % 4;
  if (kind == 0) return LLVMFuzzerMutate(data, size, max_size);
  Bytes file(data, data + size);
  if (kind == 1) {
    Bytes content = mend(file);
    content.resize(std::min(content.size(), max_size));
    const std::size_t before = content.size();
    content.resize(max_size);
    content.resize(LLVMFuzzerMutate(content.data(), before, max_size));
    file = compressed(content, random);
  } else {
    file.resize(max_size);
    file.resize(LLVMFuzzerMutate(file.data(), size, max_size));
    mend(file);
  }
  file.resize(std::min(file.size(), max_size));
  std::copy(file.begin(), file.end(), data);
  return file.size();
}
