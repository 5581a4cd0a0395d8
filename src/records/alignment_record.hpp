// One SAM line's fields, and the BAM record built from them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reads/read_batch.hpp"
#include "records/bam_memory.hpp"

struct bam1_t;  // htslib

namespace warpseed::records {

namespace sam_flag {
constexpr std::uint16_t paired = 0x1, proper_pair = 0x2, unmapped = 0x4, mate_unmapped = 0x8, reverse = 0x10,
                        mate_reverse = 0x20, first = 0x40, second = 0x80, secondary = 0x100, qc_fail = 0x200,
                        duplicate = 0x400, supplementary = 0x800;
}

/// CIGAR operations with BAM's numbers.
enum class CigarOp : std::uint8_t {
  match = 0,
  insertion = 1,
  deletion = 2,
  skip = 3,
  soft_clip = 4,
  hard_clip = 5,
  equal = 7,
  mismatch = 8
};

/// A CIGAR element in BAM's packing: length in the high 28 bits, operation in the low 4.
using CigarElement = std::uint32_t;
constexpr CigarElement cigar_element(CigarOp op, std::uint32_t length) {
  return length << 4 | static_cast<std::uint32_t>(op);
}
constexpr CigarOp cigar_op(CigarElement element) {
  return static_cast<CigarOp>(element & 15);
}
constexpr std::uint32_t cigar_length(CigarElement element) {
  return element >> 4;
}

/// Appends an element, joined with the last one if both are the same operation; none for a length of 0.
inline void append(std::vector<CigarElement>& cigar, CigarOp op, std::uint32_t length) {
  if (length == 0) return;
  if (!cigar.empty() && cigar_op(cigar.back()) == op) {
    cigar.back() += length << 4;
  } else {
    cigar.push_back(cigar_element(op, length));
  }
}

/// M, = and X.
constexpr bool is_aligned_pair(CigarOp op) {
  return op == CigarOp::match || op == CigarOp::equal || op == CigarOp::mismatch;
}

/// "76M1I74M"; "*" for none.
std::string cigar_text(const std::vector<CigarElement>& cigar);

/// The alignment fields of a record. Positions are 0-based, -1 for none; negative tags are omitted.
struct AlignmentRecord {
  std::uint16_t flag = 0;
  std::int32_t contig = -1;
  std::int64_t position = -1;
  std::uint8_t mapq = 0;
  std::vector<CigarElement> cigar;  // reference orientation
  std::int32_t mate_contig = -1;
  std::int64_t mate_position = -1;
  std::int64_t template_length = 0;
  bool omit_sequence = false;         // SEQ and QUAL are "*", as bwa writes secondary records
  std::int32_t edit_distance = -1;    // NM
  std::string mismatches;             // MD; omitted if empty, like the other strings
  std::int32_t score = -1;            // AS
  std::int32_t second_score = -1;     // XS
  std::int32_t mate_mapq = -1;        // MQ
  std::string mate_cigar;             // MC
  std::string split;                  // SA
  float share_of_alt = -1;            // pa: score divided by the score of a better alignment to an ALT contig
  std::string alternatives;           // XA
  std::string differences;            // cs
  std::string ambiguous_differences;  // ds
};

inline bool is_reverse(const AlignmentRecord& record) {
  return (record.flag & sam_flag::reverse) != 0;
}
inline bool is_mapped(const AlignmentRecord& record) {
  return (record.flag & sam_flag::unmapped) == 0;
}

/// Bases of the reference that a CIGAR covers.
std::int64_t reference_span(std::span<const CigarElement> cigar);

/// The position of the aligned base that was sequenced first.
std::int64_t five_prime(const AlignmentRecord& record);

/// The fields of a BAM record that have one value each. Positions are 0-based, -1 for none.
struct RecordFields {
  std::uint16_t flag = 0;
  std::int32_t contig = -1;
  std::int64_t position = -1;
  std::uint8_t mapq = 0;
  std::int32_t mate_contig = -1;
  std::int64_t mate_position = -1;
  std::int64_t template_length = 0;
  std::int64_t genome_bases = 0;  // that the CIGAR covers; 0 for an unmapped read
  std::uint64_t name_bytes = 0;   // without NUL
  std::uint64_t cigar_elements = 0;
  std::uint64_t bases = 0;
};

constexpr std::uint64_t longest_name = 254;  // BAM stores the length including the NUL in one byte

/// Writes SEQ and QUAL as a record's data has them: (bases + 1) / 2 bytes, then one a base, 255 without qualities.
/// `reversed`: of the reverse complement. Returns their end.
std::uint8_t* put_bases_and_qualities(std::string_view bases, std::string_view qualities, bool reversed,
                                      std::uint8_t* out);

/// Owns one bam1_t, or none.
class BamRecord {
 public:
  /// Builds a read's record. Bases and qualities are in sequencing orientation; flag 0x10 reverse-complements them, and
  /// hard clips are cut off. Tags in the order NM MD MC MQ AS XS RG SA pa XA cs ds, RG when read_group is not empty;
  /// then the read's own tags; then, if requested, its comment as tab-separated SAM tags (bwa's -C), without those of
  /// the first eight and without RG if read_group is given. Tags that go with SEQ are trimmed and reversed with it
  /// (packed_tags.hpp, base_modifications.hpp). Flag 0x200 is the read's. Throws InputError if the name is longer than
  /// BAM's limit of 254 characters, or a comment is not a valid SAM tag.
  /// The record is allocated in `memory`, next to the records built before it, and may outlive that; or on its own.
  BamRecord(const AlignmentRecord& record, const reads::ReadView& read, const std::string& read_group,
            bool with_comment, BamMemory& memory);
  BamRecord(const AlignmentRecord& record, const reads::ReadView& read, const std::string& read_group,
            bool with_comment);

  /// Of fields and data as htslib has them in memory: name (padded_name()), CIGAR, bases, qualities, tags.
  BamRecord(const RecordFields& fields, std::span<const std::uint8_t> data, BamMemory& memory);

  /// A copy.
  BamRecord(const bam1_t& other, BamMemory& memory);

  /// The owner of a record in a RecordSlot, which its chunk counts already.
  explicit BamRecord(bam1_t* record) : record_(record) {}

  BamRecord() = default;  // none
  BamRecord(BamRecord&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  BamRecord& operator=(BamRecord&& other) noexcept {
    std::swap(record_, other.record_);
    return *this;
  }
  ~BamRecord() {
    if (record_) BamMemory::give_back(record_);
  }

  /// Null if it is none.
  bam1_t* get() const { return record_; }

 private:
  friend void free_records(std::span<BamRecord> records) noexcept;
  bam1_t* release() { return std::exchange(record_, nullptr); }

  bam1_t* record_ = nullptr;
};

/// Frees all of them: in less time than one by one where neighbours share memory.
void free_records(std::span<BamRecord> records) noexcept;

}  // namespace warpseed::records
