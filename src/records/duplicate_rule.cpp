#include "records/duplicate_rule.hpp"

#include <algorithm>
#include <charconv>
#include <compare>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "core/prefetch.hpp"
#include "records/name_order.hpp"
#include "records/record_slot.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint32_t single_end_kind = 8;  // above all kinds of pairs; `here` has the strand

bool is_reverse(const bam1_t* record) {
  return (record->core.flag & BAM_FREVERSE) != 0;
}
bool is_mate_reverse(const bam1_t* record) {
  return (record->core.flag & BAM_FMREVERSE) != 0;
}
bool is_first(const bam1_t* record) {
  return (record->core.flag & BAM_FREAD1) != 0;
}
bool is_primary(const bam1_t* record) {
  return (record->core.flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY)) == 0;
}

/// The fields that make two claims equal.
auto what(const DuplicateKey& claim) {
  return std::tie(claim.here, claim.there, claim.kind);
}

/// Compares two equal claims; below 0 if `a` is the better one.
int compare_scores(const DuplicateKey& a, const DuplicateKey& b) {
  const bool to_place = a.kind >= single_end_kind;
  if (to_place && a.loses() != b.loses()) return a.loses() ? 1 : -1;
  if (a.record->id != b.record->id) return a.record->id > b.record->id ? -1 : 1;
  if (!to_place) return std::strcmp(bam_get_qname(a.record), bam_get_qname(b.record));
  if (a.record->core.pos != b.record->core.pos) return a.record->core.pos < b.record->core.pos ? -1 : 1;
  return compare_names(bam_get_qname(a.record), bam_get_qname(b.record));
}

/// The first record of a single read or of a pair.
bool begins_read(const bam1_t* record) {
  return is_primary(record) && ((record->core.flag & BAM_FPAIRED) == 0 || is_first(record));
}

}  // namespace

std::uint64_t quality_score(const bam1_t* record) {
  const std::uint8_t* qualities = bam_get_qual(record);
  std::uint64_t score = 0;
  for (std::int32_t i = 0; i < record->core.l_qseq; ++i) score += score_of_quality(qualities[i]);
  return score;
}

ReadEnds mate_ends_of(const bam1_t* record) {
  const std::uint8_t* tag = bam_aux_get(record, "MC");
  const char* text = tag ? bam_aux2Z(tag) : nullptr;
  if (!text) throw std::invalid_argument("duplicate marking: a record of a pair has no MC");
  const std::string_view cigar = text;
  CigarSums sums;
  for (const char *at = cigar.data(), *end = at + cigar.size(); at != end;) {
    std::int64_t length = 0;
    at = std::from_chars(at, end, length).ptr;
    if (at == end) break;
    sums.add(*at++, length);
  }
  return sums.ends_at(record->core.mpos);
}

std::int64_t store_scores(std::span<const BamRecord> records) {
  std::int64_t longest = 0;
  bam1_t* first = nullptr;  // whose mate follows
  constexpr std::size_t ahead = 8;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i + 2 * ahead < records.size()) prefetch(records[i + 2 * ahead].get());
    if (i + ahead < records.size()) prefetch(bam_get_cigar(records[i + ahead].get()));
    bam1_t* record = records[i].get();
    if (!is_primary(record)) continue;
    if (record->id == 0) record->id = quality_score(record);
    if (takes_part(record->core.flag)) {
      const ReadEnds ends = ends_of(record);
      longest = std::max(longest, ends.high - ends.low + 1);
    }
    if (!is_of_pair(record->core.flag)) continue;
    if (is_first(record)) {
      first = record;
    } else if (first) {
      first->id = record->id = first->id + record->id;
      first = nullptr;
    }
  }
  return longest;
}

std::size_t begin_of_read(std::span<const BamRecord> records, std::size_t i) {
  while (i > 0 && i < records.size() && !begins_read(records[i].get())) ++i;
  return i;
}

bool DuplicateKey::same_as(const DuplicateKey& other) const {
  return what(*this) == what(other);
}

bool DuplicateKey::loses() const {
  return kind < single_end_kind || !is_of_pair(record->core.flag);
}

DuplicateKey pair_claim(bam1_t* record, std::uint32_t order) {
  const bam1_core_t& core = record->core;
  const bool reverse = is_reverse(record), mate_reverse = is_mate_reverse(record);
  const ReadEnds mine = ends_of(record), mate = mate_ends_of(record);
  const std::int64_t my_start = mine.five_prime(reverse), its_start = mate.five_prime(mate_reverse);
  const bool left = core.tid != core.mtid ? core.tid < core.mtid : my_start <= its_start;
  const bool two_strands = reverse != mate_reverse;
  // On two strands: whether the mates face away from each other (RF). On one: a fragment sequenced from its other end
  // has strands and mates exchanged, and is still the same.
  const bool reversed = two_strands ? left == reverse : (left == reverse) == is_first(record);
  const auto kind = (left ? 4U : 0U) | (two_strands ? 2U : 0U) | (reversed ? 1U : 0U);
  const std::int64_t here = two_strands ? my_start : left ? mine.low : mine.high;
  const std::int64_t there = two_strands ? its_start : left ? mate.high : mate.low;
  return {position_key(core.tid, here), position_key(core.mtid, there), kind, order, record};
}

DuplicateKey single_end_claim(bam1_t* record, std::uint32_t order) {
  return {five_prime_key(record, ends_of(record)), 0, single_end_kind, order, record};
}

bool comes_before(const DuplicateKey& a, const DuplicateKey& b) {
  if (const auto by_claim = what(a) <=> what(b); by_claim != 0) return by_claim < 0;
  const int compared = compare_scores(a, b);
  return compared != 0 ? compared < 0 : a.order < b.order;
}

}  // namespace warpseed::records
