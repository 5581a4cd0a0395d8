#include "index/index_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "core/checksum.hpp"
#include "core/string_table.hpp"
#include "index/fm_check.hpp"
#include "index/section_reader.hpp"
#include "text/genome_core.hpp"
#include "text/sequence_check.hpp"
#include "warpseed/error.hpp"

namespace warpseed::index {

namespace {

constexpr std::string_view rebuild = "build it again with warpseed index";

[[noreturn]] void fail(const std::string& path, std::string_view problem) {
  throw InputError(fmt::format("{}: {}", path, problem));
}

[[noreturn]] void fail_damaged(const std::string& path, std::string_view part) {
  fail(path, fmt::format("index file: {} is damaged; {}", part, rebuild));
}

[[noreturn]] void fail_section(const std::string& path, std::uint32_t id) {
  fail_damaged(path, fmt::format("section {}", format::section_names[id]));
}

template <class T>
T read_front(std::span<const std::byte> file) {
  T value;
  std::memcpy(&value, file.data(), sizeof(value));
  return value;
}

void check_kind(const std::string& path, std::span<const std::byte> file) {
  constexpr auto& magic = format::magic;
  const bool starts = file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
  if (starts) return;
  const char first = file.empty() ? '\0' : static_cast<char>(file[0]);
  if (file.empty()) fail(path, "not a warpseed index: the file is empty; warpseed index makes one from FASTA");
  if (first == '>') fail(path, "not a warpseed index but FASTA; warpseed index makes an index from it");
  fail(path, "not a warpseed index; give the .wsi file that warpseed index wrote");
}

/// Sections are adjacent, so the sizes of the previous ones determine each offset.
void check_layout(const std::string& path, const format::Front& front) {
  std::uint64_t offset = sizeof(format::Front);
  const std::uint64_t size = front.header.file_bytes;
  for (std::uint32_t id = 0; id < format::section_count; ++id) {
    const format::Entry& entry = front.entries[id];
    const bool fits = entry.id == id && entry.offset == offset && entry.bytes <= size - offset &&
                      format::padded(entry.bytes) <= size - offset;
    if (!fits) fail_damaged(path, "the section table");
    offset += format::padded(entry.bytes);
  }
  if (offset != size) fail_damaged(path, "the section table");
}

/// Checks the sections: first, and by their contents, the small ones that describe the others.
class SectionCheck {
 public:
  SectionCheck(const std::string& path, const SectionReader& file, const format::Front& front)
      : path_(path), file_(file), front_(front) {}

  void run() const {
    for (const std::uint32_t id :
         {format::metadata, format::contig_names, format::contig_begins, format::segments, format::superblocks}) {
      check_sum(id);
    }
    require(file_.bytes(format::metadata) == sizeof(format::Metadata), format::metadata);
    check_metadata();
    check_sizes();
    check_names();
    check_contigs();
    check_segments();
    check_ranks(file_.fm());
    // Any values will do in these: searches bound what they read there, see fm_core.hpp.
    for (const std::uint32_t id : {format::text, format::samples, format::segment_starts, format::kmer_ranges}) {
      check_sum(id);
    }
  }

 private:
  void check_sum(std::uint32_t id) const { require(parallel_crc32(file_.padded(id)) == front_.entries[id].crc32, id); }

  void require(bool condition, std::uint32_t id) const {
    if (!condition) fail_section(path_, id);
  }

  void check_metadata() const {
    const format::Metadata& m = file_.metadata();
    const std::uint64_t most = 4 * front_.header.file_bytes;  // at most 4 symbols per byte in any section
    bool good = m.text_size <= most && m.contig_count <= most && m.segment_count <= most;
    good = good && (m.position_width == 4 || m.position_width == 8);
    good = good && std::has_single_bit(m.sample_step) && m.sample_step <= 256 && m.kmer_length <= 13;
    good = good && m.first_row.front() == m.segment_count && m.first_row.back() == m.text_size;
    good = good && std::is_sorted(m.first_row.begin(), m.first_row.end());
    good = good && std::all_of(m.built_by.begin(), m.built_by.end(),
                               [](char c) { return c == '\0' || (c >= ' ' && c <= '~'); });
    good = good && m.genome_size <= m.text_size + format::most_unknown(m.text_size);
    require(good && (m.position_width == 8 || fits_narrow(m.text_size)), format::metadata);
  }

  void check_sizes() const {
    const format::Metadata& m = file_.metadata();
    const std::uint64_t width = m.position_width;
    const auto expect = [&](std::uint32_t id, std::uint64_t bytes) { require(file_.bytes(id) == bytes, id); };
    expect(format::contig_begins, (m.contig_count + 1) * sizeof(std::uint64_t));
    expect(format::segments, (m.segment_count + 1) * sizeof(text::Segment));
    expect(format::text, (m.text_size / 32 + 2) * sizeof(std::uint64_t));
    expect(format::rank_blocks, (m.text_size / block_symbols + 1) * sizeof(RankBlock));
    expect(format::superblocks, (m.text_size / superblock_symbols + 1) * sizeof(Superblock));
    expect(format::samples, (m.text_size + m.sample_step - 1) / m.sample_step * width);
    expect(format::segment_starts, m.segment_count * width);
    expect(format::kmer_ranges, m.kmer_length == 0 ? 0 : 2 * width << 2 * m.kmer_length);
  }

