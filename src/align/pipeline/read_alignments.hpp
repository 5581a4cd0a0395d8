// A read in the stages of alignment: its codes on both strands, and its alignments.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

#include "align/alignment.hpp"
#include "align/long_reads/chained_anchors.hpp"
#include "align/long_reads/long_alignment.hpp"
#include "align/packed_strand.hpp"
#include "align/record/path_core.hpp"
#include "core/prefetch.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::align {

/// A read as codes 0..4 and packed, as sequenced and reverse complemented. assign() must precede any other call. Threads:
/// one at a time.
class PackedRead {
 public:
  /// Uses its own memory.
  void assign(std::string_view bases);

  /// Uses outside memory: words_of(bases.size()) words and code_bytes(bases.size()) bytes. It and the bases must outlive
  /// this. The bytes are written when codes are first asked for: with a device few reads need them here.
  void assign(std::string_view bases, std::uint64_t* words, std::uint8_t* codes);
  static constexpr std::uint64_t words_of(std::uint64_t length) { return 4 * packed_words(length); }
  static constexpr std::uint64_t code_bytes(std::uint64_t length) { return 2 * length; }

  std::uint32_t length() const { return length_; }
  const std::uint8_t* codes(bool reverse) const {
    if (!has_codes_) make_codes();
    return code_memory() + (reverse ? length_ : 0);
  }
  PackedStrand packed(bool reverse) const { return packed_strand(memory(), length_, reverse); }

  /// Is there a base that is not A, C, G or T?
  bool has_unknown() const { return has_unknown_; }

  /// See packed_strand().
  std::span<const std::uint64_t> words() const { return {memory(), words_of(length_)}; }

 private:
  void make_codes() const;

  const std::uint64_t* memory() const { return words_ ? words_ : own_.data(); }
  std::uint8_t* code_memory() const { return codes_ ? codes_ : own_codes_.data(); }

  std::uint32_t length_ = 0;
  bool has_unknown_ = false;
  std::uint64_t* words_ = nullptr;  // outside; null: in own_
  std::uint8_t* codes_ = nullptr;   // likewise
  std::string_view bases_;          // of codes in outside memory
  mutable bool has_codes_ = false;
  std::vector<std::uint64_t> own_;
  mutable std::vector<std::uint8_t> own_codes_;
};

/// The CIGAR of an alignment from its first to its last base, in the form of path_core.hpp. Owns nothing.
struct PrecomputedCigar {
  std::span<const records::CigarElement> cigar;  // M, I and D; empty: one M
  std::span<const Difference> differences;       // ascending
};

/// The CIGARs of some of a read's alignments, in one block of memory.
class PrecomputedCigars {
 public:
  void clear() { words_.clear(); }
  void free_beyond(std::size_t words) {
    if (words_.capacity() > words) std::vector<std::uint32_t>().swap(words_);
  }
  void prefetch() const { warpseed::prefetch(words_.data()); }
  bool empty() const { return words_.empty(); }

  /// alignment: its index among the read's. cigar: any range of CigarElement.
  template <class Cigar>
  void add(std::uint32_t alignment, const Cigar& cigar, std::span<const Difference> differences) {
    const auto elements = static_cast<std::uint32_t>(std::ranges::size(cigar));
    words_.insert(words_.end(), {alignment, elements, static_cast<std::uint32_t>(differences.size())});
    words_.insert(words_.end(), std::ranges::begin(cigar), std::ranges::end(cigar));
    words_.insert(words_.end(), differences.begin(), differences.end());
  }

  /// The CIGAR of an alignment, if it is known; valid until the next add().
  std::optional<PrecomputedCigar> find(std::size_t alignment) const {
    for (std::size_t at = 0; at < words_.size(); at += 3 + words_[at + 1] + words_[at + 2]) {
      if (words_[at] != alignment) continue;
      const std::span rest = std::span(words_).subspan(at + 3);
      return PrecomputedCigar{rest.first(words_[at + 1]), rest.subspan(words_[at + 1], words_[at + 2])};
    }
    return std::nullopt;
  }

 private:
  std::vector<std::uint32_t> words_;  // per CIGAR: alignment, number of elements, number of differences; then these
};

/// A single read of more bases is a long read.
constexpr std::uint32_t longest_short_read = 1000;

/// All alignments of a read, ranked and with their competitors marked.
struct ReadAlignments {
  PackedRead read;
  bool is_long = false;     // then its alignments are long_alignments
  bool has_chains = false;  // `chained` is set
  ReadTraits traits;
  std::vector<Alignment> alignments;
  PrecomputedCigars paths;  // CIGARs known before the records are built
  std::vector<LongAlignment> long_alignments;
  ChainedAnchors chained;  // of a long read, if the backend has found them: all, or none but frequent ones

  /// Forgets a former read. Its memory is used again unless it had many alignments: over many batches each of these would
  /// come to hold what the most repetitive of its reads took.
  void recycle() {
    constexpr std::size_t kept = 8;  // more than most reads have
    if (alignments.capacity() > kept) std::vector<Alignment>().swap(alignments);
    paths.free_beyond(16 * kept);
    alignments.clear(), paths.clear(), long_alignments.clear();
    is_long = has_chains = false;
  }

  /// Of a short read: alignments and paths are in memory of their own, which is far from that of the read before.
  void prefetch() const {
    warpseed::prefetch(alignments.data());
    paths.prefetch();
  }
};

/// How many reads before a read is used its alignments are prefetched.
constexpr std::uint64_t prefetched_reads = 12;

}  // namespace warpseed::align
