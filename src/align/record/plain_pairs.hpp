// Makes the records of plain pairs without AlignmentRecords: see plain_record_core.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "align/record/path.hpp"
#include "align/record/plain_record_core.hpp"
#include "index/index_file.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::align {

/// Two mates, aligned. Owns nothing.
struct AlignedPair {
  const ReadAlignments& first;
  const ReadAlignments& second;
  ChoicePair choices;
};

/// Its records are those of RecordBuilder. Threads: one of these per thread.
class PlainPairs {
 public:
  PlainPairs(const index::Index& index, const AlignOptions& options)
      : genome_(index.genome()),
        options_(options),
        tracers_{PathTracer(index.genome(), options), PathTracer(index.genome(), options)} {}

  /// Can pairs be plain, or do the options ask for more of every record?
  static bool fit(const AlignOptions& options) {
    return !options.report_all && !options.ds && !options.eqx && options.cs == CsTag::none;
  }

  /// Appends the record of each mate. False, and nothing appended, if the pair is not plain. read_groups: IDs by the
  /// reads' group number.
  bool add(const AlignedPair& pair, const std::array<reads::ReadView, 2>& reads,
           const std::vector<std::string>& read_groups, records::BamMemory& memory,
           std::vector<records::BamRecord>& to);

 private:
  using Mate = PlainMate<View<records::CigarElement>>;

  Mate mate_of(const ReadAlignments& aligned, const Choice& choice, std::size_t number);
  std::span<const std::uint8_t> put_data(const Mate& mine, const Mate& mate, const reads::ReadView& read,
                                         const std::string& read_group);
  records::BamRecord record(const Mate& mine, const Mate& mate, bool first, const reads::ReadView& read,
                            const std::string& read_group, records::BamMemory& memory);

  const text::GenomeView& genome_;
  const AlignOptions& options_;
  std::array<PathTracer, 2> tracers_;                // of each mate
  std::array<records::CigarElement, 2> ungapped_{};  // paths of one element
  std::vector<std::uint8_t> data_;                   // of a record
};

}  // namespace warpseed::align
