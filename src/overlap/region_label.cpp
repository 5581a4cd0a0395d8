#include "overlap/region_label.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace warpseed::overlap {

namespace {

/// A feature as evidence for the position of its gene; on a circular contig its end may be past the contig's end.
struct GenePart {
  std::uint32_t gene = 0;
  bool own_line = false;  // the gene has a line of its own and this is it
  text::Interval position;
  std::uint32_t line = 0;
};

/// The parts of a contig's genes: for a gene with lines of its own only those, for others one part that spans all.
std::vector<GenePart> gene_parts(const text::BoundAnnotation& annotation, std::uint64_t contig) {
  std::vector<GenePart> parts;
  for (const text::Feature& feature : annotation.on(contig)) {
    if (feature.gene == text::Feature::no_gene || feature.begin == feature.end) continue;
    const bool own_line = text::is_gene_type(annotation.types[feature.type]);
    parts.push_back({feature.gene, own_line, {feature.begin, feature.end}, feature.line});
  }
  std::sort(parts.begin(), parts.end(), [](const GenePart& a, const GenePart& b) {
    return std::tie(a.gene, b.own_line, a.position, a.line) < std::tie(b.gene, a.own_line, b.position, b.line);
  });
  std::size_t kept = 0;
  for (const GenePart& part : parts) {
    GenePart* const last = kept > 0 ? &parts[kept - 1] : nullptr;
    if (!last || last->gene != part.gene || part.own_line) {
      parts[kept++] = part;
    } else if (!last->own_line) {
      last->position.end = std::max(last->position.end, part.position.end);
      last->line = std::min(last->line, part.line);
    }
  }
  parts.resize(kept);
  return parts;
}

}  // namespace

RegionLabeller::Coverage::Coverage(std::vector<text::Interval> intervals) : intervals_(std::move(intervals)) {
  text::merge_intervals(intervals_);
  std::uint64_t sum = 0;
  sums_.reserve(intervals_.size());
  for (const text::Interval& interval : intervals_) {
    sums_.push_back(sum);
    sum += interval.end - interval.begin;
  }
}

std::uint64_t RegionLabeller::Coverage::before(std::uint64_t end) const {
  const auto after = std::partition_point(intervals_.begin(), intervals_.end(),
                                          [&](const text::Interval& interval) { return interval.begin < end; });
  if (after == intervals_.begin()) return 0;
  const text::Interval& last = *(after - 1);
  return sums_[static_cast<std::size_t>(after - 1 - intervals_.begin())] + std::min(end, last.end) - last.begin;
}

RegionLabeller::RegionLabeller(const text::BoundAnnotation& annotation, std::span<const std::string> types)
    : contig_begins_(annotation.lengths.size() + 1), names_(annotation.names) {
  std::partial_sum(annotation.lengths.begin(), annotation.lengths.end(), contig_begins_.begin() + 1);
  std::vector<text::Interval> positions;
  const std::vector<std::vector<text::Interval>> coding = text::feature_intervals(annotation, types);
  for (std::uint64_t contig = 0; contig < coding.size(); ++contig) {
    const std::uint64_t origin = contig_begins_[contig];
    for (const text::Interval& position : coding[contig])
      positions.push_back({origin + position.begin, origin + position.end});
    add_genes(annotation, contig);
  }
  coding_ = Coverage(positions);
  for (const Span& gene : genes_) positions.push_back({gene.begin, gene.end});
  genic_ = Coverage(std::move(positions));

  std::sort(genes_.begin(), genes_.end(), [](const Span& a, const Span& b) {
    return std::tie(a.begin, a.line, a.end) < std::tie(b.begin, b.line, b.end);
  });
  last_end_.resize(genes_.size());
  index_ends(0, genes_.size());
  by_end_.resize(genes_.size());
  std::iota(by_end_.begin(), by_end_.end(), std::uint64_t{0});
  std::sort(by_end_.begin(), by_end_.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::tie(genes_[a].end, genes_[b].line, b) < std::tie(genes_[b].end, genes_[a].line, a);
  });
}

