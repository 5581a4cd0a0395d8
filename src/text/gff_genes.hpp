// Assigns each line of GFF3 or GTF to a gene by its attributes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text/annotation.hpp"

namespace warpseed::text {

/// An error in a line; the reader of the file adds the file name and the line number.
struct LineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How a line's attributes (column 9) are written; `bare` is undetermined: empty, or a single word.
enum class AttributeStyle { bare, equals, spaced };

/// equals: key=value; spaced: key value, such as `gene_id "b0001";`.
AttributeStyle attribute_style(std::string_view attributes);

/// A GFF3 value with %-escapes decoded.
std::string unescaped(std::string_view value);

/// Collects attributes line by line. Until resolve() has seen all lines, Feature::gene holds a provisional number,
/// since Parents may come after their children.
class GeneFinder {
 public:
  explicit GeneFinder(StringTable& names) : names_(names) {}

  /// Returns the value of Feature::gene for a line. Sets `circular` if the line has Is_circular=true.
  std::uint32_t add_gff3(std::string_view attributes, std::string_view type, std::uint32_t line, bool& circular);

  /// The same for GTF. Throws LineError for an unterminated quote.
  std::uint32_t add_gtf(std::string_view attributes);

  /// Replaces every feature's provisional number by that of its gene, numbered in order of appearance, and names the
  /// genes. Throws InputError (file:line) for a cycle of Parents.
  void resolve(FeatureTable& table);

 private:
  /// The node of an ID (GFF3) or gene_id (GTF). It is not defined if it only occurs as a Parent.
  struct Node {
    std::uint32_t parent = StringTable::none;
    std::uint32_t name = StringTable::none;
    std::uint32_t line = 0;
    std::uint8_t name_rank = 255;  // rank of the attribute with the name, 0 is best
    bool defined = false;
    bool gene = false;  // the gene has a line of its own
    bool part = false;  // a part of a gene; if not defined: has such a child
  };

  std::uint32_t node_of(std::string_view id);
  std::uint32_t root_of(std::uint32_t node, const std::string& path);
  void name_node(Node& node, std::string_view name, std::uint8_t rank);

  StringTable& names_;
  StringTable ids_;
  std::vector<Node> nodes_;           // [ids]
  std::vector<std::uint32_t> roots_;  // [ids] the node of the gene; filled by resolve()
  std::string key_;
  std::uint32_t last_ = StringTable::none;  // the gene of the previous line (GTF)
};

}  // namespace warpseed::text
