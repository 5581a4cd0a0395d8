// What a report needs of the genome: contigs, and which of their bases are not N.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/index_file.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

struct ReferenceLayout {
  std::vector<std::string> contig_names;
  std::vector<std::uint64_t> contig_begins;  // as in GenomeView
  std::vector<text::Segment> segments;       // the same

  ReferenceLayout() = default;
  explicit ReferenceLayout(const index::Index& index);

  /// Without bases; this must outlive it.
  text::GenomeView view() const {
    return {{}, {segments.data(), segments.size()}, {contig_begins.data(), contig_begins.size()}};
  }

  /// Whether contigs and segments are in order, no contig is empty, and each segment is in one contig. For what is read
  /// from a file.
  bool is_valid() const;

  /// For ValueWriter and ValueReader.
  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.contig_names, self.contig_begins);
    values.sequence(self.segments, [&](auto& segment) { values(segment.text_begin, segment.genome_begin); });
  }
};

}  // namespace warpseed::align
