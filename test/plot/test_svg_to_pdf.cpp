// PDF: text, numbers, the table of objects, and what cannot be drawn.
#include "plot/svg_to_pdf.hpp"

#include <stdexcept>
#include <string>

#include "catch.hpp"
#include "plot/helvetica.hpp"
#include "plot/pdf_file.hpp"

using namespace warpseed::plot;

namespace {

/// A plot's frame around `content`.
std::string svg_of(const std::string& content) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"x\" width=\"200\" height=\"100\">\n" + content +
         "</svg>\n";
}

std::string content_of(const std::string& svg) {
  return pdf_page(svg, "").content;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("the table of a PDF file names the first byte of each object", "[plot][pdf]") {
  const std::string pdf = svg_to_pdf(svg_of("<text x=\"1\" y=\"2\">a</text>\n"), "title");
  CHECK(pdf.starts_with("%PDF-1.4\n"));
  CHECK(has(pdf, "/MediaBox [0 0 150 75]"));
  CHECK(has(pdf, "/Title <FEFF007400690074006C0065>"));
  const std::size_t start = pdf.rfind("startxref\n");
  const std::size_t table = std::stoul(pdf.substr(start + 10));
  REQUIRE(pdf.compare(table, 7, "xref\n0 ") == 0);
  const auto count = std::stoul(pdf.substr(table + 7));
  CHECK(count == 8);
  const std::size_t entries = pdf.find('\n', table + 7) + 1;
  for (unsigned long i = 1; i < count; ++i) {
    const std::string entry = pdf.substr(entries + 20 * i, 20);
    CHECK(entry.substr(10) == " 00000 n \n");
    CHECK(pdf.compare(std::stoul(entry), 7, std::to_string(i) + " 0 obj") == 0);
  }
}

TEST_CASE("paths, rectangles and groups become operators", "[plot][pdf]") {
  const std::string content =
      content_of(svg_of("<g stroke=\"#f00\" transform=\"translate(10 20)\">\n<path d=\"M1.5 2h3v-.5l-1.25-1L7 8\" "
                        "stroke-width=\"3\"/>\n</g>\n"));
  CHECK(has(content,
            "q\n1 0 0 1 10 20 cm\n1 0 0 RG 3 w 0 J /G0 gs\n1.5 2 m\n4.5 2 l\n4.5 1.5 l\n3.25 .5 l\n7 8 l\nS\nQ\n"));
}

TEST_CASE("text is encoded, and its middle and end are where they should be", "[plot][pdf]") {
  const auto text = [](const std::string& attributes, const std::string& words) {
    return content_of(svg_of("<text x=\"50\" y=\"9\"" + attributes + ">" + words + "</text>\n"));
  };
  CHECK(has(text("", "(a&amp;b)"), "1 0 0 -1 50 9 Tm <2861266229> Tj"));
  CHECK(has(text(" text-anchor=\"end\" font-size=\"10\"", "WWW"), "1 0 0 -1 21.68 9 Tm"));  // 3 x 944 thousandths
  CHECK(has(text(" text-anchor=\"middle\" font-size=\"10\"", "ii"), "1 0 0 -1 47.78 9 Tm"));
  CHECK(has(text("", "\u00e9\u2026"), "<E985> Tj"));
  CHECK_FALSE(has(text("", "\u00e9\u2026"), "ActualText"));
  CHECK(has(text("", "\u67d3 \U0001F9EC"), "/Span << /ActualText <FEFF67D30020D83EDDEC> >> BDC\n"));
  CHECK(has(text("", "\u67d3 \U0001F9EC"), "<3F203F> Tj"));
}

TEST_CASE("text is shortened to the room that it has", "[plot][pdf]") {
  CHECK(text_width("iiii", 10) == Approx(8.88));
  CHECK(text_width("\u67d3", 10) == Approx(10));
  CHECK(text_width("\xff", 10) > 0);
  CHECK(shortened("short", 100, 10) == "short");
  CHECK(shortened("iiiiiiiiii", 21, 10) == "iiii\u2026");  // five and the ellipsis take 21.1
  CHECK(shortened("\u67d3\u67d3\u67d3", 25, 10) == "\u67d3\u2026");
  CHECK(shortened("abc", 0, 10) == "\u2026");
}

TEST_CASE("what a plot does not have is refused", "[plot][pdf]") {
  for (const std::string content :
       {"<circle r=\"1\"/>\n", "<path d=\"M0 0c1 1 2 2 3 3\" stroke=\"#000\"/>\n", "<rect class=\"a\"/>\n",
        "</g>\n</g>\n", "<g transform=\"skewX(1 2)\"/>\n", "<path d="}) {
    CAPTURE(content);
    CHECK_THROWS_AS(svg_to_pdf(svg_of(content), ""), std::logic_error);
  }
}
