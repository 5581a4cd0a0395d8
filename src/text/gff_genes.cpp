// GFF3: github.com/The-Sequence-Ontology/Specifications/blob/master/gff3.md; GTF: mblab.wustl.edu/GTF22.html.
#include "text/gff_genes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "warpseed/error.hpp"

namespace warpseed::text {

namespace {

constexpr std::uint32_t none = StringTable::none;
constexpr std::uint32_t visiting = none - 1;  // on the current path, to detect cycles
constexpr std::uint8_t no_rank = 255;

// Attributes that name a gene, the best first; the Name of a part of a gene is not the gene's name.
constexpr std::string_view gff3_names[] = {"gene", "gene_name", "Name", "locus_tag", "gene_id"};
constexpr std::uint8_t rank_of_name = 2;
constexpr std::string_view gtf_names[] = {"gene_name", "gene", "gene_id"};

template <std::size_t size>
std::uint8_t rank_in(const std::string_view (&keys)[size], std::string_view key) {
  const auto found = std::find(std::begin(keys), std::end(keys), key);
  return found == std::end(keys) ? no_rank : static_cast<std::uint8_t>(found - std::begin(keys));
}

/// Types that occur only in genes.
bool is_part_type(std::string_view type) {
  constexpr std::string_view exact[] = {"CDS",         "exon",       "intron",     "transcript",
                                        "start_codon", "stop_codon", "polypeptide"};
  constexpr std::string_view ends[] = {"RNA", "_transcript", "UTR", "_utr", "_gene_segment"};
  return std::find(std::begin(exact), std::end(exact), type) != std::end(exact) ||
         std::any_of(std::begin(ends), std::end(ends), [&](std::string_view end) { return type.ends_with(end); });
}

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes everything up to `end` (or all) from the front of `text`, and removes `end` too.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return taken;
}

/// Takes the next key and value from the front of GTF attributes; false at the end.
bool take_gtf(std::string_view& rest, std::string_view& key, std::string_view& value) {
  while (!rest.empty() && (is_space(rest.front()) || rest.front() == ';')) rest.remove_prefix(1);
  if (rest.empty()) return false;
  const std::size_t key_size = std::min(rest.find_first_of(" \t;\""), rest.size());
  key = rest.substr(0, key_size);
  rest.remove_prefix(key_size);
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  if (!rest.starts_with('"')) {
    value = trimmed(take_until(rest, ';'));
    return true;
  }
  rest.remove_prefix(1);
  if (rest.find('"') == std::string_view::npos)
    throw LineError("the quote after " + std::string(key) + " does not end; the line may be cut");
  value = take_until(rest, '"');
  return true;
}

/// The attributes of a GFF3 line that are used; a missing one is empty.
struct Gff3Attributes {
  std::string_view id, parent;
  std::string_view name;       // the name of the feature, or of its gene
  std::string_view gene_name;  // a name that is certainly the gene's
  std::uint8_t name_rank = no_rank, gene_name_rank = no_rank;
  bool circular = false;

  explicit Gff3Attributes(std::string_view rest) {
    while (!rest.empty()) {
      std::string_view value = take_until(rest, ';');
      const std::string_view key = trimmed(take_until(value, '='));
      value = trimmed(value);
      if (value.empty()) continue;
      if (key == "ID") id = value;
      if (key == "Parent") parent = take_until(value, ',');
      if (key == "Is_circular") circular = value == "true";
      const std::uint8_t rank = rank_in(gff3_names, key);
      if (rank == no_rank) continue;
      value = take_until(value, ',');
      if (rank < name_rank) name = value, name_rank = rank;
      if (rank < gene_name_rank && rank != rank_of_name) gene_name = value, gene_name_rank = rank;
    }
  }
};

}  // namespace

AttributeStyle attribute_style(std::string_view attributes) {
  attributes.remove_prefix(std::min(attributes.find_first_not_of(" \t;"), attributes.size()));
  const std::size_t key_end = attributes.find_first_of("= \t;\"");
  if (key_end == std::string_view::npos || attributes[key_end] == ';') return AttributeStyle::bare;
  return attributes[key_end] == '=' ? AttributeStyle::equals : AttributeStyle::spaced;
}

