// Writes an index file: computes layout and checksums, then writes front and sections in order.
#include <bit>
#include <cstring>
#include <span>

#include "core/checksum.hpp"
#include "core/output_file.hpp"
#include "index/index_file.hpp"
#include "index/index_format.hpp"
#include "warpseed/version.hpp"

namespace warpseed::index {

namespace {

static_assert(std::endian::native == std::endian::little, "index files are mapped as they are: little-endian");

using Sections = std::array<std::span<const std::byte>, format::section_count>;

format::Metadata metadata_of(const Index& index) {
  const FmView& fm = index.fm();
  const text::GenomeView& genome = index.genome();
  format::Metadata metadata;
  metadata.text_size = genome.text.size;
  metadata.genome_size = genome.contig_begins[genome.contig_count()];
  metadata.contig_count = genome.contig_count();
  metadata.segment_count = genome.segment_count();
  std::copy(std::begin(fm.first_row), std::end(fm.first_row), metadata.first_row.begin());
  metadata.position_width = fm.samples.width;
  metadata.sample_step = fm.sample_step;
  metadata.kmer_length = fm.kmer_length;
  const std::string builder = "warpseed " + std::string(version);
  builder.copy(metadata.built_by.data(), metadata.built_by.size() - 1);
  return metadata;
}

/// The names, each null-terminated.
std::string joined_names(const Index& index) {
  std::string text;
  for (std::uint64_t i = 0; i < index.contig_count(); ++i) text.append(index.contig_name(i)).push_back('\0');
  return text;
}

template <class T>
std::span<const std::byte> bytes_of(View<T> values) {
  return std::as_bytes(std::span(values.data, values.size));
}

std::span<const std::byte> bytes_of(const PositionArray& positions) {
  return {static_cast<const std::byte*>(positions.at(0)), positions.size * positions.width};
}

/// CRC-32 of a section and its zero padding.
std::uint32_t padded_crc32(std::span<const std::byte> section) {
  static constexpr std::array<std::byte, format::alignment> zeros = {};
  const std::uint64_t padding = format::padded(section.size()) - section.size();
  return crc32(std::span(zeros).first(padding), parallel_crc32(section));
}

format::Front front_of(const Sections& sections) {
  format::Front front;
  std::uint64_t offset = sizeof(format::Front);
  for (std::uint32_t id = 0; id < format::section_count; ++id) {
    front.entries[id] = {id, padded_crc32(sections[id]), offset, sections[id].size(), 0};
    offset += format::padded(sections[id].size());
  }
  front.header.file_bytes = offset;
  front.header.crc32 = crc32(std::as_bytes(std::span(&front, 1)));
  return front;
}

}  // namespace

std::uint64_t write_index(const std::string& path, const Index& index) {
  const format::Metadata metadata = metadata_of(index);
  const std::string names = joined_names(index);
  const FmView& fm = index.fm();
  const text::GenomeView& genome = index.genome();
  const View<std::uint64_t> words = {genome.text.words, genome.text.size / 32 + 2};
  Sections sections;
  sections[format::metadata] = std::as_bytes(std::span(&metadata, 1));
  sections[format::contig_names] = std::as_bytes(std::span(names));
  sections[format::contig_begins] = bytes_of(genome.contig_begins);
  sections[format::segments] = bytes_of(genome.segments);
  sections[format::text] = bytes_of(words);
  sections[format::rank_blocks] = bytes_of(fm.blocks);
  sections[format::superblocks] = bytes_of(fm.superblocks);
  sections[format::samples] = bytes_of(fm.samples);
  sections[format::segment_starts] = bytes_of(fm.segment_starts);
  sections[format::kmer_ranges] = bytes_of(fm.kmer_ranges);

  const format::Front front = front_of(sections);
  OutputFile out(path);
  out.write(&front, sizeof(front));
  const std::string zeros(format::alignment, '\0');
  for (const std::span<const std::byte> section : sections) {
    out.write(section.data(), section.size());
    out.write(std::string_view(zeros).substr(0, format::padded(section.size()) - section.size()));
  }
  out.commit();
  return front.header.file_bytes;
}

}  // namespace warpseed::index
