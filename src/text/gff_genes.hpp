// Which gene each line of GFF3 or GTF belongs to, out of its attributes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text/annotation.hpp"

namespace warpseed::text {

/// What is wrong with a line; who reads the file adds its name and the line's number.
struct LineProblem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How a line's attributes (column 9) are written; `bare` tells nothing: empty, or a single word.
enum class AttributeStyle { bare, equals, spaced };

/// equals: key=value; spaced: key value, as `gene_id "b0001";`.
AttributeStyle attribute_style(std::string_view attributes);

/// A value of GFF3 without its %-escapes.
std::string unescaped(std::string_view value);

/// Collects attributes line by line. A feature's gene is a number of its own here until resolve() has seen them all:
/// Parents may come after their children.
class GeneFinder {
 public:
  explicit GeneFinder(StringTable& names) : names_(names) {}

  /// What to put into Feature::gene for a line. Sets `circular` where the line has Is_circular=true.
  std::uint32_t add_gff3(std::string_view attributes, std::string_view type, std::uint32_t line, bool& circular);

  /// The same for GTF. Throws LineProblem for a quote without end.
  std::uint32_t add_gtf(std::string_view attributes);

  /// Replaces every feature's number by that of its gene, numbered as they come, and names the genes.
  /// Throws InputError (file:line) if features are each other's Parents.
  void resolve(FeatureTable& table);

 private:
  /// What an ID (GFF3) or gene_id (GTF) stands for. One that is only named as a Parent is not defined.
  struct Node {
    std::uint32_t parent = StringTable::none;
    std::uint32_t name = StringTable::none;
    std::uint32_t line = 0;
    std::uint8_t name_rank = 255;  // which attribute the name is from, the best is 0
    bool defined = false;
    bool gene = false;  // a gene's own line
    bool part = false;  // a part of a gene; of what is not defined: has such a child
  };

  std::uint32_t node_of(std::string_view id);
  std::uint32_t root_of(std::uint32_t node, const std::string& path);
  void name_node(Node& node, std::string_view name, std::uint8_t rank);

  StringTable& names_;
  StringTable ids_;
  std::vector<Node> nodes_;           // [ids]
  std::vector<std::uint32_t> roots_;  // [ids] the node that stands for the gene; filled by resolve()
  std::string key_;
  std::uint32_t last_ = StringTable::none;  // the gene of the line before (GTF)
};

}  // namespace warpseed::text