void RegionLabeller::add_genes(const text::BoundAnnotation& annotation, std::uint64_t contig) {
  const std::uint64_t origin = contig_begins_[contig], length = annotation.lengths[contig];
  for (const GenePart& part : gene_parts(annotation, contig)) {
    const std::uint32_t name = annotation.gene_names[part.gene];
    genes_.push_back({origin + part.position.begin, origin + std::min(part.position.end, length), name, part.line});
    if (part.position.end > length) {
      genes_.push_back({origin, origin + std::min(part.position.end - length, part.position.begin), name, part.line});
    }
  }
}

/// The maximum end of genes [low, high), stored for the gene in the middle.
std::uint64_t RegionLabeller::index_ends(std::uint64_t low, std::uint64_t high) {
  if (low == high) return 0;
  const std::uint64_t middle = low + (high - low) / 2;
  const std::uint64_t left = index_ends(low, middle), right = index_ends(middle + 1, high);
  return last_end_[middle] = std::max({left, right, genes_[middle].end});
}

/// Adds the names of the genes in [low, high) that share a base with `position`, in their order. A binary tree of
/// intervals in an array: Cormen et al., "Introduction to Algorithms", 14.3.
void RegionLabeller::find_hits(std::uint64_t low, std::uint64_t high, text::Interval position,
                               std::vector<std::uint32_t>& names) const {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (last_end_[middle] <= position.begin) return;
    find_hits(low, middle, position, names);
    if (genes_[middle].begin >= position.end) return;
    if (genes_[middle].end > position.begin) names.push_back(genes_[middle].name);
    low = middle + 1;
  }
}

std::vector<std::string_view> RegionLabeller::genes_at(text::Interval position) const {
  std::vector<std::uint32_t> hits;
  find_hits(0, genes_.size(), position, hits);
  std::vector<std::size_t> firsts(hits.size());  // the first index of each name
  std::iota(firsts.begin(), firsts.end(), std::size_t{0});
  std::stable_sort(firsts.begin(), firsts.end(), [&](std::size_t a, std::size_t b) { return hits[a] < hits[b]; });
  const auto same = [&](std::size_t a, std::size_t b) { return hits[a] == hits[b]; };
  firsts.erase(std::unique(firsts.begin(), firsts.end(), same), firsts.end());
  std::sort(firsts.begin(), firsts.end());
  std::vector<std::string_view> names;
  names.reserve(firsts.size());
  for (const std::size_t i : firsts) names.push_back(names_[hits[i]]);
  return names;
}

void RegionLabeller::add_neighbours(text::Interval position, text::Interval contig, RegionLabel& label) const {
  const auto before = std::partition_point(by_end_.begin(), by_end_.end(),
                                           [&](std::uint64_t gene) { return genes_[gene].end <= position.begin; });
  if (before != by_end_.begin() && genes_[*(before - 1)].begin >= contig.begin) {
    label.gene_before = names_[genes_[*(before - 1)].name];
    label.distance_before = position.begin - genes_[*(before - 1)].end;
  }
  const auto after =
      std::partition_point(genes_.begin(), genes_.end(), [&](const Span& gene) { return gene.begin < position.end; });
  if (after != genes_.end() && after->begin < contig.end) {
    label.gene_after = names_[after->name];
    label.distance_after = after->begin - position.end;
  }
}

RegionLabel RegionLabeller::label(std::uint64_t contig, std::uint64_t begin, std::uint64_t end) const {
  if (contig + 1 >= contig_begins_.size() || begin > end || end > contig_begins_[contig + 1] - contig_begins_[contig])
    throw std::invalid_argument("label: no such position");
  const std::uint64_t origin = contig_begins_[contig];
  const text::Interval position = {origin + begin, origin + end};
  RegionLabel label;
  label.coding = coding_.within(position.begin, position.end);
  label.intronic = genic_.within(position.begin, position.end) - label.coding;
  label.intergenic = end - begin - label.coding - label.intronic;
  if (begin < end) label.genes = genes_at(position);
  add_neighbours(position, {origin, contig_begins_[contig + 1]}, label);
  return label;
}

}  // namespace warpseed::overlap
