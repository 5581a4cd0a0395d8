// A batch of reads as they are in a file, in a few allocations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/huge_pages.hpp"
#include "core/text_memory.hpp"

namespace warpseed::reads {

/// One read; the views are valid until its batch changes.
struct ReadView {
  std::string_view name;       // up to the first white space, without a trailing /1 or /2
  std::string_view comment;    // the rest of the header line after the name; may be empty
  std::string_view bases;      // IUPAC characters as in the file; may be empty
  std::string_view qualities;  // Phred+33, as long as bases; empty for FASTA
  std::string_view tags =
      {};  // optional fields in BAM's packing, to be copied to the output; empty for FASTQ and FASTA
  std::uint32_t read_group = 0;  // its number among the source's read groups, from 1; 0 for none. Below 2^31
  bool qc_fail = false;          // flag 0x200: failed the sequencer's filters
};

/// Where a part of a read is, from StoredRead::begin on, in bytes.
struct ReadPart {
  std::uint32_t begin, size;
};

/// Where a read of a batch is in the batch's texts.
struct StoredRead {
  std::uint64_t begin;  // offset in its text
  ReadPart name, comment, bases, qualities, tags;
  std::uint32_t text;  // 0 or 1
  std::uint32_t read_group : 31, qc_fail : 1;
};

/// Stores its reads in one or two texts: a few allocations per batch, not per read.
class ReadBatch {
 public:
  std::uint64_t size() const { return stored_.size(); }
  bool empty() const { return stored_.empty(); }
  ReadView operator[](std::uint64_t i) const {
    const StoredRead& read = stored_[i];
    const char* text = texts_[read.text].data() + read.begin;
    const auto view = [text](ReadPart part) { return std::string_view(text + part.begin, part.size); };
    return {view(read.name), view(read.comment), view(read.bases), view(read.qualities),
            view(read.tags), read.read_group,    read.qc_fail != 0};
  }
  void add(const ReadView& read);
  void add(std::string_view name, std::string_view comment, std::string_view bases, std::string_view qualities) {
    add({name, comment, bases, qualities});
  }

  /// The memory of the reads' text, for a parser that reads a file into it: see add_in_text().
  TextMemory& text() { return texts_[0]; }

  /// Adds a read whose name, comment, bases and qualities are parts of a record, less than 4 GiB, that is at
  /// text()[begin], or will be once the batch is used. The read has no other parts.
  void add_in_text(std::uint64_t begin, std::string_view record, const ReadView& parts);

  /// Adds the first reads of a batch to which only add_in_text() added any, from this one's text().
  void add_in_text(const ReadBatch& parts, std::uint64_t count);

  /// Where a batch has pairs and single reads: the numbers of the single ones, ascending; all others are mates, each
  /// with the next. Empty in batches of one kind.
  std::span<const std::uint64_t> singles() const { return singles_; }
  void set_singles(std::vector<std::uint64_t> numbers) { singles_ = std::move(numbers); }

  /// Removes the first `count` reads, at most size(), of a batch without singles(). Their text stays.
  void remove_first(std::uint64_t count);

  /// Holds the reads of two equally large batches alternately, `first` first. Neither may be interleaved itself.
  /// Takes over their memory; they are empty afterwards and hold the memory that was here.
  void interleave(ReadBatch& first, ReadBatch& second);
  void clear();

  /// Reserves memory for so many reads, of so many bytes together, including what separates their parts.
  void reserve(std::uint64_t reads, std::uint64_t text_bytes);
  std::uint64_t text_bytes() const { return texts_[0].size() + texts_[1].size(); }

  /// The reads and their texts as they are stored, for a copy of all; valid until the batch changes. which: 0 or 1.
  std::span<const StoredRead> stored() const { return stored_; }
  const TextMemory& text(std::uint32_t which) const { return texts_[which]; }

 private:
  TextMemory texts_[2];  // the second only after interleave()
  HugePageVector<StoredRead> stored_;
  std::vector<std::uint64_t> singles_;
};

}  // namespace warpseed::reads
