// FASTQ records of four lines each, found and checked by many threads. Private to the module.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reads/read_batch.hpp"
#include "reads/read_name.hpp"

namespace warpseed::reads {

/// Consecutive records of a text. Keeps its memory from text to text. Threads: one at a time; its own are oneTBB's.
class PlainRecords {
 public:
  static constexpr std::uint64_t default_piece_bytes = 256 << 10;

  struct Piece {
    std::uint64_t begin = 0;          // of its first record, in the text
    std::vector<std::uint64_t> ends;  // [records] in the text
    ReadBatch reads;                  // their parts; it has no text
  };

  /// piece_bytes: what a thread parses at a time, at least 1.
  explicit PlainRecords(std::uint64_t piece_bytes = default_piece_bytes) : piece_bytes_(piece_bytes) {}
  std::uint64_t piece_bytes() const { return piece_bytes_; }

  /// Finds the records from the begin of `text` to the first one that has not four lines, is not whole, or has an error.
  /// That one is left to ReadParser, which would make the same reads of those before it. `text` begins at text_begin in the
  /// memory of the batch to which the reads will be added.
  void find(std::string_view text, std::uint64_t text_begin, MateNumbers mates, std::uint32_t read_group);

  /// With one record or more each; the first one begins where the text does, others where the one before ends.
  std::span<const Piece> pieces() const { return std::span(pieces_).first(found_); }

 private:
  void parse(Piece& piece, std::string_view text, std::uint64_t from, std::uint64_t to) const;
  void join();

  const std::uint64_t piece_bytes_;
  MateNumbers mates_ = MateNumbers::cut;
  std::uint32_t read_group_ = 0;
  std::uint64_t text_begin_ = 0;
  std::vector<Piece> pieces_;
  std::size_t used_ = 0, found_ = 0;  // pieces of this text; those that are records one after the other
};

}  // namespace warpseed::reads
