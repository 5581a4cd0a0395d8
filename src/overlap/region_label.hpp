// What an annotation says about an interval of a contig: how much of it is coding, and which genes are near.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpseed {

struct BoundAnnotation;

/// The label of an interval. Every base counts once: coding + intronic + intergenic is the interval's length.
struct RegionLabel {
  std::uint64_t coding = 0;      // bases in a feature of the chosen types
  std::uint64_t intronic = 0;    // bases in a gene but in no such feature: introns, and untranslated parts as well
  std::uint64_t intergenic = 0;  // bases in neither

  std::vector<std::string_view> genes;  // genes that share a base with the interval, by their begin; each name once

  // The nearest gene that ends at or before the interval's begin, and the nearest that begins at or after its end;
  // of several as near the first of the file. Empty: there is none, and the distance is 0.
  std::string_view gene_before, gene_after;
  std::uint64_t distance_before = 0, distance_after = 0;  // bases between gene and interval; 0: they touch
};

/// Labels intervals. Genes are the features of type gene (pseudogene, *_gene); a gene without such a line spans all
/// its features. In BED every line is a gene. Circular contigs are cut at their origin: distances do not cross it.
/// Cost: O(n log n) for n features once, O(log n + genes hit) a label. Threads: label() may be called by many.
class RegionLabeller {
 public:
  /// types: the feature types that count as coding, as for feature_intervals(): none stands for CDS (in BED for all).
  /// Throws InputError for a type that does not occur. The annotation is not needed afterwards.
  RegionLabeller(const BoundAnnotation& annotation, std::span<const std::string> types);

  /// Labels [begin, end) of a contig, 0-based, on the forward strand. The names live as long as the labeller.
  /// Throws std::invalid_argument for a place outside the contig.
  RegionLabel label(std::uint64_t contig, std::uint64_t begin, std::uint64_t end) const;
};

}  // namespace warpseed
