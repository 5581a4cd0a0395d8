#include "align/difference_profile.hpp"

#include <algorithm>
#include <cassert>
#include <string_view>

#include "text/alphabet.hpp"

namespace warpseed {

namespace {

bool is_base(char letter) {
  return code_of_letter(letter) < code_n;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// Calls mismatch(i, letter) for each mismatch of an MD text: the i-th aligned base stands on `letter` of the genome.
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

void DifferenceProfile::add(const AlignmentRecord& record, const ReadView& read) {
  if (positions_.size() < read.letters.size()) positions_.resize(read.letters.size());
  for (std::size_t i = 0; i < read.letters.size(); ++i) ++positions_[i].reads;
  add_cigar(record, static_cast<std::uint32_t>(read.letters.size()));
  add_aligned(record, read);
}

void DifferenceProfile::add_cigar(const AlignmentRecord& record, std::uint32_t length) {
  const bool reverse = (record.flag & sam_flag::reverse) != 0;
  const auto position_of = [&](std::uint32_t at) { return reverse ? length - 1 - at : at; };
  aligned_.clear();
  std::uint32_t at = 0;  // in the record's SEQ
  for (const CigarElement element : record.cigar) {
    const CigarOp op = cigar_op(element);
    if (op == CigarOp::deletion) {
      assert(at > 0 && at < length);  // an alignment begins and ends with aligned bases
      ++positions_[position_of(reverse ? at : at - 1)].deletions;
      continue;
    }
    for (const std::uint32_t end = at + cigar_length(element); at < end; ++at) {
      const std::uint32_t position = position_of(at);
      if (op == CigarOp::match) aligned_.push_back(position);
      if (op == CigarOp::insertion) ++positions_[position].inserted;
      if (op == CigarOp::soft_clip) ++positions_[position].soft_clipped;
    }
  }
}

void DifferenceProfile::add_aligned(const AlignmentRecord& record, const ReadView& read) {
  for (const std::uint32_t position : aligned_) positions_[position].aligned += is_base(read.letters[position]);
  for_each_mismatch(record.mismatches, [&](std::size_t base, char genome_letter) {
    const std::uint32_t position = aligned_[base];
    if (!is_base(read.letters[position])) return;
    if (is_base(genome_letter)) {
      ++positions_[position].mismatches;
    } else {
      --positions_[position].aligned;
    }
  });
}

DifferenceProfile& DifferenceProfile::operator+=(const DifferenceProfile& other) {
  positions_.resize(std::max(positions_.size(), other.positions_.size()));
  for (std::size_t i = 0; i < other.positions_.size(); ++i) positions_[i] += other.positions_[i];
  return *this;
}

}  // namespace warpseed
