// A PDF file of one page: its objects and their table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpseed::plot {

/// What is on the page. Fonts in the content: /F0 Helvetica, /F1 Helvetica-Bold, both in WinAnsiEncoding.
struct PdfPage {
  double width = 0, height = 0;          // points, 1/72 inch
  std::string title = {};                // UTF-8, for the reader's window
  std::string content = {};              // operators of the page
  std::vector<std::string> opacities{};  // of strokes: /G0 is the first
};

/// The whole file, PDF 1.4: the content is compressed. Its bytes depend on the page and the program's version alone.
std::string pdf_file(const PdfPage& page);

/// A text string in UTF-16 as PDF writes it, in hexadecimal digits with brackets.
std::string pdf_text_string(std::string_view text);

/// Bytes in hexadecimal digits with brackets.
std::string pdf_bytes(std::string_view bytes);

}  // namespace warpseed::plot
