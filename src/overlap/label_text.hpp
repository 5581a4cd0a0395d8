// The columns of a region's label.
#pragma once

#include <string>
#include <string_view>

#include "overlap/region_label.hpp"

namespace warpseed::overlap {

/// Appends eight columns, each after a tab: coding intronic intergenic genes (comma-separated) gene_before
/// distance_before gene_after distance_after; "." for a missing name and its distance.
void append_label(std::string& out, const RegionLabel& label);

/// Appends their names, each after a tab and with `prefix` in front.
void append_label_header(std::string& out, std::string_view prefix);

}  // namespace warpseed::overlap
