// The text that overlap works on: targets, queries, and the reverse complements of the queries.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "text/alphabet.hpp"
#include "text/genome.hpp"
#include "text/sequence_list.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::index {
class Index;
}

namespace warpseed::overlap {

/// Sequences read from one file, FASTA or an index; an index is not copied.
class SequenceFile {
 public:
  /// Throws like read_fasta() and Index.
  explicit SequenceFile(std::string path);
  SequenceFile(std::string path, text::Genome genome);
  SequenceFile(SequenceFile&&) noexcept;
  SequenceFile& operator=(SequenceFile&&) noexcept;
  ~SequenceFile();

  const std::string& path() const { return path_; }
  text::GenomeView genome() const;
  /// The index if the file is one and its text has not been replaced.
  std::shared_ptr<const index::Index> index() const { return genome_ ? nullptr : index_; }
  std::string_view name(std::uint64_t contig) const;

  /// Replaces the text by another one: the same contigs, some bases masked.
  void replace(text::Genome masked);

 private:
  std::string path_;
  std::shared_ptr<const index::Index> index_;
  std::optional<text::Genome> genome_;
};

/// Reads the files of one side concurrently, on all available threads. Throws InputError if two of them hold a sequence
/// of the same name.
std::vector<SequenceFile> read_sequence_files(const std::vector<std::string>& paths);

/// Names and lengths of all sequences.
text::SequenceList list_sequences(const std::vector<SequenceFile>& files);

/// A text position as sequence and offset.
struct SequencePosition {
  std::uint32_t sequence = 0;  // index among the targets or the queries
  std::uint64_t offset = 0;    // on the strand that is in the text
  bool is_query = false;       // in a set compared with itself only the reverse complements
  bool reverse = false;
};

/// The text, in up to three sections: targets, queries, reverse complements of the queries. If a set is compared with
/// itself, the targets are also the queries, and their reverse complements are the last section.
class SequenceText {
 public:
  /// queries: empty to compare the targets with themselves. `strands`: of the queries; the targets are forward.
  SequenceText(const std::vector<SequenceFile>& targets, const std::vector<SequenceFile>& queries, Strands strands,
               int threads);

  const text::SequenceList& targets() const { return targets_; }
  const text::SequenceList& queries() const { return self_ ? targets_ : queries_; }
  bool is_self() const { return self_; }
  text::GenomeView genome() const { return genome_.view(); }

  /// The index of the targets if they are one index file, with the same text positions; else null.
  const std::shared_ptr<const index::Index>& target_index() const { return target_index_; }

  TextPos target_end() const { return sections_[1].text_begin; }

  /// Contigs of the text, over all sections, in text order.
  std::uint64_t contig_count() const { return genome_.names.size(); }
  std::uint64_t contig_of(TextPos position) const;

  /// Where a contig begins, or would begin if it held a base; for contig_count() the end of the text.
  TextPos contig_begin(std::uint64_t contig) const { return contig_text_[contig]; }

  /// The first contig of the queries, and of the reverse complements.
  std::uint64_t query_contig() const { return sections_[1].first_contig; }
  std::uint64_t reverse_contig() const { return sections_[2].first_contig; }

  SequencePosition location(TextPos position) const;

  /// The text position of a sequence's base; none for N.
  /// is_query: in the query section; reverse: offset counts on the reverse complement, which must be present.
  std::optional<TextPos> position(const SequencePosition& location) const;

  /// The region of `length` bases that begins at both text positions.
  CommonRegion region(TextPos target, TextPos query, std::uint64_t length) const;

 private:
  struct Section {
    std::uint64_t first_contig = 0;
    TextPos text_begin = 0;
  };

  void make_hints();

  text::SequenceList targets_, queries_;
  bool self_ = false;
  std::shared_ptr<const index::Index> target_index_;
  text::Genome genome_;
  static constexpr std::uint64_t positions_per_hint = 256;
  std::vector<TextPos> contig_text_;            // [contigs + 1]
  std::vector<std::uint64_t> contig_segments_;  // [contigs + 1] the first segment of each
  std::vector<std::uint32_t> contig_hints_;     // the contig of every 256th position
  static constexpr std::uint64_t bases_per_hint = 4096;
  std::vector<std::uint64_t> segment_hints_;  // the segment that holds or precedes every 4096th character
  Section sections_[4];                       // targets, queries, reversed, end
};

}  // namespace warpseed::overlap
