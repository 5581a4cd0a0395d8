// A batch of reads as they came from a file, in a few pieces of memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/huge_pages.hpp"

namespace warpseed::reads {

/// One read; the views live as long as its batch is not changed.
struct ReadView {
  std::string_view name;         // up to the first white space, without a trailing /1 or /2
  std::string_view comment;      // what follows the name in the header line; may be empty
  std::string_view bases;        // IUPAC letters as in the file; may be empty
  std::string_view qualities;    // Phred+33, as long as letters; empty for FASTA
  std::string_view tags = {};    // optional fields as BAM packs them, to be carried over; empty for FASTQ and FASTA
  std::uint32_t read_group = 0;  // its number among the source's read groups, from 1; 0 for none. Below 2^31
  bool qc_fail = false;          // flag 0x200: did not pass the sequencer's filters
};

/// Owns its reads in one text or two, so that a batch costs a few allocations, not a few a read.
class ReadBatch {
 public:
  std::uint64_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  ReadView operator[](std::uint64_t i) const;
  void add(const ReadView& read);
  void add(std::string_view name, std::string_view comment, std::string_view bases, std::string_view qualities) {
    add({name, comment, bases, qualities});
  }

  /// Adds a read whose name, comment, letters and qualities lie in `record`, with whatever is between them: one copy
  /// instead of four. It has nothing else.
  void add_record(std::string_view record, const ReadView& parts);

  /// Holds the reads of two batches of the same size in turn, the first one's first; neither is made so itself.
  /// Takes over their memory; they are empty afterwards, with the memory that was here.
  void interleave(ReadBatch& first, ReadBatch& second);
  void clear();

  /// Room for reads of so many bytes each, with what lies between their parts.
  void reserve(std::uint64_t reads, std::uint64_t bytes_a_read);
  std::uint64_t text_bytes() const { return texts_[0].size() + texts_[1].size(); }

 private:
  struct Part {
    std::uint32_t begin, size;  // from Place::begin
  };
  struct Place {
    std::uint64_t begin;  // in its text
    Part name, comment, bases, qualities, tags;
    std::uint32_t text;  // which one
    std::uint32_t read_group : 31, qc_fail : 1;
  };
  using Text = std::basic_string<char, std::char_traits<char>, HugePageAllocator<char>>;

  Text texts_[2];  // the second only after interleave()
  std::vector<Place, HugePageAllocator<Place>> places_;
};

}  // namespace warpseed::reads
