// Index files whose checksums are made right: refused, or searched and verified within their bounds.
// Covers: src/index/index_check.cpp src/index/fm_check.cpp src/index/index_file.cpp src/index/fm_core.hpp src/index/verify.cpp
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../index/index_bytes.hpp"
#include "fuzz.hpp"
#include "index/fm_core.hpp"
#include "index/index_file.hpp"
#include "index/searcher.hpp"
#include "text/genome_core.hpp"

namespace {

using namespace warpseed;

/// All patterns of up to three bases, whose rows cover the index.
index::PatternBatch short_patterns() {
  index::PatternBatch patterns;
  std::vector<std::vector<std::uint8_t>> longer = {{}};
  for (int length = 1; length <= 3; ++length) {
    std::vector<std::vector<std::uint8_t>> shorter = std::exchange(longer, {});
    for (const std::vector<std::uint8_t>& suffix : shorter) {
      for (std::uint8_t base = 0; base < 4; ++base) {
        longer.push_back(suffix);
        longer.back().insert(longer.back().begin(), base);
        patterns.add(longer.back());
      }
    }
  }
  return patterns;
}

/// The sections are within the file, and the contigs make up the genome.
void check_contents(const index::Index& index, const std::string& path, std::uint64_t file_bytes) {
  fuzz::require(index.path() == path, "another path");
  fuzz::require(std::ranges::all_of(index.built_by(), [](char c) { return c >= ' ' && c <= '~'; }),
                "the version that built it cannot be printed");
  std::uint64_t bases = 0;
  for (std::uint64_t i = 0; i < index.contig_count(); ++i) {
    fuzz::require(!index.contig_name(i).empty(), "a name is empty");
    bases += index.contig_length(i);
  }
  fuzz::require(bases == index.genome().contig_begins[index.contig_count()], "contigs of another length");
  for (const index::SectionInfo& section : index.sections()) {
    fuzz::require(section.offset <= file_bytes && section.bytes <= file_bytes - section.offset,
                  "a section past the end");
  }
}

/// Finds the patterns and locates some of their rows, together and each by itself.
void search(const index::Index& index) {
  const text::GenomeView& genome = index.genome();
  const index::FmView& fm = index.fm();
  const index::PatternBatch patterns = short_patterns();
  const auto searcher = index::make_searcher(fm, Backend{});
  std::vector<RowRange> found(patterns.count());
  searcher->find(patterns, found);
  std::vector<Row> rows;
  for (std::uint64_t i = 0; i < found.size(); ++i) {
    const std::uint64_t begin = patterns.offsets[i], length = patterns.offsets[i + 1] - begin;
    const RowRange range = found[i], alone = index::find(fm, patterns.codes.data() + begin, length);
    fuzz::require(range.end <= fm.row_count() && range.begin <= range.end, "rows that do not exist");
    fuzz::require(range.count() == alone.count() && (range.empty() || range.begin == alone.begin), "other rows alone");
    for (Row row = range.begin; row < std::min(range.end, range.begin + 20); ++row) rows.push_back(row);
  }
  std::vector<TextPos> positions(rows.size());
  searcher->locate(rows, positions);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TextPos position = positions[i];
    fuzz::require(position < genome.text.size, "a position outside of the text");
    fuzz::require(position == index::locate(fm, rows[i]), "another position alone");
    fuzz::require(text::contig_at(genome, text::to_genome(genome, position)) < index.contig_count(), "no such contig");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(fuzz::text_of(data, size));
  if (bytes.size() >= sizeof(index::format::Front)) test::seal(bytes);
  const fuzz::InputFile file(bytes);
  fuzz::accepts(file.path(), [&] {
    const index::Index index(file.path());
    check_contents(index, file.path(), bytes.size());
    search(index);
    verify_against_text(index.fm(), index.genome(), 1);
  });
  return 0;
}
