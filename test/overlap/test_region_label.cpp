#include "overlap/region_label.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/temp_folder.hpp"

namespace warpseed {

using namespace overlap;
using namespace text;

using test::TempFolder;

namespace {

using Names = std::vector<std::string>;
using Lengths = std::vector<std::uint64_t>;

BoundAnnotation bound(const std::string& content, const Names& names, const Lengths& lengths) {
  const TempFolder folder;
  return bind_annotation(read_annotation(folder.write("a", content)), names, lengths, false);
}

std::string line(const std::string& contig, const std::string& type, std::uint64_t begin, std::uint64_t end,
                 const std::string& attributes) {
  return fmt::format("{}\tx\t{}\t{}\t{}\t.\t+\t.\t{}\n", contig, type, begin + 1, end, attributes);
}

/// "coding intronic intergenic [genes] before@distance after@distance".
std::string shown(const RegionLabel& label) {
  return fmt::format("{} {} {} [{}] {}@{} {}@{}", label.coding, label.intronic, label.intergenic,
                     fmt::join(label.genes, ","), label.gene_before, label.distance_before, label.gene_after,
                     label.distance_after);
}

/// A gene of the model: the interval of its line and those of its coding parts.
struct Gene {
  std::string name;
  std::size_t contig;
  Interval span;
  std::vector<Interval> coding;
};

/// The label, computed base by base and gene by gene.
std::string naive_label(const std::vector<Gene>& genes, std::size_t contig, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t coding = 0, intronic = 0;
  for (std::uint64_t at = begin; at < end; ++at) {
    bool is_coding = false, in_gene = false;
    for (const Gene& gene : genes) {
      if (gene.contig != contig) continue;
      in_gene |= gene.span.begin <= at && at < gene.span.end;
      for (const Interval& part : gene.coding) is_coding |= part.begin <= at && at < part.end;
    }
    coding += is_coding;
    intronic += in_gene && !is_coding;
  }
  std::vector<Gene> sorted = genes;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Gene& a, const Gene& b) { return a.span.begin < b.span.begin; });
  Names hit;
  for (const Gene& gene : sorted) {
    const bool shares = gene.contig == contig && gene.span.begin < end && begin < gene.span.end && begin < end;
    if (shares && std::find(hit.begin(), hit.end(), gene.name) == hit.end()) hit.push_back(gene.name);
  }
  const Gene *before = nullptr, *after = nullptr;
  for (const Gene& gene : genes) {
    if (gene.contig != contig) continue;
    if (gene.span.end <= begin && (!before || gene.span.end > before->span.end)) before = &gene;
    if (gene.span.begin >= end && (!after || gene.span.begin < after->span.begin)) after = &gene;
  }
  return fmt::format("{} {} {} [{}] {}@{} {}@{}", coding, intronic, end - begin - coding - intronic,
                     fmt::join(hit, ","), before ? before->name : "", before ? begin - before->span.end : 0,
                     after ? after->name : "", after ? after->span.begin - end : 0);
}

std::vector<Gene> random_genes(const Lengths& lengths, std::size_t count, unsigned longest, std::mt19937& rng) {
  std::vector<Gene> genes(count);
  for (std::size_t i = 0; i < count; ++i) {
    Gene& gene = genes[i];
    gene.name = fmt::format("n{}", rng() % (count + 3) / 2);  // two genes sometimes share a name
    gene.contig = rng() % lengths.size();
    const std::uint64_t length = lengths[gene.contig];
    const std::uint64_t begin = rng() % length;
    gene.span = {begin, begin + 1 + rng() % std::min<std::uint64_t>(longest, length - begin)};
    for (std::uint64_t at = gene.span.begin; at < gene.span.end; at += 1 + rng() % 20) {
      const std::uint64_t end = std::min(gene.span.end, at + 1 + rng() % 15);
      gene.coding.push_back({at, end});
      at = end;
    }
  }
  return genes;
}

/// The genes as GFF3, GTF or BED12; in GTF without the genes' own lines, so that their parts define the span.
std::string written(std::vector<Gene>& genes, const Names& names, unsigned style) {
  std::string text;
  for (std::size_t i = 0; i < genes.size(); ++i) {
    Gene& gene = genes[i];
    const std::string& contig = names[gene.contig];
    if (style == 0)
      text += line(contig, "gene", gene.span.begin, gene.span.end, fmt::format("ID=g{};Name={}", i, gene.name));
    std::string sizes, starts;
    for (const Interval& part : gene.coding) {
      const std::string attributes = style == 0 ? fmt::format("ID=c{};Parent=g{};Name=other", i, i)
                                                : fmt::format("gene_id \"g{}\"; gene_name \"{}\";", i, gene.name);
      if (style < 2) text += line(contig, "CDS", part.begin, part.end, attributes);
      sizes += fmt::format("{},", part.end - part.begin);
      starts += fmt::format("{},", part.begin - gene.span.begin);
    }
    if (style == 2) {
      text += fmt::format("{}\t{}\t{}\t{}\t0\t+\t0\t0\t0\t{}\t{}\t{}\n", contig, gene.span.begin, gene.span.end,
                          gene.name, gene.coding.size(), sizes, starts);
    }
    if (style > 0) gene.span = {gene.coding.front().begin, gene.coding.back().end};
  }
  return text;
}

}  // namespace

