#include "index/index_file.hpp"

#include <cassert>
#include <cstring>

#include "index/index_check.hpp"
#include "index/mapped_file.hpp"

namespace warpseed::index {

struct Index::Mapped {
  Mapped(const std::string& given, const MappingOptions& residence)
      : path(given), file(given, residence), front(check_index(path, file.bytes())) {}

  template <class T>
  View<T> array(format::Section id) const {
    const format::Entry& entry = front.entries[id];
    return {reinterpret_cast<const T*>(file.bytes().data() + entry.offset), entry.bytes / sizeof(T)};
  }

  PositionArray positions(format::Section id) const {
    const std::uint32_t width = metadata().position_width;
    return {array<std::byte>(id).data, front.entries[id].bytes / width, width};
  }

  const format::Metadata& metadata() const { return *array<format::Metadata>(format::metadata).data; }

  std::string path;
  MappedFile file;
  format::Front front;
  FmView fm;
  text::GenomeView genome;
  std::vector<std::string_view> names;
  std::vector<SectionInfo> sections;
};

namespace {

std::vector<std::string_view> split_names(View<char> text, std::uint64_t count) {
  std::vector<std::string_view> names;
  names.reserve(count);
  for (const char* at = text.begin(); at != text.end(); at += names.back().size() + 1) names.emplace_back(at);
  return names;
}

}  // namespace

Index::Index(const std::string& path, const MappingOptions& residence)
    : mapped_(std::make_unique<Mapped>(path, residence)) {
  Mapped& m = *mapped_;
  const format::Metadata& metadata = m.metadata();
  m.genome = {{m.array<std::uint64_t>(format::text).data, metadata.text_size},
              m.array<text::Segment>(format::segments),
              m.array<std::uint64_t>(format::contig_begins)};
  m.fm.blocks = m.array<RankBlock>(format::rank_blocks);
  m.fm.superblocks = m.array<Superblock>(format::superblocks);
  std::copy(metadata.first_row.begin(), metadata.first_row.end(), m.fm.first_row);
  m.fm.samples = m.positions(format::samples);
  m.fm.sample_step = metadata.sample_step;
  m.fm.segment_starts = m.positions(format::segment_starts);
  m.fm.kmer_ranges = m.positions(format::kmer_ranges);
  m.fm.kmer_length = metadata.kmer_length;
  m.names = split_names(m.array<char>(format::contig_names), metadata.contig_count);
  for (const format::Entry& entry : m.front.entries) {
    m.sections.push_back({format::section_names[entry.id], entry.offset, entry.bytes, entry.crc32});
  }
}

Index::~Index() = default;

const FmView& Index::fm() const {
  return mapped_->fm;
}

const text::GenomeView& Index::genome() const {
  return mapped_->genome;
}

std::uint64_t Index::contig_length(std::uint64_t contig) const {
  assert(contig < contig_count());
  return genome().contig_begins[contig + 1] - genome().contig_begins[contig];
}

std::string_view Index::contig_name(std::uint64_t contig) const {
  return mapped_->names[contig];
}

const std::string& Index::path() const {
  return mapped_->path;
}

const std::vector<SectionInfo>& Index::sections() const {
  return mapped_->sections;
}

std::string_view Index::built_by() const {
  const auto& text = mapped_->metadata().built_by;
  return {text.data(), strnlen(text.data(), text.size())};
}

}  // namespace warpseed::index
