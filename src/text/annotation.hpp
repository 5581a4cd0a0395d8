// Annotation out of GFF3, GTF and BED, and what of it lies on the contigs of a genome.
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

/// One line of GFF3 or GTF, or one block of a line of BED.
struct Feature {
  static constexpr std::uint32_t no_gene = 0xFFFFFFFF;

  std::uint64_t begin = 0;  // 0-based, half-open, on the forward strand
  std::uint64_t end = 0;    // on a circular contig it may lie behind the contig's end, by less than its length
  std::uint32_t line = 0;   // counted from 1
  std::uint32_t contig = 0;
  std::uint32_t gene = no_gene;  // number in FeatureTable::gene_names
  std::uint16_t type = 0;        // number in FeatureTable::types
  char strand = '.';             // + - . ?
};
static_assert(sizeof(Feature) == 32);

/// Features with the names that they share.
struct FeatureTable {
  std::string path;  // what messages call the file
  AnnotationFormat format = AnnotationFormat::gff3;
  StringTable types;                      // BED has none of its own: "block" for all
  StringTable names;                      // of genes
  std::vector<std::uint32_t> gene_names;  // [genes] numbers in names; two genes may have one name
  std::vector<Feature> features;

  std::string_view gene_name(std::uint32_t gene) const { return names[gene_names[gene]]; }
};

/// What a file says, its features in the file's order; Feature::contig counts in `contigs`.
struct Annotation : FeatureTable {
  StringTable contigs;
  std::vector<bool> circular;  // [contigs] GFF3 says so: Is_circular=true on a feature that begins at 1
};

/// Reads GFF3, GTF or BED (3 columns and more; blocks from 12), plain, gzip or BGZF; "-" is standard input.
///
/// The content tells the format, never the name: numbers in columns 2 and 3 are BED; nine columns with attributes
/// key=value are GFF3, with key "value" GTF. `##gff-version` must agree with the attributes, and so must all lines.
/// In GFF3 `##FASTA` or a line with > ends the annotation. Comments, `track` and `browser` lines are skipped.
///
/// Genes. GFF3: a feature belongs to the first gene (gene, pseudogene, *_gene) on the way up its Parents (the first
/// where there are several), or where there is none, as a part of a gene (CDS, exon, *RNA, ...), to its highest
/// ancestor of that kind; the gene's name is its attribute gene, gene_name, Name, locus_tag, gene_id or ID, the first
/// that it has; where a Parent is not in the file, what its children call their gene, else the Parent's ID. GTF:
/// gene_id tells genes apart, gene_name, gene or gene_id names them. BED: each line is a gene, named by column 4, or
/// "." without.
///
/// Cost: one pass, 200 MB/s of text and more; 32 bytes a feature, and the names (for GFF3 while reading all IDs).
/// Throws InputError (file:line: cause and remedy) for a malformed line, a format that changes or is none of these,
/// Parents in a circle, a file without features, damaged gzip; IoError if the file cannot be read.
Annotation read_annotation(const std::string& path);

/// An annotation laid over contigs: Feature::contig counts in those, features are in order of contig, begin, end and
/// line. No feature leaves its contig, but for those that go through the origin of a circular one.
struct BoundAnnotation : FeatureTable {
  std::vector<std::uint64_t> lengths;         // [contigs] of the contigs, in bases
  std::vector<std::uint64_t> first_features;  // [contigs + 1] where each contig's features begin

  std::uint64_t unknown_names = 0;     // of the annotation, that no contig has
  std::uint64_t unknown_features = 0;  // left out, since they are on those
  std::uint64_t bare_contigs = 0;      // that have no feature

  std::span<const Feature> on(std::uint64_t contig) const {
    return std::span(features).subspan(first_features[contig], first_features[contig + 1] - first_features[contig]);
  }
};

/// names, lengths: [contigs]. Throws InputError (file:line) for a feature beyond its contig's end, one on a name that
/// two contigs have, and, unless allow_missing, one on a name that no contig has: with the number of such names and
/// of contigs without features, and an example of each.
BoundAnnotation bind_annotation(Annotation annotation, std::span<const std::string> names,
                                std::span<const std::uint64_t> lengths, bool allow_missing);

/// A gene's own line in GFF3 or GTF: gene, pseudogene, and what ends in _gene, as ncRNA_gene.
bool is_gene_type(std::string_view type);

/// Where features of these types lie on each contig: [contigs], in order, merged where they touch or share bases. No
/// type stands for CDS, or in BED for all there is. Features through an origin give an interval on either side.
/// Throws InputError for a type that does not occur (those that do are listed), and for any type asked of BED.
std::vector<std::vector<Interval>> feature_intervals(const BoundAnnotation& annotation,
                                                     std::span<const std::string> types);

/// Puts intervals in order and merges those that touch or share bases; empty ones are dropped.
void merge_intervals(std::vector<Interval>& intervals);

}  // namespace warpseed::text
