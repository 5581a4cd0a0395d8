#include "index/index_file.hpp"

#include <cassert>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "index/index_check.hpp"
#include "index/mapped_file.hpp"
#include "index/section_reader.hpp"

namespace warpseed::index {

/// What an index consists of; the views are of `file`, or of `genome_data` and `fm_data`.
struct Index::Content {
  FmView fm;
  text::GenomeView genome;
  std::vector<std::string_view> names;  // [contigs]
  std::string path, built_by;
  std::uint32_t checksum = 0;
  std::vector<SectionInfo> sections;
  std::optional<MappedFile> file;
  text::Genome genome_data;
  FmIndex fm_data;
};

namespace {

std::vector<std::string_view> split_names(View<char> text, std::uint64_t count) {
  std::vector<std::string_view> names;
  names.reserve(count);
  for (const char* at = text.begin(); at != text.end(); at += names.back().size() + 1) names.emplace_back(at);
  return names;
}

}  // namespace

Index::Index(text::Genome genome, FmIndex fm) {
  auto content = std::make_unique<Content>();
  content->genome_data = std::move(genome);
  content->fm_data = std::move(fm);
  content->genome = content->genome_data.view();
  content->fm = content->fm_data.view();
  content->names.assign(content->genome_data.names.begin(), content->genome_data.names.end());
  content_ = std::move(content);
}

Index::Index(const std::string& path, const MappingOptions& residence) {
  auto content = std::make_unique<Content>();
  content->path = path;
  content->file.emplace(path, residence);
  const format::Front front = check_index(path, content->file->bytes());
  const SectionReader file(content->file->bytes(), front);
  const format::Metadata& metadata = file.metadata();
  content->fm = file.fm();
  content->genome = {{file.array<std::uint64_t>(format::text).data, metadata.text_size},
                     file.array<text::Segment>(format::segments),
                     file.array<std::uint64_t>(format::contig_begins)};
  content->names = split_names(file.array<char>(format::contig_names), metadata.contig_count);
  content->built_by.assign(metadata.built_by.data(), strnlen(metadata.built_by.data(), metadata.built_by.size()));
  content->checksum = front.header.crc32;
  for (const format::Entry& entry : front.entries) {
    content->sections.push_back({format::section_names[entry.id], entry.offset, entry.bytes, entry.crc32});
  }
  content_ = std::move(content);
}

Index::~Index() = default;

const FmView& Index::fm() const {
  return content_->fm;
}

const text::GenomeView& Index::genome() const {
  return content_->genome;
}

std::uint64_t Index::contig_length(std::uint64_t contig) const {
  assert(contig < contig_count());
  return genome().contig_begins[contig + 1] - genome().contig_begins[contig];
}

std::string_view Index::contig_name(std::uint64_t contig) const {
  return content_->names[contig];
}

const std::string& Index::path() const {
  return content_->path;
}

const std::vector<SectionInfo>& Index::sections() const {
  return content_->sections;
}

std::uint32_t Index::checksum() const {
  return content_->checksum;
}

std::string_view Index::built_by() const {
  return content_->built_by;
}

}  // namespace warpseed::index
