#include "records/index_counts.hpp"

#include <htslib/bgzf.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace warpseed::records {

namespace {

static_assert(std::endian::native == std::endian::little, "indices are little-endian");

constexpr std::uint32_t bai_counts_bin = 37450;
constexpr std::size_t chunk_bytes = 2 * sizeof(std::uint64_t);

/// A file, uncompressed. False if it cannot be read.
bool read_file(const std::string& path, std::string& bytes) {
  constexpr std::size_t at_a_time = 1 << 20;
  const std::unique_ptr<BGZF, int (*)(BGZF*)> file(bgzf_open(path.c_str(), "r"), bgzf_close);
  if (!file) return false;
  for (ssize_t got = 1; got > 0;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + at_a_time);
    got = bgzf_read(file.get(), bytes.data() + before, at_a_time);
    if (got < 0) return false;
    bytes.resize(before + static_cast<std::size_t>(got));
  }
  return true;
}

bool write_file(const std::string& path, const std::string& bytes, bool compressed) {
  BGZF* const file = bgzf_open(path.c_str(), compressed ? "w" : "wu");
  if (file == nullptr) return false;
  const bool written = bgzf_write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  const int error_number = errno;
  const bool closed = bgzf_close(file) == 0;
  if (!written) errno = error_number;
  return written && closed;
}

/// Goes through the numbers of an index; never beyond its end.
class Numbers {
 public:
  explicit Numbers(std::span<char> bytes) : left_(bytes) {}

  bool ended() const { return ended_; }

  std::uint32_t next() {
    std::uint32_t number = 0;
    const std::span<char> bytes = skip(sizeof number);
    if (!bytes.empty()) std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  void replace(std::uint64_t number) {
    const std::span<char> bytes = skip(sizeof number);
    if (!bytes.empty()) std::memcpy(bytes.data(), &number, sizeof number);
  }

  /// Empty if fewer bytes are left.
  std::span<char> skip(std::uint64_t bytes) {
    ended_ |= bytes > left_.size();
    if (ended_) return {};
    const std::span<char> skipped = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return skipped;
  }

 private:
  std::span<char> left_;
  bool ended_ = false;  // more was asked for than there was
};

/// The bin of counts has two chunks: the contig's offsets in the file, and numbers of records instead of offsets.
void replace_in_contig(Numbers& numbers, bool is_csi, std::uint32_t counts_bin, const IndexCounts::OfContig& counts) {
  const std::uint32_t bins = numbers.next();
  for (std::uint32_t i = 0; i < bins && !numbers.ended(); ++i) {
    const bool has_counts = numbers.next() == counts_bin;
    if (is_csi) numbers.skip(sizeof(std::uint64_t));
    const std::uint32_t chunks = numbers.next();
    numbers.skip(chunk_bytes * (has_counts ? 1 : chunks));
    if (has_counts) numbers.replace(counts.mapped), numbers.replace(counts.unmapped);
  }
  if (!is_csi) numbers.skip(sizeof(std::uint64_t) * numbers.next());
}

/// False if this is no index of so many contigs.
bool replace(std::span<char> index, bool is_csi, const IndexCounts& counts) {
  Numbers numbers(index);
  std::uint32_t counts_bin = bai_counts_bin;
  numbers.skip(sizeof(std::uint32_t));  // "BAI\1" or "CSI\1"
  if (is_csi) {
    numbers.next();  // the width of the smallest bins
    const std::uint32_t levels = numbers.next();
    counts_bin = ((1U << 3 * (levels + 1)) - 1) / 7 + 1;
    numbers.skip(numbers.next());
  }
  if (numbers.next() != counts.contigs.size()) return false;
  for (const IndexCounts::OfContig& of_contig : counts.contigs)
    replace_in_contig(numbers, is_csi, counts_bin, of_contig);
  numbers.replace(counts.without_contig);
  return !numbers.ended();
}

}  // namespace

bool set_index_counts(const std::string& path, const IndexCounts& counts) {
  std::string index;
  errno = 0;
  if (!read_file(path, index)) return false;
  const bool is_csi = std::string_view(index).starts_with("CSI\1");
  if (!replace(index, is_csi, counts)) {
    errno = EIO;
    return false;
  }
  return write_file(path, index, is_csi);
}

}  // namespace warpseed::records
