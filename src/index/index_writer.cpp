// Writes an index file: computes layout and checksums, then writes front and sections in order.
#include <bit>
#include <cstring>
#include <span>

#include "core/checksum.hpp"
#include "core/output_file.hpp"
#include "index/index_file.hpp"
#include "index/index_format.hpp"

namespace warpseed::index {

namespace {

static_assert(std::endian::native == std::endian::little, "index files are mapped as they are: little-endian");

using Sections = std::array<std::span<const std::byte>, format::section_count>;

format::Metadata metadata_of(const text::Genome& genome, const FmIndex& fm) {
  format::Metadata metadata;
  metadata.text_size = genome.text_size();
  metadata.genome_size = genome.base_count();
  metadata.contig_count = genome.contig_count();
  metadata.segment_count = genome.segments.size() - 1;
  std::copy(std::begin(fm.first_row), std::end(fm.first_row), metadata.first_row.begin());
  metadata.position_width = fm.position_width;
  metadata.sample_step = fm.sample_step;
  metadata.kmer_length = fm.kmer_length;
  constexpr std::string_view program = "warpseed " WS_VERSION;
  static_assert(program.size() < sizeof(metadata.built_by));
  program.copy(metadata.built_by.data(), program.size());
  return metadata;
}

/// The names, each null-terminated.
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text.append(name.c_str(), name.size() + 1);
  return text;
}

/// CRC-32 of a section and its zero padding.
std::uint32_t padded_crc32(std::span<const std::byte> section) {
  static constexpr std::array<std::byte, format::alignment> zeros = {};
  const std::uint64_t padding = format::padded(section.size()) - section.size();
  return crc32(std::span(zeros).first(padding), crc32(section));
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

std::uint64_t write_index(const std::string& path, const text::Genome& genome, const FmIndex& fm) {
  const format::Metadata metadata = metadata_of(genome, fm);
  const std::string names = joined(genome.names);
  Sections sections;
  sections[format::metadata] = std::as_bytes(std::span(&metadata, 1));
  sections[format::contig_names] = std::as_bytes(std::span(names));
  sections[format::contig_begins] = std::as_bytes(std::span(genome.contig_begins));
  sections[format::segments] = std::as_bytes(std::span(genome.segments));
  sections[format::text] = std::as_bytes(std::span(genome.words));
  sections[format::rank_blocks] = std::as_bytes(std::span(fm.blocks));
  sections[format::superblocks] = std::as_bytes(std::span(fm.superblocks));
  sections[format::samples] = fm.samples;
  sections[format::segment_starts] = fm.segment_starts;
  sections[format::kmer_ranges] = fm.kmer_ranges;

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
