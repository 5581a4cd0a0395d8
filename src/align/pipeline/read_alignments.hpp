// A read in the stages of alignment: its codes on both strands, and its alignments.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <ranges>
#include <span>
#include <string>
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

/// A read as codes 0..4 and packed, as sequenced and reverse complemented. Both are made when they are first asked for:
/// of most reads a device makes them. assign() must precede any other call. Threads: one at a time.
class PackedRead {
 public:
  PackedRead() = default;
  PackedRead(const PackedRead& other) { *this = other; }
  PackedRead(PackedRead&&) noexcept = default;
  PackedRead& operator=(const PackedRead& other);  // a copy of one with its own memory has its own, too
  PackedRead& operator=(PackedRead&&) noexcept = default;

  /// Uses its own memory, for the bases, too.
  void assign(std::string_view bases);

  /// Uses outside memory: words_of(bases.size()) words and code_bytes(bases.size()) bytes. It and the bases must outlive
  /// this.
  void assign(std::string_view bases, std::uint64_t* words, std::uint8_t* codes);
  static constexpr std::uint64_t words_of(std::uint64_t length) { return 4 * packed_words(length); }
  static constexpr std::uint64_t code_bytes(std::uint64_t length) { return 2 * length; }

  std::string_view bases() const { return bases_; }
  std::uint32_t length() const { return static_cast<std::uint32_t>(bases_.size()); }
  const std::uint8_t* codes(bool reverse) const {
    if (!has_codes_) make_codes();
    return codes_ + (reverse ? length() : 0);
  }
  PackedStrand packed(bool reverse) const { return packed_strand(words().data(), length(), reverse); }

  /// See packed_strand().
  std::span<const std::uint64_t> words() const {
    if (!has_words_) make_words();
    return {words_, words_of(length())};
  }

 private:
  struct Memory {
    std::string bases;
    std::vector<std::uint64_t> words;
    std::vector<std::uint8_t> codes;
  };

  void make_words() const;
  void make_codes() const;

  std::string_view bases_;
  std::uint64_t* words_ = nullptr;
  std::uint8_t* codes_ = nullptr;
  mutable bool has_words_ = false, has_codes_ = false;
  std::unique_ptr<Memory> own_;
};

/// The CIGAR of an alignment from its first to its last base, in the form of path_core.hpp. Owns nothing.
struct PrecomputedCigar {
  std::span<const records::CigarElement> cigar;  // M, I and D; empty: one M
  std::span<const Difference> differences;       // ascending
};

/// Empties a vector and leaves its memory: what it holds next is in `memory`.
template <class Value>
void renew(std::pmr::vector<Value>& values, std::pmr::memory_resource& memory) {
  std::destroy_at(&values);
  std::construct_at(&values, &memory);
}

/// The CIGARs of some of a read's alignments, in one block of memory.
class PrecomputedCigars {
 public:
  void clear() { words_.clear(); }
  void clear_in(std::pmr::memory_resource& memory) { renew(words_, memory); }
  void prefetch() const { warpseed::prefetch(words_.data()); }
  bool empty() const { return words_.empty(); }

  /// alignment: its index among the read's. cigar: any range of CigarElement.
  template <class Cigar>
  void add(std::uint32_t alignment, const Cigar& cigar, std::span<const Difference> differences) {
    const auto elements = static_cast<std::uint32_t>(std::ranges::size(cigar));
    words_.reserve(words_.size() + 3 + elements + differences.size());
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
  std::pmr::vector<std::uint32_t> words_;  // per CIGAR: alignment, numbers of elements and of differences; then these
};

/// A single read of more bases is a long read.
constexpr std::uint32_t longest_short_read = 1000;

/// All alignments of a read, ranked and with their competitors marked.
struct ReadAlignments {
  PackedRead read;
  bool is_long = false;     // then its alignments are long_alignments
  bool has_chains = false;  // `chained` is set
  ReadTraits traits;
  std::pmr::vector<Alignment> alignments;
  PrecomputedCigars paths;  // CIGARs known before the records are built
  std::vector<LongAlignment> long_alignments;
  ChainedAnchors chained;  // of a long read, if the backend has found them: all, or none but frequent ones

  /// Forgets a former read. The alignments and paths of the next one are in `memory`.
  void begin_in(std::pmr::memory_resource& memory) {
    renew(alignments, memory), paths.clear_in(memory);
    if (is_long) long_alignments.clear();  // of a short read, it stays out of the caches
    is_long = has_chains = false;
  }

  /// Of a short read: alignments and paths may be far from those of the read before.
  void prefetch() const {
    warpseed::prefetch(alignments.data());
    paths.prefetch();
  }
};

/// How many reads before a read is used its alignments are prefetched.
constexpr std::uint64_t prefetched_reads = 12;

}  // namespace warpseed::align
