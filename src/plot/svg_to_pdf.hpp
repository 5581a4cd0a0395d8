// A plot's SVG as PDF; private to the module.
#pragma once

#include <string>
#include <string_view>

#include "plot/pdf_file.hpp"

namespace warpseed::plot {

/// `svg` as DotPlotDrawing makes it, as a page of a PDF file, 0.75 points a pixel: lines, rectangles and text remain
/// such. Text is in Helvetica; a character that its encoding does not have is shown as '?' and found by searching. What
/// shows under the pointer (<title>) is left out. title: of the document, UTF-8.
/// Throws std::logic_error for an element, an attribute or a path that DotPlotDrawing does not use.
PdfPage pdf_page(std::string_view svg, std::string_view title);

/// pdf_file() of pdf_page().
std::string svg_to_pdf(std::string_view svg, std::string_view title);

}  // namespace warpseed::plot
