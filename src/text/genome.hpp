// Contigs with their packed text: the result of reading FASTA and the input of index construction.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/genome_core.hpp"

namespace warpseed::text {

/// A genome in memory: names, and the text with its coordinates (see genome_core.hpp).
struct Genome {
  std::vector<std::string> names;                  // [contigs]
  std::vector<std::uint64_t> contig_begins = {0};  // [contigs + 1]
  std::vector<Segment> segments = {Segment{}};     // [segments + 1]
  std::vector<std::uint64_t> words = {0, 0};       // [text size / 32 + 2]

  std::uint64_t contig_count() const { return names.size(); }
  std::uint64_t base_count() const { return contig_begins.back(); }
  std::uint64_t text_size() const { return segments.back().text_begin; }
  GenomeView view() const { return {{words.data(), text_size()}, std::span(segments), std::span(contig_begins)}; }
};

/// Builds a genome contig by contig, from bases in any portions.
class GenomeBuilder {
 public:
  /// Reserves memory, so that a text of this many symbols is not copied while it grows. A hint.
  void reserve(std::uint64_t symbols);

  /// Opens a contig. Does not check that its name is unique.
  void begin_contig(std::string_view name);

  /// Adds bases to the open contig: ACGTU in either case are bases, other IUPAC letters are N.
  /// Stops at the first letter outside IUPAC and returns the number of letters added.
  std::uint64_t add(std::string_view bases);

  /// Adds codes 0..4 to the open contig.
  void add_codes(std::span<const std::uint8_t> codes);

  /// Symbols of the text so far, separators included.
  std::uint64_t text_size() const { return text_.size; }

  /// Length of the open contig so far, N included.
  std::uint64_t contig_length() const;

  /// Closes the last contig and returns the genome. The builder is empty afterwards.
  Genome finish();

 private:
  struct TextEnd {
    std::uint64_t size = 0;  // symbols so far
    std::uint64_t word = 0;  // the last size % 32 symbols, the newest lowest; the bits above are undefined

    /// Appends `count` <= 8 symbols, two bits each in `codes`; moves a full word to `words`.
    void push(std::uint64_t codes, unsigned count, std::vector<std::uint64_t>& words);
  };

  void end_segment();
  void begin_segment();
  const char* add_bases(const char* at, const char* end);
  const char* add_unknown(const char* at, const char* end);

  Genome genome_;
  TextEnd text_;
  GenomePos genome_size_ = 0;  // length so far, N included
  bool in_segment_ = false;
};

}  // namespace warpseed::text
