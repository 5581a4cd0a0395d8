// Builds the FM-index from the rows of a suffix array as they come.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "index/fm_index.hpp"
#include "suffix/separator_map.hpp"
#include "suffix/sorted_rows.hpp"
#include "text/genome_core.hpp"

namespace warpseed::index {

/// Takes the rows of a genome's suffix array in any order and from several threads, each row once.
class FmBuilder {
 public:
  /// Allocates the index. The genome must outlive the builder.
  FmBuilder(const text::GenomeView& genome, std::uint32_t sample_step);

  const suffix::SeparatorMap& separators() const { return separators_; }

  template <class Pos>
  void add(const suffix::SortedRows<Pos>& rows);

  /// Returns the index when every row has come.
  FmIndex finish(int threads);

 private:
  struct SegmentStart {
    Row row;
    TextPos position;

    friend bool operator<(const SegmentStart& a, const SegmentStart& b) { return a.row < b.row; }
  };

  bool starts_segment(TextPos at) const;
  template <class Pos>
  RankBlock planes(const suffix::SortedRows<Pos>& rows, std::uint64_t begin, std::uint64_t end,
                   std::vector<SegmentStart>& starts) const;
  template <class Pos>
  void sample(const suffix::SortedRows<Pos>& rows);
  void count_bases(int threads);
  void put_segment_starts();

  text::GenomeView genome_;
  suffix::SeparatorMap separators_;
  FmIndex index_;
  std::mutex starts_mutex_;
  std::vector<SegmentStart> starts_;
};

extern template void FmBuilder::add(const suffix::SortedRows<std::uint32_t>&);
extern template void FmBuilder::add(const suffix::SortedRows<std::uint64_t>&);

}  // namespace warpseed::index
