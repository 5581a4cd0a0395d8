// A dot plot as an HTML page in which a part can be looked at closely.
#pragma once

#include <string>
#include <string_view>

#include "plot/dot_plot.hpp"

namespace warpseed::report {

/// One page that loads nothing from elsewhere: the plot as SVG, the longest matches as a table, and, where scripts run, a
/// view of any part of the plot with the matches there. The page has the regions that the plot draws as lines; the others
/// are cells of the plot alone. At most some 8 MB.
std::string overlap_page(plot::DotPlot& plot, std::string_view command_line);

}  // namespace warpseed::report
