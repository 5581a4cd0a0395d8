#include "align/report/long_read_counts.hpp"

#include <fmt/format.h>

namespace warpseed::align {

namespace {

/// The bases of a CIGAR.
struct Columns {
  std::uint64_t pairs = 0, inserted = 0, deleted = 0;

  explicit Columns(const std::vector<records::CigarElement>& cigar) {
    for (const records::CigarElement element : cigar) {
      const records::CigarOp op = records::cigar_op(element);
      if (records::is_aligned_pair(op)) pairs += records::cigar_length(element);
      if (op == records::CigarOp::insertion) inserted += records::cigar_length(element);
      if (op == records::CigarOp::deletion) deleted += records::cigar_length(element);
    }
  }
};

std::size_t identity_of(const records::AlignmentRecord& record) {
  const Columns columns(record.cigar);
  const std::uint64_t all = columns.pairs + columns.inserted + columns.deleted;
  const std::uint64_t different = static_cast<std::uint64_t>(record.edit_distance);
  return all == 0 || different > all ? 0 : static_cast<std::size_t>(100 * (all - different) / all);
}

}  // namespace

void LongReadCounts::add(std::uint64_t length, const ReadRecords& records) {
  ++reads, bases += length, ++lengths[length];
  const records::AlignmentRecord& primary = records.front();
  if (!records::is_mapped(primary)) return;
  ++mapped_reads;
  ++identities[identity_of(primary)];
  for (const records::AlignmentRecord& record : records) {
    if ((record.flag & records::sam_flag::secondary) != 0) continue;
    const Columns columns(record.cigar);
    mapped_bases += columns.pairs + columns.inserted;
  }
}

LongReadCounts& LongReadCounts::operator+=(const LongReadCounts& other) {
  reads += other.reads, bases += other.bases;
  mapped_reads += other.mapped_reads, mapped_bases += other.mapped_bases;
  for (const auto& [length, count] : other.lengths) lengths[length] += count;
  for (std::size_t i = 0; i < identities.size(); ++i) identities[i] += other.identities[i];
  return *this;
}

std::uint64_t LongReadCounts::n50() const {
  std::uint64_t seen = 0;
  for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
    seen += length->first * length->second;
    if (2 * seen >= bases) return length->first;
  }
  return 0;
}

std::string long_read_summary(const LongReadCounts& counts) {
  const double share =
      counts.bases == 0 ? 0 : 100.0 * static_cast<double>(counts.mapped_bases) / static_cast<double>(counts.bases);
  return fmt::format("long reads: {} with {:.1f} Mb, N50 {} bases; {:.2f}% of their bases mapped", counts.reads,
                     static_cast<double>(counts.bases) / 1e6, counts.n50(), share);
}

}  // namespace warpseed::align
