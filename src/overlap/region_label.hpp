// The annotation of an interval of a contig: how much of it is coding, and which genes are near.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/string_table.hpp"
#include "text/annotation.hpp"
#include "text/interval.hpp"

namespace warpseed::overlap {

/// The label of an interval. Every base counts once: coding + intronic + intergenic is the interval's length.
struct RegionLabel {
  std::uint64_t coding = 0;      // bases in a feature of the selected types
  std::uint64_t intronic = 0;    // bases in a gene but in no such feature: introns and untranslated regions
  std::uint64_t intergenic = 0;  // bases in neither

  std::vector<std::string_view> genes;  // genes that share a base with the interval, by begin; each name once

  // The nearest gene that ends at or before the interval's begin, and the nearest that begins at or after its end. Of
  // equally near genes the first in the file counts. Empty if there is none, and the distance is 0.
  std::string_view gene_before, gene_after;
  std::uint64_t distance_before = 0, distance_after = 0;  // bases between gene and interval; 0 if adjacent
};

/// Labels intervals. Genes are the features of type gene (pseudogene, *_gene). A gene without such a line spans all its
/// features on the contig. In BED every line is a gene. A feature across the origin of a circular contig counts on
/// either side of it; distances do not cross the origin.
/// Cost: O(n log n) for n features once, O(log n + genes hit) per label. Threads: label() may be called concurrently.
class RegionLabeller {
 public:
  /// types: the feature types that count as coding, as for feature_intervals(); empty means CDS (in BED all). Throws
  /// InputError for a type that does not occur. The annotation is not needed afterwards.
  RegionLabeller(const text::BoundAnnotation& annotation, std::span<const std::string> types);

  /// Labels [begin, end) of a contig, 0-based, on the forward strand. The names live as long as the labeller. Throws
  /// std::invalid_argument for an interval outside the contig.
  RegionLabel label(std::uint64_t contig, std::uint64_t begin, std::uint64_t end) const;

 private:
  /// Counts the bases that lie in a set of intervals.
  class Coverage {
   public:
    Coverage() = default;
    explicit Coverage(std::vector<text::Interval> intervals);
    std::uint64_t within(std::uint64_t begin, std::uint64_t end) const { return before(end) - before(begin); }

   private:
    std::uint64_t before(std::uint64_t end) const;

    std::vector<text::Interval> intervals_;  // merged
    std::vector<std::uint64_t> sums_;        // [intervals] bases in the preceding ones
  };

  /// The interval of a gene.
  struct Span {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t name = 0;  // index in names_
    std::uint32_t line = 0;
  };

  void add_genes(const text::BoundAnnotation& annotation, std::uint64_t contig);
  std::uint64_t index_ends(std::uint64_t low, std::uint64_t high);
  void find_hits(std::uint64_t low, std::uint64_t high, text::Interval position,
                 std::vector<std::uint32_t>& names) const;
  std::vector<std::string_view> genes_at(text::Interval position) const;
  void add_neighbours(text::Interval position, text::Interval contig, RegionLabel& label) const;

  // All positions here are those of the concatenated contigs, so that one array serves all contigs.
  std::vector<std::uint64_t> contig_begins_;  // [contigs + 1]
  StringTable names_;                         // of genes
  Coverage coding_;
  Coverage genic_;                       // in a gene or coding
  std::vector<Span> genes_;              // by begin, ties in file order; none is empty
  std::vector<std::uint64_t> last_end_;  // [genes] the maximum end in the subrange with this gene in the middle
  std::vector<std::uint64_t> by_end_;    // [genes] indices by end, ties in reverse file order
};

}  // namespace warpseed::overlap
