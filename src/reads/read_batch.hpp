// A batch of reads as they came from a file: names, letters and qualities, each laid end to end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpseed {

/// One read; the views live as long as its batch is not changed.
struct ReadView {
  std::string_view name;         // up to the first white space, without a trailing /1 or /2
  std::string_view comment;      // what follows the name in the header line; may be empty
  std::string_view letters;      // IUPAC letters as in the file; may be empty
  std::string_view qualities;    // Phred+33, as long as letters; empty for FASTA
  std::string_view tags = {};    // optional fields as BAM packs them, to be carried over; empty for FASTQ and FASTA
  std::uint32_t read_group = 0;  // its number among the source's read groups, from 1; 0 for none. Below 2^31
  bool qc_fail = false;          // flag 0x200: did not pass the sequencer's filters
};

/// Owns its reads in one text, so that a batch costs a few allocations, not a few a read.
class ReadBatch {
 public:
  std::uint64_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  ReadView operator[](std::uint64_t i) const;
  void add(const ReadView& read);
  void add(std::string_view name, std::string_view comment, std::string_view letters, std::string_view qualities) {
    add({name, comment, letters, qualities});
  }
  void clear();

 private:
  struct Place {
    std::uint64_t begin;  // in text_: name, comment, letters, qualities, tags, one after the other
    std::uint32_t name, comment, letters, qualities, tags;
    std::uint32_t read_group : 31, qc_fail : 1;
  };
  std::string text_;
  std::vector<Place> places_;
};

}  // namespace warpseed
