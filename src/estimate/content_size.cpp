#include "estimate/content_size.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "core/byte_source.hpp"
#include "warpseed/error.hpp"

namespace warpseed::estimate {

namespace {

constexpr std::uint64_t enough_stored = 6 << 20;

/// Content bytes a stored byte. A source reads its file ahead of what it gives, in blocks: when it has read one, all
/// before that has been given.
double ratio_of_start(ByteSource& source, std::uint64_t stored_bytes) {
  std::vector<char> block(1 << 16);
  std::uint64_t given = 0, last_given = 0, last_offset = 0, offset = 0;
  while (true) {
    const std::uint64_t before = given, count = source.read(block);
    if (count == 0) return static_cast<double>(given) / static_cast<double>(stored_bytes);
    given += count;
    if (source.file_offset() == offset) continue;
    last_given = before, last_offset = offset;
    offset = source.file_offset();
    if (last_offset >= enough_stored) break;
  }
  return static_cast<double>(last_given) / static_cast<double>(last_offset);
}

}  // namespace

ContentSize content_size(const std::string& path) {
  std::error_code error;
  if (path == "-" || (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error) &&
                      !std::filesystem::is_directory(path, error))) {
    throw InputError(
        fmt::format("{}: its size is not known before it is read; --estimate needs files", input_name(path)));
  }
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  ContentSize size;
  size.stored_bytes = size.bytes = std::filesystem::file_size(path, error);
  if (error) throw IoError::from_errno("read", path, error.value());
  char first = 0;
  source->read({&first, 1});  // of an empty source it is known only now that it is not compressed
  if (!source->compressed()) return size;
  const std::unique_ptr<ByteSource> again = open_bytes(path);
  size.bytes =
      static_cast<std::uint64_t>(static_cast<double>(size.stored_bytes) * ratio_of_start(*again, size.stored_bytes));
  size.estimated = true;
  return size;
}

}  // namespace warpseed::estimate
