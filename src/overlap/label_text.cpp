#include "overlap/label_text.hpp"

#include "overlap/line_text.hpp"

namespace warpseed::overlap {

namespace {

void append_gene(std::string& out, std::string_view gene, std::uint64_t distance) {
  if (gene.empty()) {
    out.append("\t.\t.");
    return;
  }
  out.append(1, '\t').append(gene).append(1, '\t');
  char digits[number_bytes];
  out.append(digits, static_cast<std::size_t>(put(digits, distance) - digits));
}

}  // namespace

void append_label(std::string& out, const RegionLabel& label) {
  char numbers[3 * (number_bytes + 1)];
  const char* end = put_all(numbers, '\t', label.coding, '\t', label.intronic, '\t', label.intergenic);
  out.append(numbers, static_cast<std::size_t>(end - numbers));
  char before = '\t';
  for (const std::string_view gene : label.genes) {
    out.append(1, before).append(gene);
    before = ',';
  }
  if (label.genes.empty()) out.append("\t.");
  append_gene(out, label.gene_before, label.distance_before);
  append_gene(out, label.gene_after, label.distance_after);
}

void append_label_header(std::string& out, std::string_view prefix) {
  for (const std::string_view column : {"coding", "intronic", "intergenic", "genes", "gene_before", "distance_before",
                                        "gene_after", "distance_after"}) {
    out.append(1, '\t').append(prefix).append(column);
  }
}

}  // namespace warpseed::overlap
