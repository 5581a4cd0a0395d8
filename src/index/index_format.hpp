// The layout of an index file, described in share/doc/index_format.md. Little-endian.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpseed::index::format {

constexpr std::array<char, 8> magic = {'w', 'a', 'r', 'p', 's', 'e', 'e', 'd'};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint64_t alignment = 64;  // sections start at multiples of a cache line

enum Section : std::uint32_t {
  metadata,
  contig_names,
  contig_begins,
  segments,
  text,
  rank_blocks,
  superblocks,
  samples,
  segment_starts,
  kmer_ranges,
  section_count
};

constexpr std::array<std::string_view, section_count> section_names = {
    "metadata",    "contig-names", "contig-begins", "segments",       "text",
    "rank-blocks", "superblocks",  "samples",       "segment-starts", "kmer-ranges"};

struct Header {
  std::array<char, 8> magic = format::magic;
  std::uint32_t version = format::version;
  std::uint32_t byte_order = format::byte_order;
  std::uint64_t file_bytes = 0;
  std::uint32_t sections = section_count;
  std::uint32_t crc32 = 0;  // of header and section table, with this field 0
  std::array<std::uint64_t, 4> reserved = {};
};
static_assert(sizeof(Header) == 64);

struct Entry {
  std::uint32_t id = 0;     // a Section
  std::uint32_t crc32 = 0;  // of the section and its zero padding
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // without padding
  std::uint64_t reserved = 0;
};
static_assert(sizeof(Entry) == 32);

/// The beginning of the file.
struct Front {
  Header header;
  std::array<Entry, section_count> entries;
};
static_assert(sizeof(Front) == 384 && sizeof(Front) % alignment == 0);

/// The first section.
struct Metadata {
  std::uint64_t text_size = 0;    // symbols, separators included
  std::uint64_t genome_size = 0;  // characters, N included
  std::uint64_t contig_count = 0;
  std::uint64_t segment_count = 0;
  std::array<std::uint64_t, 5> first_row = {};
  std::uint32_t position_width = 0;
  std::uint32_t sample_step = 0;
  std::uint32_t kmer_length = 0;
  std::uint32_t reserved = 0;
  std::array<char, 40> built_by = {};  // "warpseed 0.1.0", zero-padded
};
static_assert(sizeof(Metadata) == 128);

/// The most N of a genome, which the file does not store: a small file must not describe an endless sequence.
constexpr std::uint64_t most_unknown(std::uint64_t text_size) {
  return (std::uint64_t{1} << 32) + 1024 * text_size;
}

constexpr std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}
static_assert(padded(0) == 0 && padded(1) == alignment && padded(alignment) == alignment);

}  // namespace warpseed::index::format
