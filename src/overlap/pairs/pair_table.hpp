// The table of position pairs that `overlap pairs` answers, in and out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/byte_source.hpp"
#include "overlap/common_region.hpp"
#include "overlap/pairs/sequence_names.hpp"
#include "text/alphabet.hpp"

namespace warpseed::overlap {

/// A base of a sequence and the direction to read on. The position counts from 0 on the forward strand in both cases;
/// on the reverse strand the base is complemented and the next one stands at the position below.
struct StrandPosition {
  std::uint64_t position = 0;
  std::uint32_t sequence = 0;  // number in its SequenceList
  bool reverse = false;

  friend bool operator==(const StrandPosition&, const StrandPosition&) = default;
};

struct StrandPositionPair {
  StrandPosition target, query;

  friend bool operator==(const StrandPositionPair&, const StrandPositionPair&) = default;
};

/// Whole lines of a table and the pairs in them.
struct PairBlock {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::unique_ptr<char[]> text;      // lines that end in LF, and some bytes behind them that may be read
  std::uint64_t room = 0;            // bytes of text, without those behind
  std::uint64_t begin = 0, end = 0;  // of the lines
  std::uint64_t lines = 0;           // skipped before `begin`, then also those parsed
  std::uint64_t wrong = none;        // where the first line begins that is no pair and should be one
  std::vector<StrandPositionPair> pairs;

  /// Empty again; its memory stays for the next lines.
  void clear() {
    begin = end = lines = 0;
    wrong = none;
    pairs.clear();
  }
};

/// Reads the table in blocks, so that it may have any size. Its lines have six columns, tabs between:
///
///   target  target_position  target_strand  query  query_position  query_strand
///
/// positions as in StrandPosition, strands "+" or "-". Lines end in LF or CRLF. Empty lines and those that begin with
/// # are skipped; so is the first other line when it is a header: six columns, no number in the second and fifth, no
/// strand in the third and sixth.
///
/// Every block goes through read(), parse() and accept(). Threads: read() and accept() have one caller each at a time,
/// and see the blocks in order; parse() may be called by many at once.
class PairTableReader {
 public:
  static constexpr std::uint64_t default_block_bytes = std::uint64_t{1} << 18;  // some 6,000 lines

  /// `path` "-" is standard input; plain, gzip or BGZF. The lists must outlive the reader. strands: forward refuses
  /// places on strand "-". block_bytes: of a block at most, if no line is longer. Errors as open_bytes().
  PairTableReader(const std::string& path, const SequenceList& targets, const SequenceList& queries,
                  text::Strands strands = text::Strands::both, std::uint64_t block_bytes = default_block_bytes);

  /// The next lines; false at the table's end. Throws as ByteSource::read().
  bool read(PairBlock& block);

  /// Finds the pairs in the lines.
  void parse(PairBlock& block) const;

  /// Throws InputError at file:line if one of the block's lines is not as above, names no sequence, or has a position
  /// at or beyond its sequence's end.
  void accept(const PairBlock& block);

 private:
  std::uint64_t fill(PairBlock& block);
  std::uint64_t next_block_bytes() const;
  void skip_header(PairBlock& block);
  [[noreturn]] void fail(const PairBlock& block) const;

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  SequenceNames targets_, queries_;
  text::Strands strands_;
  std::uint64_t block_bytes_;
  std::uint64_t read_ = 0;  // bytes of the blocks before
  std::vector<char> rest_;  // read already: the begin of a line
  std::uint64_t line_ = 1;  // number of the first line not accepted
  bool at_end_ = false;
  bool header_done_ = false;
};

/// Writes the answers: the columns of the table and `length`, under a header line that begins with #.
class PairFormat {
 public:
  /// The lists must outlive the format.
  PairFormat(const SequenceList& targets, const SequenceList& queries);

  std::string header() const;

  /// Appends a line a pair. lengths: [pairs]. Threads: may be called by many at once.
  void append(std::span<const StrandPositionPair> pairs, std::span<const std::uint64_t> lengths,
              std::string& out) const;

 private:
  const SequenceList& targets_;
  const SequenceList& queries_;
  std::uint64_t bound_;  // bytes of a line at most
};

}  // namespace warpseed::overlap
