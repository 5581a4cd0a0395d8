// The frame: titles, legend, axes, names.
#include "plot/dot_plot_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plot/helvetica.hpp"
#include "plot/svg_text.hpp"

namespace warpseed::plot {

namespace {

constexpr double name_size = 11;              // pixels
constexpr double name_room = 12.5;            // pixels between the middles of adjacent names
constexpr std::size_t name_characters = 24;   // of a name next to an axis
constexpr double strip_room = 14;             // pixels of a coding strip
constexpr double slant = 60;                  // degrees, of names that do not fit along the axis
constexpr double sine = 0.866, cosine = 0.5;  // of the slant angle
constexpr double title_size = 20, least_title_size = 13, axis_title_size = 13;

std::string text_at(double x, double y, std::string_view text, Tag tag = Tag("text")) {
  return fmt::format("{}{}</text>\n", tag.with("x", x).with("y", y).open(), text);
}

/// The width of a name next to an axis. It is shortened by characters, not by width: names of one length keep one form.
double name_width(const std::string& name) {
  const std::u32string characters = characters_of(name);
  if (characters.size() <= name_characters) return text_width(name, name_size);
  std::string_view rest = name;
  for (std::size_t i = 0; i < name_characters; ++i) rest.remove_prefix(std::max<std::size_t>(utf8_character(rest), 1));
  return text_width(std::string_view(name).substr(0, name.size() - rest.size()), name_size) + name_size;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const double share = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  const auto tenths = static_cast<std::uint64_t>(share * 1000);  // rounded down: only full coverage is 100 %
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

std::string plural(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", with_commas(count), what, count == 1 ? "" : "es");
}

}  // namespace

DotPlotDrawing::DotPlotDrawing(const DotPlot& plot) : plot_(plot) {
  target_names_ = names_of(plot.target_.axis, true);
  query_names_ = names_of(plot.query_.axis, false);
  target_covered_ = plot.target_.covered.count();
  query_covered_ = plot.options_.symmetric ? target_covered_ : plot.query_.covered.count();
  left_ = 84 + (coding_of_queries().coding.empty() ? 0 : strip_room);
  top_ = 96 + target_names_.margin;
  const double words = text_width(summary(), 12) * 1.1 + 16;  // other fonts are wider than Helvetica
  width_ = left_ + std::max({box + query_names_.margin + 16, box + target_names_.overhang + 24, words});
  height_ = top_ + box + 62 + (plot.target_.coding.empty() ? 0 : strip_room);
}

DotPlotDrawing::Names DotPlotDrawing::names_of(const PlotAxis& axis, bool along) const {
  Names names;
  const auto& sequences = axis.list().sequences;
  if (sequences.size() < 2) return names;
  names.shown = axis.named(name_room);
  double longest = 0;
  bool fits = true;
  for (const std::size_t i : names.shown) {
    const double width = name_width(sequences[i].name);
    longest = std::max(longest, width);
    fits = fits && width + 6 <= axis.width(i);
  }
  names.slanted = along && !(fits && names.shown.size() == sequences.size());
  names.margin = !along ? longest + 12 : names.slanted ? sine * longest + 16 : 20;
  for (const std::size_t i : names.shown) {
    const double end = axis.begin_pixel(i) + axis.width(i) / 2 + cosine * name_width(sequences[i].name);
    if (names.slanted) names.overhang = std::max(names.overhang, end - box);
  }
  return names;
}

std::string DotPlotDrawing::draw() {
  begin();
  title();
  legend();
  out_ += Tag("g").with("transform", fmt::format("translate({} {})", decimal(left_), decimal(top_))).open() + "\n";
  out_ += Tag("rect").with("width", box).with("height", box).with("fill", "#fff").close();
  density();
  sequences();
  lines();
  out_ += Tag("rect").with("width", box).with("height", box).with("fill", "none").with("stroke", "#555").close();
  coding_strips();
  ticks();
  axis_titles();
  names();
  out_ += "</g>\n</svg>\n";
  return std::move(out_);
}

void DotPlotDrawing::begin() {
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  Tag svg("svg");
  svg.with("xmlns", "http://www.w3.org/2000/svg").with("width", width_).with("height", height_);
  svg.with("viewBox", fmt::format("0 0 {} {}", decimal(width_), decimal(height_)));
  svg.with("font-family", "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif").with("font-size", 12.0);
  svg.with("data-forward", number(plot_.regions_[0])).with("data-reverse", number(plot_.regions_[1]));
  svg.with("data-matched-bases", number(plot_.matched_bases_));
  svg.with("data-target-bases", number(plot_.target_.axis.total()));
  svg.with("data-target-covered", number(target_covered_));
  svg.with("data-query-bases", number(plot_.query_.axis.total()));
  svg.with("data-query-covered", number(query_covered_));
  svg.with("data-box", fmt::format("{} {} {}", decimal(left_), decimal(top_), decimal(box)));
  out_ += svg.open() + "\n";
  out_ += Tag("rect").with("width", width_).with("height", height_).with("fill", "#fff").close();
}

void DotPlotDrawing::title() {
  const std::string words = plot_.title();
  const double room = width_ - left_ - 16;
  const double size =
      std::clamp(title_size * room / std::max(text_width(words, title_size, true), 1.0), least_title_size, title_size);
  out_ += text_at(left_, 32, xml_escaped(shortened(words, room, size, true)),
                  Tag("text").with("font-size", size).with("font-weight", "bold").with("fill", "#222"));
  out_ += text_at(left_, 54, summary(), Tag("text").with("fill", "#444"));
}

std::string DotPlotDrawing::summary() const {
  std::string text =
      fmt::format("{}, {}; they cover {} of the ", plural(plot_.regions_[0], "forward match"),
                  plural(plot_.regions_[1], "reverse match"), percent(target_covered_, plot_.target_.axis.total()));
  if (plot_.options_.symmetric) return text + "bases";
  return text +
         fmt::format("target bases and {} of the query bases", percent(query_covered_, plot_.query_.axis.total()));
}

void DotPlotDrawing::legend() {
  double x = left_;
  const auto entry = [&](std::string_view color, std::string_view words) {
    out_ += Tag("path")
                .with("d", fmt::format("M{} 73h22", decimal(x)))
                .with("stroke", color)
                .with("stroke-width", 3.0)
                .close();
    out_ += text_at(x + 28, 77, words, Tag("text").with("fill", "#222"));
    x += 28 + 6.6 * static_cast<double>(words.size()) + 18;
  };
  entry(color_of(false), "forward");
  entry(color_of(true), "reverse");
  if (plot_.target_.coding.empty() && coding_of_queries().coding.empty()) return;
  out_ += text_at(x, 77, "coding", Tag("text").with("fill", "#222"));
  x += 44;
  for (unsigned level = 0; level <= coding_levels; ++level) {
    out_ += Tag("rect")
                .with("x", x + 12.0 * level)
                .with("y", 68.0)
                .with("width", 12.0)
                .with("height", 10.0)
                .with("fill", coding_color(level))
                .close();
  }
  x += 12.0 * (coding_levels + 1);
  out_ += text_at(x + 6, 77, "none to all", Tag("text").with("fill", "#222"));
}

void DotPlotDrawing::ticks() {
  const double bottom = box + (plot_.target_.coding.empty() ? 0 : strip_room);
  const double side = coding_of_queries().coding.empty() ? 0 : -strip_room;
  std::string marks, labels;
  for (const PlotAxis::Tick& tick : plot_.target_.axis.ticks()) {
    marks += fmt::format("M{} {}v6", decimal(tick.pixel), decimal(bottom));
    labels += text_at(tick.pixel, bottom + 20, tick.label, Tag("text").with("text-anchor", "middle"));
  }
  for (const PlotAxis::Tick& tick : plot_.query_.axis.ticks()) {
    marks += fmt::format("M{} {}h-6", decimal(side), decimal(box - tick.pixel));
    labels += text_at(side - 10, box - tick.pixel + 4, tick.label, Tag("text").with("text-anchor", "end"));
  }
  out_ += Tag("path").with("d", marks).with("stroke", "#555").close();
  out_ += Tag("g").with("fill", "#333").open() + "\n" + labels + "</g>\n";
}

void DotPlotDrawing::axis_titles() {
  const bool itself = plot_.options_.symmetric;
  const auto words = [itself](const PlotAxis& axis, const Names& names, std::string_view side) {
    const auto& sequences = axis.list().sequences;
    std::string rest;
    if (sequences.size() != 1) rest += fmt::format(", {} sequences", with_commas(sequences.size()));
    rest += fmt::format(", {} bases", with_commas(axis.total()));
    if (sequences.size() > 1 && names.shown.size() < sequences.size())
      rest += fmt::format(" ({} named)", with_commas(names.shown.size()));
    const std::string begin = itself ? "" : fmt::format("{}: ", side);
    const double room = 0.9 * box - text_width(begin + rest, axis_title_size);
    const std::string name = sequences.size() == 1 ? sequences[0].name : files_text(axis.list());
    return begin + xml_escaped(shortened(name, room, axis_title_size)) + rest;
  };
  const Tag middle = Tag("text").with("text-anchor", "middle").with("font-size", axis_title_size).with("fill", "#222");
  out_ += text_at(box / 2, height_ - top_ - 12, words(plot_.target_.axis, target_names_, "target"), middle);
  const double x = 18 - left_;
  out_ += text_at(x, box / 2, words(plot_.query_.axis, query_names_, "query"),
                  Tag(middle).with("transform", fmt::format("rotate(-90 {} {})", decimal(x), decimal(box / 2))));
}

void DotPlotDrawing::names() {
  out_ += Tag("g").with("font-size", name_size).with("fill", "#333").open() + "\n";
  const auto middle_of = [](const PlotAxis& axis, std::size_t i) { return axis.begin_pixel(i) + axis.width(i) / 2; };
  for (const std::size_t i : target_names_.shown) {
    const double x = middle_of(plot_.target_.axis, i), y = -(band + 6);
    Tag tag("text");
    if (target_names_.slanted) {
      tag.with("transform", fmt::format("rotate(-{} {} {})", decimal(slant), decimal(x + 3), decimal(y)));
    } else {
      tag.with("text-anchor", "middle");
    }
    const std::string& name = plot_.target_.axis.list().sequences[i].name;
    out_ += text_at(target_names_.slanted ? x + 3 : x, y, xml_escaped(name, name_characters), tag);
  }
  for (const std::size_t i : query_names_.shown) {
    const std::string& name = plot_.query_.axis.list().sequences[i].name;
    out_ += text_at(box + band + 6, box - middle_of(plot_.query_.axis, i) + 4, xml_escaped(name, name_characters));
  }
  out_ += "</g>\n";
}

}  // namespace warpseed::plot