  /// Names are those that FASTA may have, each another.
  void check_names() const {
    const auto names = file_.array<char>(format::contig_names);
    require(names.size == 0 || names[names.size - 1] == '\0', format::contig_names);
    StringTable found;
    for (const char* at = names.begin(); at != names.end();) {
      const std::string_view name(at);
      const std::uint32_t count = found.size();
      require(!name.empty() && text::name_error(name).empty() && found.add(name) == count, format::contig_names);
      at += name.size() + 1;
    }
    require(found.size() == file_.metadata().contig_count, format::contig_names);
  }

  void check_contigs() const {
    const format::Metadata& m = file_.metadata();
    const auto begins = file_.array<std::uint64_t>(format::contig_begins);
    bool good = begins[0] == 0 && begins[m.contig_count] == m.genome_size;
    for (std::uint64_t i = 0; i < m.contig_count; ++i) good = good && begins[i] < begins[i + 1];
    require(good, format::contig_begins);
  }

  void check_segments() const {
    const format::Metadata& m = file_.metadata();
    const auto all = file_.array<text::Segment>(format::segments);
    const auto contig_begins = file_.array<std::uint64_t>(format::contig_begins);
    const text::Segment last = all[m.segment_count];
    bool good = all[0].text_begin == 0 && last == text::Segment{m.text_size, m.genome_size};
    std::uint64_t contig_end = 1;  // the first contig that begins after the segment's
    for (std::uint64_t i = 0; good && i < m.segment_count; ++i) {
      const text::Segment &here = all[i], &next = all[i + 1];
      good = here.text_begin + 1 < next.text_begin && here.genome_begin <= next.genome_begin;
      const std::uint64_t length = next.text_begin - 1 - here.text_begin;
      good = good && length <= next.genome_begin - here.genome_begin && here.genome_begin < m.genome_size;
      while (good && contig_begins[contig_end] <= here.genome_begin) ++contig_end;
      good = good && length <= contig_begins[contig_end] - here.genome_begin;
    }
    require(good, format::segments);
  }

  /// The checksum of the rank blocks, and that they count right. The proof reads what the checksum has just brought into the
  /// cache.
  void check_ranks(const FmView& fm) const {
    static_assert(checksum_block % (sizeof(RankBlock) * superblock_symbols / block_symbols) == 0);
    std::atomic<bool> all_right = true;
    const std::uint32_t sum =
        parallel_crc32(file_.padded(format::rank_blocks), [&](std::size_t begin, std::size_t end) {
          const std::uint64_t last = std::min(end / sizeof(RankBlock), fm.blocks.size);
          if (!ranks_are_right(fm, begin / sizeof(RankBlock), last)) all_right = false;
        });
    require(sum == front_.entries[format::rank_blocks].crc32 && all_right, format::rank_blocks);
  }

  const std::string& path_;
  const SectionReader& file_;
  const format::Front& front_;
};

}  // namespace

format::Front check_front(const std::string& path, std::span<const std::byte> file) {
  check_kind(path, file);
  const auto fail_truncated = [&](std::uint64_t wanted) {
    fail(path, fmt::format("index file truncated: {} of {} bytes are there; copy it again or {}", file.size(), wanted,
                           rebuild));
  };
  if (file.size() < sizeof(format::Header)) fail_truncated(sizeof(format::Front));
  const auto header = read_front<format::Header>(file);
  if (header.byte_order != format::byte_order) {
    fail(path, fmt::format("index file: its byte order is not this machine's; {}", rebuild));
  }
  if (header.version != format::version) {
    fail(path, fmt::format("index file: made by format version {}, this program reads {}; {}", header.version,
                           format::version, rebuild));
  }
  if (file.size() < sizeof(format::Front)) fail_truncated(sizeof(format::Front));
  auto front = read_front<format::Front>(file);
  front.header.crc32 = 0;
  if (crc32(std::as_bytes(std::span(&front, 1))) != header.crc32) fail_damaged(path, "the header");
  front.header.crc32 = header.crc32;
  if (file.size() < header.file_bytes) fail_truncated(header.file_bytes);
  if (file.size() > header.file_bytes) {
    fail(path, fmt::format("index file: {} bytes follow its end; {}", file.size() - header.file_bytes, rebuild));
  }
  return front;
}

format::Front check_index(const std::string& path, std::span<const std::byte> file) {
  const format::Front front = check_front(path, file);
  check_layout(path, front);
  SectionCheck(path, SectionReader(file, front), front).run();
  return front;
}

}  // namespace warpseed::index
