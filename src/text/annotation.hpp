// Annotations from GFF3, GTF and BED, and their features on the contigs of a genome.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/string_table.hpp"
#include "text/interval.hpp"

namespace warpseed::text {

enum class AnnotationFormat { gff3, gtf, bed };

/// A line of GFF3 or GTF, or a block of a line of BED.
struct Feature {
  static constexpr std::uint32_t no_gene = 0xFFFFFFFF;

  std::uint64_t begin = 0;  // 0-based, half-open, on the forward strand
  std::uint64_t end = 0;    // may be past the end of a circular contig, by less than its length
  std::uint32_t line = 0;   // from 1
  std::uint32_t contig = 0;
  std::uint32_t gene = no_gene;  // index into FeatureTable::gene_names
  std::uint16_t type = 0;        // index into FeatureTable::types
  char strand = '.';             // + - . ?
};
static_assert(sizeof(Feature) == 32);

/// Features and the names that they share.
struct FeatureTable {
  std::string path;  // file name in messages
  AnnotationFormat format = AnnotationFormat::gff3;
  StringTable types;                      // BED has no types: "block" for all
  StringTable names;                      // of genes
  std::vector<std::uint32_t> gene_names;  // [genes] indices into names; two genes may share a name
  std::vector<Feature> features;

  std::string_view gene_name(std::uint32_t gene) const { return names[gene_names[gene]]; }
};

/// The content of a file, features in file order; Feature::contig is an index into `contigs`.
struct Annotation : FeatureTable {
  StringTable contigs;
  std::vector<bool> circular;  // [contigs] GFF3: Is_circular=true on a feature that begins at 1
};

/// Reads GFF3, GTF or BED (at least 3 columns; blocks with 12), plain, gzip or BGZF; "-" is standard input.
///
/// The content determines the format, not the name: numbers in columns 2 and 3 are BED; nine columns with attributes
/// key=value are GFF3, with key "value" GTF. `##gff-version` must agree with the attributes, and so must all lines. In
/// GFF3 `##FASTA` or a line with > ends the annotation. Comments, `track` and `browser` lines are skipped.
///
/// Genes in GFF3: a feature belongs to the first gene (gene, pseudogene, *_gene) on its path of Parents (it follows the
/// first of several). Without such a gene, a part of a gene (CDS, exon, *RNA, ...) belongs to its highest ancestor of
/// that kind. The gene's name is the first of its attributes gene, gene_name, Name, locus_tag, gene_id and ID. If a
/// Parent is not in the file, the name is what its children call their gene, else the Parent's ID. GTF: gene_id
/// identifies genes; gene_name, gene or gene_id names them. BED: each line is a gene, named by column 4, or ".".
///
/// Cost: one pass, at least 200 MB/s of text; 32 bytes per feature, and the names (for GFF3 all IDs while reading).
/// Throws InputError (file:line: cause and remedy) for a malformed line, an unknown or changing format, a cycle of
/// Parents, a file without features, damaged gzip; IoError if the file cannot be read.
Annotation read_annotation(const std::string& path);

/// An annotation bound to contigs. Feature::contig is an index into these; features are ordered by contig, begin, end
/// and line. No feature exceeds its contig, except across the origin of a circular one.
struct BoundAnnotation : FeatureTable {
  std::vector<std::uint64_t> lengths;         // [contigs] contig lengths in bases
  std::vector<std::uint64_t> first_features;  // [contigs + 1] the first feature of each contig

  std::uint64_t unknown_names = 0;             // names of the annotation that no contig has
  std::uint64_t unknown_features = 0;          // features on these names, omitted
  std::uint64_t contigs_without_features = 0;  // contigs without features

  std::span<const Feature> on(std::uint64_t contig) const {
    return std::span(features).subspan(first_features[contig], first_features[contig + 1] - first_features[contig]);
  }
};

/// names, lengths: [contigs]. Throws InputError (file:line) for a feature past the end of its contig, one on a name
/// that two contigs share, and, unless allow_missing, one on a name that no contig has. The last message has the number
/// of such names and of contigs without features, and an example of each.
BoundAnnotation bind_annotation(Annotation annotation, std::span<const std::string> names,
                                std::span<const std::uint64_t> lengths, bool allow_missing);

/// True for the type of a gene's own line in GFF3 or GTF: gene, pseudogene, or *_gene, such as ncRNA_gene.
bool is_gene_type(std::string_view type);

/// The intervals of features of these types on each contig: [contigs], in order, merged if they touch or overlap. No
/// type means CDS, in BED all features. A feature across an origin gives an interval on either side.
/// Throws InputError for a type that does not occur (and lists those that do), and for any type with BED.
std::vector<std::vector<Interval>> feature_intervals(const BoundAnnotation& annotation,
                                                     std::span<const std::string> types);

/// Sorts intervals and merges those that touch or overlap; drops empty ones.
void merge_intervals(std::vector<Interval>& intervals);

}  // namespace warpseed::text
