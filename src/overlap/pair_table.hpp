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
#include "overlap/sequence_names.hpp"

namespace warpseed {

/// A base of a sequence and the direction to read on. The position counts from 0 on the forward strand in both cases;
/// on the reverse strand the base is complemented and the next one stands at the position below.
struct StrandPlace {
  std::uint64_t position = 0;
  std::uint32_t sequence = 0;  // number in its SequenceList
  bool reverse = false;

  friend bool operator==(const StrandPlace&, const StrandPlace&) = default;
};

struct PlacePair {
  StrandPlace target, query;

  friend bool operator==(const PlacePair&, const PlacePair&) = default;
};

/// Reads the table in blocks, so that it may have any size. Its lines have six columns, tabs between:
///
///   target  target_position  target_strand  query  query_position  query_strand
///
/// positions as in StrandPlace, strands "+" or "-". Lines end in LF or CRLF. Empty lines and those that begin with
/// # are skipped; so is the first other line when it is a header: six columns, no number in the second and fifth, no
/// strand in the third and sixth.
/// Cost: about 60 ns a line where names come in runs, 100 ns where they change with every line.
/// Threads: one caller; a block is parsed by `threads` threads. The pairs do not depend on their number.
class PairTableReader {
 public:
  static constexpr std::uint64_t default_block_bytes = std::uint64_t{16} << 20;  // some 400,000 lines

  /// `path` "-" is standard input; plain, gzip or BGZF. The lists must outlive the reader. Errors as open_bytes().
  PairTableReader(const std::string& path, const SequenceList& targets, const SequenceList& queries, int threads,
                  std::uint64_t block_bytes = default_block_bytes);

  ~PairTableReader();

  /// Replaces `pairs` by the next ones of the table, in its order; false and none at its end.
  /// Throws InputError at file:line for a line that is not as above, a name that is not among the sequences or a
  /// position at or beyond its sequence's end; of several the first. Else as ByteSource::read().
  bool next(std::vector<PlacePair>& pairs);

  /// Of the input, for progress.
  const ByteSource& source() const { return *source_; }

 private:
  struct Piece;

  bool fill();
  void skip_header();
  void parse_block();
  void gather(std::vector<PlacePair>& pairs);
  [[noreturn]] void fail(const char* line) const;

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  SequenceNames targets_, queries_;
  int threads_;
  std::vector<char> buffer_;
  std::uint64_t begin_ = 0;  // in buffer_: whole lines not yet parsed are [begin_, lines_end_)
  std::uint64_t lines_end_ = 0;
  std::uint64_t end_ = 0;   // end of what was read
  std::uint64_t line_ = 1;  // number of the line at begin_
  bool at_end_ = false;
  bool header_done_ = false;
  std::vector<Piece> pieces_;
};

/// Writes the answers: the columns of the table and `length`, under a header line that begins with #.
class PairFormat {
 public:
  /// The lists must outlive the format.
  PairFormat(const SequenceList& targets, const SequenceList& queries);

  std::string header() const;

  /// Appends a line a pair. lengths: [pairs]. Threads: may be called by many at once.
  void append(std::span<const PlacePair> pairs, std::span<const std::uint64_t> lengths, std::string& out) const;

 private:
  const SequenceList& targets_;
  const SequenceList& queries_;
  std::uint64_t bound_;  // bytes of a line at most
};

}  // namespace warpseed
