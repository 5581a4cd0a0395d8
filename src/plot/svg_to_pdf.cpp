#include "plot/svg_to_pdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>
#include <tuple>
#include <vector>

#include "plot/helvetica.hpp"
#include "plot/svg_reader.hpp"
#include "plot/svg_text.hpp"

namespace warpseed::plot {

namespace {

constexpr double points = 0.75;  // a pixel: 72 / 96 inch

/// What an element's children inherit.
struct Style {
  std::string_view fill = "#000", stroke = "none", stroke_width = "1", opacity = "1", cap = "butt", anchor = "start";
  std::string_view size = "12";
  bool bold = false;
};

/// An element that is open, and its text.
struct Open {
  SvgPart part;
  Style style;
  std::string text = {};
};

/// "r g b" of "#abc" or "#aabbcc", from 0 to 1.
std::string color(std::string_view hex) {
  std::string out;
  const std::size_t digits = hex.size() == 4 ? 1 : 2;
  for (std::size_t i = 1; i < hex.size(); i += digits) {
    const auto value = std::stoul(std::string(hex.substr(i, digits)), nullptr, 16) * (digits == 1 ? 17 : 1);
    out += fmt::format("{}{:.4g}", i == 1 ? "" : " ", static_cast<double>(value) / 255);
  }
  return out;
}

/// The operators of a list of transformations.
std::string transformed(std::string_view list) {
  std::string out;
  for (SvgNumbers numbers(list); !numbers.empty();) {
    const std::string_view what = numbers.word();
    const double a = numbers.number(), b = numbers.number();
    if (what == "translate") {
      out += fmt::format("1 0 0 1 {} {} cm\n", decimal(a), decimal(b));
    } else if (what == "scale") {
      out += fmt::format("{:.6g} 0 0 {:.6g} 0 0 cm\n", a, b);
    } else if (what == "rotate") {  // by `a` degrees about (b, y)
      const double y = numbers.number(), angle = a * std::numbers::pi / 180;
      const double sine = std::sin(angle), cosine = std::cos(angle);
      out += fmt::format("{0:.6f} {1:.6f} {2:.6f} {0:.6f} {3:.3f} {4:.3f} cm\n", cosine, sine, -sine,
                         b - b * cosine + y * sine, y - b * sine - y * cosine);
    } else {
      throw std::logic_error("svg_to_pdf: transformation " + std::string(what));
    }
  }
  return out;
}

/// The operators of a path of lines.
std::string path_of(std::string_view data) {
  fmt::memory_buffer out;
  double x = 0, y = 0;
  for (SvgNumbers numbers(data); !numbers.empty();) {
    const std::string_view command = numbers.word();
    if (command == "M" || command == "L") {
      x = numbers.number(), y = numbers.number();
    } else if (command == "l") {
      x += numbers.number(), y += numbers.number();
    } else if (command == "h") {
      x += numbers.number();
    } else if (command == "v") {
      y += numbers.number();
    } else {
      throw std::logic_error("svg_to_pdf: path command " + std::string(command));
    }
    fmt::format_to(std::back_inserter(out), "{} {} {}\n", decimal(x), decimal(y), command == "M" ? 'm' : 'l');
  }
  return fmt::to_string(out);
}

class Converter {
 public:
  explicit Converter(std::string_view title) { page_.title = title; }

  PdfPage convert(std::string_view svg) {
    while (!svg.empty()) add(next_part(svg));
    return std::move(page_);
  }

 private:
  void add(const SvgPart& part);
  void begin(const Open& open);
  void end();
  void begin_page(const SvgAttributes& attributes);
  void rectangle(const Open& open);
  void stroke(const Style& style, const std::string& path);
  void text(const Open& open);
  std::size_t opacity(std::string_view value);
  void write(const std::string& operators) { page_.content += operators; }

