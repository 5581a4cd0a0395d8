// Reads and writes the table of position pairs of `overlap pairs`.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/byte_source.hpp"
#include "overlap/pairs/sequence_names.hpp"
#include "text/alphabet.hpp"
#include "text/sequence_list.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

/// Whole lines of a table and their pairs.
struct PairBlock {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::unique_ptr<char[]> text;      // lines that end in LF, and some readable bytes past them
  std::uint64_t room = 0;            // bytes of text, without those past the end
  std::uint64_t begin = 0, end = 0;  // of the lines
  std::uint64_t lines = 0;           // lines skipped before `begin`, then also those parsed
  std::uint64_t wrong = none;        // the beginning of the first invalid line
  std::vector<StrandPositionPair> pairs;

  /// Clears the block but keeps its memory.
  void clear() {
    begin = end = lines = 0;
    wrong = none;
    pairs.clear();
  }
};

/// Reads the table in blocks, so that it may have any size. A line has six tab-separated columns:
///
///   target  target_position  target_strand  query  query_position  query_strand
///
/// with positions as in StrandPosition and strands "+" or "-". Lines end in LF or CRLF. Empty lines and lines that
/// begin with # are skipped. So is a header in the first other line: six columns, no number in the second and fifth, no
/// strand in the third and sixth.
///
/// Every block goes through read(), parse() and accept(). Threads: read() and accept() have one caller each at a time
/// and see the blocks in order; parse() may be called concurrently.
class PairTableReader {
 public:
  static constexpr std::uint64_t default_block_bytes = std::uint64_t{1} << 18;  // about 6,000 lines

  /// `path` "-" is standard input; plain, gzip or BGZF. The lists must outlive the reader. strands: with `forward`,
  /// positions on strand "-" are errors. block_bytes: maximum size of a block if no line is longer. Throws like
  /// open_bytes().
  PairTableReader(const std::string& path, const text::SequenceList& targets, const text::SequenceList& queries,
                  Strands strands = Strands::both, std::uint64_t block_bytes = default_block_bytes);

  /// Reads the next lines; false at the end of the table. Throws like ByteSource::read().
  bool read(PairBlock& block);

  /// Parses the pairs of the lines.
  void parse(PairBlock& block) const;

  /// Throws InputError at file:line if a line of the block has another format, names an unknown sequence, or has a
  /// position at or past the end of its sequence.
  void accept(const PairBlock& block);

 private:
  std::uint64_t fill(PairBlock& block);
  std::uint64_t next_block_bytes() const;
  void skip_header(PairBlock& block);
  [[noreturn]] void fail(const PairBlock& block) const;

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  SequenceNames targets_, queries_;
  Strands strands_;
  std::uint64_t block_bytes_;
  std::uint64_t read_ = 0;  // bytes of the previous blocks
  std::vector<char> rest_;  // read ahead: the beginning of a line
  std::uint64_t line_ = 1;  // number of the first line that is not accepted yet
  bool at_end_ = false;
  bool header_done_ = false;
};

/// Writes the answers: the columns of the table and `length`, after a header line that begins with #.
class PairFormat {
 public:
  /// The lists must outlive the format.
  PairFormat(const text::SequenceList& targets, const text::SequenceList& queries);

  std::string header() const;

  /// Appends one line per pair. lengths: [pairs]. Threads: may be called concurrently.
  void append(std::span<const StrandPositionPair> pairs, std::span<const std::uint64_t> lengths,
              std::string& out) const;

 private:
  const text::SequenceList& targets_;
  const text::SequenceList& queries_;
  std::uint64_t bound_;  // maximum bytes of a line
};

}  // namespace warpseed::overlap