std::string unescaped(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    unsigned byte = 0;
    const bool escape = value[i] == '%' && i + 3 <= value.size();
    const char* const digits_end = value.data() + std::min(i + 3, value.size());
    if (escape && std::from_chars(value.data() + i + 1, digits_end, byte, 16).ptr == digits_end && byte >= ' ') {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += value[i];
    }
  }
  return plain;
}

std::uint32_t GeneFinder::node_of(std::string_view id) {
  const std::uint32_t node = ids_.add(id);
  if (node == nodes_.size()) nodes_.emplace_back();
  return node;
}

void GeneFinder::name_node(Node& node, std::string_view name, std::uint8_t rank) {
  if (rank >= node.name_rank) return;
  node.name = names_.add(name.find('%') == std::string_view::npos ? name : unescaped(name));
  node.name_rank = rank;
}

std::uint32_t GeneFinder::add_gff3(std::string_view attributes, std::string_view type, std::uint32_t line,
                                   bool& circular) {
  const Gff3Attributes found(attributes);
  circular = found.circular;
  const bool part = is_part_type(type);
  std::uint32_t parent = none;
  if (!found.parent.empty()) {
    parent = node_of(found.parent);
    Node& node = nodes_[parent];
    if (!node.defined) node.part |= part;
    // If the Parent is not in the file, its children give the name of the gene.
    if (!node.defined) name_node(node, found.gene_name, found.gene_name_rank);
  }
  if (found.id.empty() && parent != none) return parent;
  if (found.id.empty() && found.name.empty()) return Feature::no_gene;
  key_.assign(1, '\n').append(found.name);  // no ID contains a line end
  const std::uint32_t number = node_of(found.id.empty() ? key_ : found.id);
  Node& node = nodes_[number];
  if (node.defined) return number;
  node = {parent, none, line, no_rank, true, is_gene_type(type), part};
  name_node(node, found.name, found.name_rank);
  return number;
}

std::uint32_t GeneFinder::add_gtf(std::string_view attributes) {
  std::string_view key, value, name;
  std::uint8_t name_rank = no_rank;
  std::uint32_t number = Feature::no_gene;
  while (take_gtf(attributes, key, value)) {
    const std::uint8_t rank = value.empty() ? no_rank : rank_in(gtf_names, key);
    if (rank < name_rank) name = value, name_rank = rank;
    if (key != "gene_id" || value.empty() || number != Feature::no_gene) continue;
    number = last_ != none && ids_[last_] == value ? last_ : node_of(value);
    if (nodes_[number].name_rank == 0) break;  // already the best rank
  }
  if (number == Feature::no_gene) return number;
  last_ = number;
  nodes_[number].defined = nodes_[number].part = true;
  name_node(nodes_[number], name, name_rank);
  return number;
}

/// The node of the gene of `node`, or none. Stores the result for all nodes on the path.
std::uint32_t GeneFinder::root_of(std::uint32_t node, const std::string& path) {
  std::vector<std::uint32_t> way;
  std::uint32_t root = none;
  for (std::uint32_t at = node;; at = nodes_[at].parent) {
    if (roots_[at] == visiting) {
      throw InputError::at(path, nodes_[at].line,
                           fmt::format("\"{}\" is its own ancestor by way of Parent; break the circle", ids_[at]));
    }
    const bool known = roots_[at] != none;
    root = known ? roots_[at] : at;
    if (known) break;
    way.push_back(at);
    roots_[at] = visiting;
    const std::uint32_t parent = nodes_[at].parent;
    if (nodes_[at].gene || parent == none || !(nodes_[parent].gene || nodes_[parent].part)) break;
  }
  for (const std::uint32_t passed : way) roots_[passed] = root;
  return root;
}

void GeneFinder::resolve(FeatureTable& table) {
  roots_.assign(nodes_.size(), none);
  std::vector<std::uint32_t> genes(nodes_.size(), none);  // a root's index among the genes
  for (Feature& feature : table.features) {
    if (feature.gene == Feature::no_gene) continue;
    const std::uint32_t root = root_of(feature.gene, table.path);
    const Node& node = nodes_[root];
    feature.gene = Feature::no_gene;
    if (!node.gene && !node.part) continue;
    if (genes[root] == none) {
      genes[root] = static_cast<std::uint32_t>(table.gene_names.size());
      table.gene_names.push_back(node.name != none ? node.name : names_.add(unescaped(ids_[root])));
    }
    feature.gene = genes[root];
  }
}

}  // namespace warpseed::text