TEST_CASE("labels equal those of counting base by base and gene by gene", "[overlap][region_label]") {
  const std::size_t count = GENERATE(as<std::size_t>{}, 1, 2, 3, 31, 32, 33, 200);
  const unsigned longest = GENERATE(1U, 30U, 400U);
  const unsigned style = GENERATE(0U, 1U, 2U);
  const unsigned seed = static_cast<unsigned>(count) * 1000 + longest + style;
  CAPTURE(count, longest, style, seed);
  std::mt19937 rng(seed);
  const Names names = {"a", "b", "c", "d"};
  const Lengths lengths = {1, 300, 1 + rng() % 1000, 40};
  std::vector<Gene> genes = random_genes(lengths, count, longest, rng);
  const std::string content = written(genes, names, style);
  const RegionLabeller labeller(bound(content, names, lengths), {});
  for (int i = 0; i < 200; ++i) {
    const std::size_t contig = rng() % lengths.size();
    const std::uint64_t begin = rng() % (lengths[contig] + 1);
    const std::uint64_t end = begin + rng() % (std::min<std::uint64_t>(lengths[contig] - begin, 60) + 1);
    CAPTURE(contig, begin, end);
    REQUIRE(shown(labeller.label(contig, begin, end)) == naive_label(genes, contig, begin, end));
  }
}

TEST_CASE("introns, untranslated regions and the neighbours of an interval", "[overlap][region_label]") {
  const std::string content = line("c", "gene", 10, 50, "ID=g1;Name=A") + line("c", "mRNA", 10, 50, "ID=t1;Parent=g1") +
                              line("c", "exon", 10, 25, "Parent=t1") + line("c", "exon", 40, 50, "Parent=t1") +
                              line("c", "CDS", 15, 25, "ID=p1;Parent=t1") +
                              line("c", "CDS", 40, 45, "ID=p1;Parent=t1") +
                              line("c", "pseudogene", 60, 70, "ID=g2;Name=B") + line("c", "region", 0, 100, "ID=c");
  const BoundAnnotation annotation = bound(content, {"c", "d"}, {100, 10});
  const RegionLabeller coding(annotation, {});
  CHECK(shown(coding.label(0, 0, 100)) == "15 35 50 [A,B] @0 @0");
  CHECK(shown(coding.label(0, 12, 45)) == "15 18 0 [A] @0 B@15");
  CHECK(shown(coding.label(0, 50, 60)) == "0 0 10 [] A@0 B@0");
  CHECK(shown(coding.label(0, 60, 60)) == "0 0 0 [] A@10 B@0");
  CHECK(shown(coding.label(0, 80, 81)) == "0 0 1 [] B@10 @0");
  CHECK(shown(coding.label(1, 0, 10)) == "0 0 10 [] @0 @0");
  const RegionLabeller exons(annotation, Names{"exon"});
  CHECK(shown(exons.label(0, 0, 100)) == "25 25 50 [A,B] @0 @0");
  CHECK_THROWS_AS(coding.label(2, 0, 0), std::invalid_argument);
  CHECK_THROWS_AS(coding.label(0, 5, 4), std::invalid_argument);
  CHECK_THROWS_AS(coding.label(1, 0, 11), std::invalid_argument);
}

TEST_CASE("a gene across the origin lies on either side of it", "[overlap][region_label]") {
  const std::string circle = line("c", "region", 0, 100, "ID=c;Is_circular=true");
  const std::string own_line = line("c", "gene", 80, 120, "ID=g;Name=G") + line("c", "CDS", 90, 110, "ID=p;Parent=g");
  const std::string parts = line("c", "CDS", 80, 95, "ID=p;gene=G") + line("c", "CDS", 98, 120, "ID=p;gene=G");
  const RegionLabeller first(bound(circle + own_line, {"c"}, {100}), {});
  CHECK(shown(first.label(0, 0, 100)) == "20 20 60 [G] @0 @0");
  CHECK(shown(first.label(0, 15, 30)) == "0 5 10 [G] @0 G@50");
  CHECK(shown(first.label(0, 30, 70)) == "0 0 40 [] G@10 G@10");
  const RegionLabeller second(bound(circle + parts, {"c"}, {100}), {});
  CHECK(shown(second.label(0, 0, 100)) == "37 3 60 [G] @0 @0");
  CHECK(shown(second.label(0, 30, 70)) == "0 0 40 [] G@10 G@10");
}

}  // namespace warpseed