  PdfPage page_;
  std::vector<Open> open_;
};

Style inherited(Style style, const SvgAttributes& attributes) {
  static const std::set<std::string_view> others = {"x",         "y",     "width",   "height",      "d",
                                                    "transform", "xmlns", "viewBox", "font-family", "shape-rendering"};
  for (const auto& [name, value] : attributes) {
    if (name == "fill")
      style.fill = value;
    else if (name == "stroke")
      style.stroke = value;
    else if (name == "stroke-width")
      style.stroke_width = value;
    else if (name == "stroke-opacity")
      style.opacity = value;
    else if (name == "stroke-linecap")
      style.cap = value;
    else if (name == "text-anchor")
      style.anchor = value;
    else if (name == "font-size")
      style.size = value;
    else if (name == "font-weight")
      style.bold = value == "bold";
    else if (!others.contains(name) && !name.starts_with("data-"))
      throw std::logic_error("svg_to_pdf: attribute " + std::string(name));
  }
  return style;
}

double number_of(const SvgAttributes& attributes, std::string_view name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? 0 : SvgNumbers(found->second).number();
}

void Converter::add(const SvgPart& part) {
  if (part.kind == SvgPart::Kind::end) return end();
  if (part.kind == SvgPart::Kind::text) {
    if (!open_.empty()) open_.back().text += unescaped(part.name);
    return;
  }
  open_.push_back({part, inherited(open_.empty() ? Style{} : open_.back().style, part.attributes)});
  begin(open_.back());
  if (part.kind == SvgPart::Kind::empty) end();
}

void Converter::begin(const Open& open) {
  const auto& [name, attributes] = std::tie(open.part.name, open.part.attributes);
  if (const auto found = attributes.find("transform"); found != attributes.end())
    write("q\n" + transformed(found->second));
  if (name == "svg") return begin_page(attributes);
  if (name == "rect") return rectangle(open);
  if (name == "path") return stroke(open.style, path_of(attributes.at("d")));
  if (name != "g" && name != "text" && name != "title")
    throw std::logic_error("svg_to_pdf: element " + std::string(name));
}

void Converter::end() {
  if (open_.empty()) throw std::logic_error("svg_to_pdf: an end without a start");
  const Open& open = open_.back();
  if (open.part.name == "text") text(open);
  if (open.part.attributes.contains("transform") || open.part.name == "svg") write("Q\n");
  open_.pop_back();
}

void Converter::begin_page(const SvgAttributes& attributes) {
  page_.width = points * number_of(attributes, "width"), page_.height = points * number_of(attributes, "height");
  write(fmt::format("q\n{0} 0 0 -{0} 0 {1} cm\n", points, decimal(page_.height)));  // y downwards, as in SVG
}

void Converter::rectangle(const Open& open) {
  const auto number = [&](std::string_view name) { return decimal(number_of(open.part.attributes, name)); };
  const std::string path = fmt::format("{} {} {} {} re\n", number("x"), number("y"), number("width"), number("height"));
  if (open.style.fill != "none") write(fmt::format("{} rg\n{}f\n", color(open.style.fill), path));
  stroke(open.style, path);
}

void Converter::stroke(const Style& style, const std::string& path) {
  if (style.stroke == "none" || path.empty()) return;
  write(fmt::format("{} RG {} w {} J /G{} gs\n{}S\n", color(style.stroke), style.stroke_width,
                    style.cap == "round" ? 1 : 0, opacity(style.opacity), path));
}

std::size_t Converter::opacity(std::string_view value) {
  const auto found = std::find(page_.opacities.begin(), page_.opacities.end(), value);
  const auto index = static_cast<std::size_t>(found - page_.opacities.begin());
  if (found == page_.opacities.end()) page_.opacities.emplace_back(value);
  return index;
}

void Converter::text(const Open& open) {
  bool complete = true;
  const std::string codes = win_ansi(open.text, complete);
  const Style& style = open.style;
  const double width = codes_width(codes, SvgNumbers(style.size).number(), style.bold);
  const double share = style.anchor == "middle" ? 0.5 : style.anchor == "end" ? 1 : 0;
  const double x = number_of(open.part.attributes, "x") - share * width, y = number_of(open.part.attributes, "y");
  if (!complete) write(fmt::format("/Span << /ActualText {} >> BDC\n", pdf_text_string(open.text)));
  write(fmt::format("BT /F{} {} Tf {} rg 1 0 0 -1 {} {} Tm {} Tj ET\n", style.bold ? 1 : 0, style.size,
                    color(style.fill), decimal(x), decimal(y), pdf_bytes(codes)));
  if (!complete) write("EMC\n");
}

}  // namespace

PdfPage pdf_page(std::string_view svg, std::string_view title) {
  return Converter(title).convert(svg);
}

std::string svg_to_pdf(std::string_view svg, std::string_view title) {
  return pdf_file(pdf_page(svg, title));
}

}  // namespace warpseed::plot
