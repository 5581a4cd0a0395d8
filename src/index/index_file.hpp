// The index, in memory or in its file (.wsi): written completely, checked, memory-mapped. Format:
// share/doc/index_format.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/fm_index.hpp"
#include "index/mapped_file.hpp"
#include "text/genome.hpp"

namespace warpseed::index {

/// One section of an index file, for `inspect`.
struct SectionInfo {
  std::string_view name;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t crc32 = 0;
};

/// The FM-index of a genome, with the genome. Views are valid during its lifetime.
/// Threads: any number may read concurrently.
class Index {
 public:
  /// An index that was just built.
  Index(text::Genome genome, FmIndex fm);

  /// Opens the file and checks the checksum of every section.
  /// Throws InputError if there is no such file, or it is not an index, has another version, or is truncated or damaged
  /// (naming the section); IoError if it cannot be read.
  explicit Index(const std::string& path, const MappingOptions& residence = {});
  ~Index();
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  const FmView& fm() const;
  const text::GenomeView& genome() const;
  std::uint64_t contig_count() const { return genome().contig_count(); }
  std::uint64_t contig_length(std::uint64_t contig) const;
  std::string_view contig_name(std::uint64_t contig) const;  // also null-terminated

  /// Of the file; empty for an index that was just built.
  const std::string& path() const;
  const std::vector<SectionInfo>& sections() const;
  std::string_view built_by() const;  // program and version: "warpseed 0.1.0"
  std::uint32_t checksum() const;     // of header and section table, with the sections' checksums; 0 if just built

 private:
  struct Content;
  std::unique_ptr<const Content> content_;
};

/// Writes an index to `path`, which appears only when complete. Returns the number of bytes written. Throws IoError.
std::uint64_t write_index(const std::string& path, const Index& index);

/// Compares the FM-index with the text: counts, every LF step against the preceding base of the text, samples, segment
/// starts and k-mer ranges. Returns the first error, or an empty string.
/// Cost: O(n) random rank queries, on `threads` threads.
std::string verify_against_text(const FmView& fm, const text::GenomeView& genome, int threads);

}  // namespace warpseed::index
