#include "align/report/error_profile.hpp"

#include <algorithm>
#include <cassert>
#include <string_view>

#include "reads/simd_bases.hpp"
#include "text/alphabet.hpp"

namespace warpseed::align {

namespace {

bool is_base(char letter) {
  return text::code_of_base(letter) < text::code_n;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// Calls mismatch(i, letter) for each mismatch of an MD text: the i-th aligned base is on the genome's `letter`.
template <class Mismatch>
void for_each_mismatch(std::string_view mismatches, const Mismatch& mismatch) {
  std::size_t base = 0;
  for (std::size_t i = 0; i < mismatches.size();) {
    if (is_digit(mismatches[i])) {
      std::size_t run = 0;
      for (; i < mismatches.size() && is_digit(mismatches[i]); ++i) {
        run = 10 * run + static_cast<std::size_t>(mismatches[i] - '0');
      }
      base += run;
    } else if (mismatches[i] == '^') {
      for (++i; i < mismatches.size() && !is_digit(mismatches[i]);) ++i;
    } else {
      mismatch(base++, mismatches[i++]);
    }
  }
}

}  // namespace

PositionCounts& PositionCounts::operator+=(const PositionCounts& other) {
  reads += other.reads, aligned += other.aligned, mismatches += other.mismatches;
  inserted += other.inserted, deletions += other.deletions, soft_clipped += other.soft_clipped;
  return *this;
}

/// Adds 1 to [begin, end).
void ErrorProfile::count(Counter counter, std::uint32_t begin, std::uint32_t end) {
  ++(changes_[begin].*counter);
  --(changes_[end].*counter);
}

void ErrorProfile::uncount(Counter counter, std::uint32_t position) {
  --(changes_[position].*counter);
  ++(changes_[position + 1].*counter);
}

void ErrorProfile::add(const AlignedRecord& record, const reads::ReadView& read) {
  const auto length = static_cast<std::uint32_t>(read.bases.size());
  if (changes_.size() < length + std::size_t{1}) changes_.resize(length + std::size_t{1});
  count(&PositionCounts::reads, 0, length);
  add_cigar(record, length);
  if (!reads::only_acgt(read.bases)) leave_out_unknown(read.bases, record.is_reverse());
  add_mismatches(record, read.bases);
}

void ErrorProfile::add_cigar(const AlignedRecord& record, std::uint32_t length) {
  const bool reverse = record.is_reverse();
  const auto count_here = [&](Counter counter, std::uint32_t begin, std::uint32_t size) {
    const std::uint32_t position = reverse ? length - begin - size : begin;
    count(counter, position, position + size);
  };
  runs_.clear();
  std::size_t bases = 0;  // aligned so far
  std::uint32_t at = 0;   // in the record's SEQ
  for (const records::CigarElement element : record.cigar) {
    const records::CigarOp op = records::cigar_op(element);
    const std::uint32_t size = records::cigar_length(element);
    if (op == records::CigarOp::deletion) {
      assert(at > 0 && at < length);  // an alignment begins and ends with aligned bases
      count_here(&PositionCounts::deletions, reverse ? at : at - 1, 1);
      continue;
    }
    if (records::is_aligned_pair(op)) {
      count_here(&PositionCounts::aligned, at, size);
      runs_.push_back({bases, at, size});
      bases += size;
    }
    if (op == records::CigarOp::insertion) count_here(&PositionCounts::inserted, at, size);
    if (op == records::CigarOp::soft_clip) count_here(&PositionCounts::soft_clipped, at, size);
    at += size;
  }
}

/// Uncounts characters other than ACGT, which add_cigar() counts as aligned.
void ErrorProfile::leave_out_unknown(std::string_view sequence, bool reverse) {
  const auto length = static_cast<std::uint32_t>(sequence.size());
  for (const AlignedRun& run : runs_) {
    const std::uint32_t begin = reverse ? length - run.begin - run.size : run.begin;
    for (std::uint32_t position = begin; position < begin + run.size; ++position) {
      if (!is_base(sequence[position])) uncount(&PositionCounts::aligned, position);
    }
  }
}

void ErrorProfile::add_mismatches(const AlignedRecord& record, std::string_view sequence) {
  const bool reverse = record.is_reverse();
  const auto length = static_cast<std::uint32_t>(sequence.size());
  auto run = runs_.begin();
  for_each_mismatch(record.mismatches, [&](std::size_t base, char genome_letter) {
    while (base >= run->first_base + run->size) ++run;
    const std::uint32_t at = run->begin + static_cast<std::uint32_t>(base - run->first_base);
    const std::uint32_t position = reverse ? length - 1 - at : at;
    if (!is_base(sequence[position])) return;
    if (is_base(genome_letter)) {
      count(&PositionCounts::mismatches, position, position + 1);
    } else {
      uncount(&PositionCounts::aligned, position);
    }
  });
}

ErrorProfile& ErrorProfile::operator+=(const ErrorProfile& other) {
  changes_.resize(std::max(changes_.size(), other.changes_.size()));
  for (std::size_t i = 0; i < other.changes_.size(); ++i) changes_[i] += other.changes_[i];
  return *this;
}

std::vector<PositionCounts> ErrorProfile::positions() const {
  std::vector<PositionCounts> positions(changes_.empty() ? 0 : changes_.size() - 1);
  PositionCounts here;
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = here += changes_[i];
  return positions;
}

}  // namespace warpseed::align
