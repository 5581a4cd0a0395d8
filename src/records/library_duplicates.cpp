#include "records/library_duplicates.hpp"

#include <htslib/sam.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "records/duplicate_rule.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

void LibraryDuplicates::count(std::uint16_t flag) {
  if ((flag & BAM_FUNMAP) != 0) {
    ++unmapped;
  } else if ((flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY)) != 0) {
    ++non_primary;
  } else if (!takes_part(flag)) {
    ++qc_failed;
  } else {
    ++(is_of_pair(flag) ? compared.of_pairs : compared.single);
    if ((flag & BAM_FDUP) != 0) count_marked(flag);
  }
}

void LibraryDuplicates::count_marked(std::uint16_t flag) {
  ++(is_of_pair(flag) ? compared.of_pairs_marked : compared.single_marked);
}

LibraryDuplicates& LibraryDuplicates::operator+=(const LibraryDuplicates& other) {
  compared += other.compared;
  unmapped += other.unmapped, non_primary += other.non_primary, qc_failed += other.qc_failed;
  return *this;
}

std::optional<std::uint64_t> LibraryDuplicates::estimated_size() const {
  return estimate_library_size(pairs(), pairs() - pair_duplicates());
}

/// With y = pairs / X, (1 - exp(-y)) / y is the share of distinct pairs. It falls from 1 to 0 as y grows, and lies
/// between 1 - y / 2 and 1 / y, which gives the interval that is halved.
std::optional<std::uint64_t> estimate_library_size(std::uint64_t pairs, std::uint64_t distinct) {
  if (distinct == 0 || distinct >= pairs) return {};
  const double share = static_cast<double>(distinct) / static_cast<double>(pairs);
  double low = 2 * static_cast<double>(pairs - distinct) / static_cast<double>(pairs), high = 1 / share;
  for (double middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    (-std::expm1(-middle) / middle > share ? low : high) = middle;
  }
  return static_cast<std::uint64_t>(static_cast<double>(pairs) / low);
}

LibraryTable::LibraryTable(const std::vector<std::string>& read_group_lines) {
  const auto number_of = [this](std::string_view name) {
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known == names_.end()) names_.emplace_back(name);
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  };
  for (const std::string& line : read_group_lines) {
    const std::string_view library = header_field(line, "LB");
    by_read_group_.emplace(header_field(line, "ID"), number_of(library.empty() ? unknown_library : library));
  }
  unknown_in_header_ = std::find(names_.begin(), names_.end(), unknown_library) != names_.end();
  unknown_ = number_of(unknown_library);
}

std::vector<LibraryDuplicates> LibraryTable::empty_counts() const {
  std::vector<LibraryDuplicates> counts;
  for (const std::string& name : names_) counts.push_back({name});
  return counts;
}

std::size_t LibraryTable::of(const bam1_t* record) const {
  const std::uint8_t* tag = has_several() ? bam_aux_get(record, "RG") : nullptr;
  const char* group = tag ? bam_aux2Z(tag) : nullptr;
  if (!group) return unknown_;
  const auto known = by_read_group_.find(std::string_view(group));
  return known == by_read_group_.end() ? unknown_ : known->second;
}

DuplicateSummary LibraryTable::summary(std::vector<LibraryDuplicates> counts) const {
  const LibraryDuplicates& unknown = counts[unknown_];
  const bool used = unknown.compared.compared() + unknown.unmapped + unknown.non_primary + unknown.qc_failed > 0;
  if (!used && !unknown_in_header_ && counts.size() > 1) {
    counts.erase(counts.begin() + static_cast<std::ptrdiff_t>(unknown_));
  }
  DuplicateSummary summary{{}, std::move(counts)};
  for (const LibraryDuplicates& library : summary.libraries) summary.all += library.compared;
  return summary;
}

}  // namespace warpseed::records
