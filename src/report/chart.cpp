#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/svg_text.hpp"
#include "plot/tick_step.hpp"
#include "report/html_text.hpp"

namespace warpseed::report {

namespace {

using plot::decimal;
using plot::Tag;

constexpr double width = 1000, height = 300;  // of the drawing, which is stretched to the room there is

struct Tick {
  double at = 0;
  std::string text;
};

/// Maps values to the drawing.
class Scale {
 public:
  explicit Scale(const Chart& chart) : chart_(chart), y_end_(chart.y_end) {
    double largest = 0;
    for (const Series& series : chart.series) {
      if (series.drawing == Drawing::listed) continue;
      for (const double value : series.values) largest = std::isnan(value) ? largest : std::max(largest, value);
    }
    if (y_end_ == 0) y_end_ = largest;
    if (chart.logarithmic) {
      y_end_ = std::pow(10, std::max(1.0, std::ceil(std::log10(std::max(y_end_, 1.0)))));
    } else {
      if (y_end_ == 0) y_end_ = 1;
      y_step_ = plot::tick_step(y_end_, 5, std::pow(10, std::floor(std::log10(y_end_ / 5))));
      y_end_ = std::ceil(y_end_ / y_step_ - 1e-9) * y_step_;
    }
  }

  double x(double value) const {
    const double span = std::max(chart_.x_end - chart_.x_begin, 1e-9);
    return std::clamp((value - chart_.x_begin) / span, 0.0, 1.0) * width;
  }
  double y(double value) const {
    const double share = chart_.logarithmic ? logarithm(value) / logarithm(y_end_) : value / y_end_;
    return height * (1 - std::clamp(share, 0.0, 1.0));
  }

  std::vector<Tick> y_ticks() const {
    std::vector<Tick> ticks;
    if (chart_.logarithmic) {
      ticks.push_back({0, "0"});
      const double factor = y_end_ > 2e6 ? 100 : 10;
      for (double value = 1; value <= y_end_; value *= factor) ticks.push_back({value, short_number(value)});
      return ticks;
    }
    for (int i = 0; i * y_step_ <= y_end_ * (1 + 1e-9); ++i) ticks.push_back({i * y_step_, short_number(i * y_step_)});
    return ticks;
  }

 private:
  /// 0 has a place of its own below 1, which a logarithm has not.
  static double logarithm(double count) { return count < 1 ? count * 0.5 : std::log10(count) + 0.5; }

  const Chart& chart_;
  double y_end_, y_step_ = 1;
};

std::vector<AxisLabel> x_labels_of(const Chart& chart) {
  if (!chart.x_labels.empty()) return chart.x_labels;
  std::vector<AxisLabel> labels;
  const double step = plot::tick_step(chart.x_end - chart.x_begin, 6, 1);
  const double first = std::ceil(chart.x_begin / step) * step + 0.0;  // no -0
  for (double at = first; at <= chart.x_end * (1 + 1e-9); at += step) labels.push_back({at, short_number(at)});
  return labels;
}

double point_end(const Chart& chart, std::size_t i) {
  return i + 1 < chart.x.size() ? chart.x[i + 1] : chart.x_end;
}

std::string line_path(const Chart& chart, const Scale& scale, const std::vector<double>& values) {
  std::string path;
  bool joined = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) {
      joined = false;
      continue;
    }
    path += fmt::format("{}{} {}", joined ? "L" : "M", decimal(scale.x(chart.x[i])), decimal(scale.y(values[i])));
    joined = true;
  }
  return path;
}

/// Boxes from the bottom; those of bars have a gap between them, and thin ones are as wide as can be seen.
std::string box_path(const Chart& chart, const Scale& scale, const Series& series) {
  std::string path;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (std::isnan(series.values[i]) || series.values[i] == 0) continue;
    double left = scale.x(chart.x[i]), right = scale.x(point_end(chart, i));
    if (series.drawing == Drawing::bars) {
      const double gap = (right - left) * 0.08;
      left += gap, right -= gap;
    }
    path += fmt::format("M{} {}V{}H{}V{}Z", decimal(left), decimal(height), decimal(scale.y(series.values[i])),
                        decimal(std::max(right, left + 0.6)), decimal(height));
  }
  return path;
}

std::string band_path(const Chart& chart, const Scale& scale, const std::vector<double>& low,
                      const std::vector<double>& high) {
  std::string path, back;
  for (std::size_t i = 0; i < low.size(); ++i) {
    const std::string x = decimal(scale.x(chart.x[i]));
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", x, decimal(scale.y(high[i])));
    back = fmt::format("L{} {}", x, decimal(scale.y(low[i]))) + back;
  }
  return path.empty() ? path : path + back + "Z";
}

std::string series_svg(const Chart& chart, const Scale& scale, std::size_t i) {
  const Series& series = chart.series[i];
  const auto path = [&](const char* kind, const std::string& d) {
    if (d.empty()) return std::string();
    return Tag("path").with("class", fmt::format("{} c{}", kind, series.color)).with("d", d).close();
  };
  switch (series.drawing) {
    case Drawing::line: return path("line", line_path(chart, scale, series.values));
    case Drawing::dashed: return path("line dashed", line_path(chart, scale, series.values));
    case Drawing::bars:
    case Drawing::steps: return path("fill", box_path(chart, scale, series));
    case Drawing::band: return path("band", band_path(chart, scale, series.values, chart.series[i + 1].values));
    case Drawing::listed: return {};
  }
  return {};
}

std::string drawing_svg(const Chart& chart, const Scale& scale) {
  std::string svg = Tag("svg")
                        .with("viewBox", fmt::format("0 0 {} {}", decimal(width), decimal(height)))
                        .with("preserveAspectRatio", "none")
                        .with("aria-hidden", "true")
                        .with("focusable", "false")
                        .open() +
                    "\n";
  for (const ShadedRange& range : chart.shaded) {
    const double left = scale.x(range.begin), right = scale.x(range.end);
    Tag box("rect");
    svg += box.with("class", range.style)
               .with("x", left)
               .with("y", 0.0)
               .with("width", right - left)
               .with("height", height)
               .close();
  }
  for (const Tick& tick : scale.y_ticks()) {
    svg += Tag("path")
               .with("class", "grid")
               .with("d", fmt::format("M0 {}H{}", decimal(scale.y(tick.at)), decimal(width)))
               .close();
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) svg += series_svg(chart, scale, i);
  for (const AxisLabel& mark : chart.marks) {
    svg += Tag("path")
               .with("class", "mark")
               .with("d", fmt::format("M{} 0V{}", decimal(scale.x(mark.at)), decimal(height)))
               .close();
  }
  return svg + "</svg>\n";
}

std::string label_html(const char* kind, const char* side, double percent, const std::string& text) {
  return fmt::format("<span class=\"{}\" style=\"{}:{}%\">{}</span>\n", kind, side, decimal(percent), escaped(text));
}

std::string labels_html(const Chart& chart, const Scale& scale) {
  std::string html;
  for (const Tick& tick : scale.y_ticks()) {
    html += label_html("y-tick", "top", 100 * scale.y(tick.at) / height, tick.text);
  }
  for (const AxisLabel& label : x_labels_of(chart)) {
    const double percent = 100 * scale.x(label.at) / width;
    const std::string kind = fmt::format("x-tick{}{}", percent > 94 ? " end" : "", label.important ? "" : " wide-only");
    html += label_html(kind.c_str(), "left", percent, label.text);
  }
  for (const AxisLabel& mark : chart.marks) {
    const double percent = 100 * scale.x(mark.at) / width;
    html += label_html(percent > 60 ? "mark-text before" : "mark-text", "left", percent, mark.text);
  }
  return html;
}

bool is_drawn(const Chart& chart, std::size_t i) {
  return chart.series[i].drawing != Drawing::listed;
}

std::string legend_html(const Chart& chart) {
  std::string html;
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (!is_drawn(chart, i)) continue;
    const Series& series = chart.series[i];
    const bool boxes = series.drawing == Drawing::bars || series.drawing == Drawing::steps;
    const char* kind = series.drawing == Drawing::line     ? "line"
                       : series.drawing == Drawing::dashed ? "line dashed"
                       : boxes                             ? "fill"
                                                           : "band";
    const std::string name = series.drawing == Drawing::band ? "quartiles" : escaped(series.name);
    html += fmt::format(
        "<span class=\"key\"><svg viewBox=\"0 0 20 10\" aria-hidden=\"true\">"
        "<path class=\"{} c{}\" d=\"M0 5H20{}\"/></svg>{}</span>\n",
        kind, series.color, *kind == 'l' ? "" : "V9H0V1H20Z", name);
    ++drawn;
  }
  return drawn < 2 ? std::string() : "<p class=\"legend\">" + html + "</p>\n";
}

std::string table_html(const Chart& chart, const Scale& scale) {
  std::vector<std::string> columns = {escaped(chart.x_heading.empty() ? chart.x_title : chart.x_heading)};
  for (const Series& series : chart.series) columns.push_back(escaped(series.name));
  Table table(escaped(chart.title), columns, "values");
  for (std::size_t i = 0; i < chart.x.size(); ++i) {
    const bool boxes = chart.series.front().drawing == Drawing::bars || chart.series.front().drawing == Drawing::steps;
    const double at = boxes ? (chart.x[i] + point_end(chart, i)) / 2 : chart.x[i];
    const std::string heading = chart.x_texts.empty() ? decimal_text(chart.x[i], 0) : escaped(chart.x_texts[i]);
    table.row(heading, fmt::format(" data-x=\"{}\"", decimal(100 * scale.x(at) / width)));
    for (const Series& series : chart.series) {
      table.cell(std::isnan(series.values[i]) ? "\u2013" : decimal_text(series.values[i], series.digits));
    }
  }
  return table.finish();
}

}  // namespace

std::string chart_html(const Chart& chart) {
  const Scale scale(chart);
  const std::string note = chart.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>\n", escaped(chart.note));
  const std::string label = fmt::format("{}: {} by {}. The numbers are in the table below the plot.", chart.title,
                                        chart.y_title, chart.x_title);
  std::string html = fmt::format("<figure class=\"chart{}\" id=\"{}\">\n<figcaption><h3>{}</h3>\n{}{}</figcaption>\n",
                                 chart.wide ? " wide" : "", chart.id, escaped(chart.title), note, legend_html(chart));
  html += fmt::format("<p class=\"y-title\">{}</p>\n<div class=\"plot\" role=\"img\" aria-label=\"{}\">\n",
                      escaped(chart.y_title), escaped(label));
  html += drawing_svg(chart, scale) + labels_html(chart, scale);
  html += fmt::format("</div>\n<p class=\"x-title\">{}</p>\n", escaped(chart.x_title));
  return html + "<details><summary>Numbers</summary>\n" + table_html(chart, scale) + "</details>\n</figure>\n";
}

std::string sparkline(const std::vector<double>& values, double y_end) {
  std::string path;
  const double step = values.empty() ? 0 : 100.0 / static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const double left = step * static_cast<double>(i),
                 top = 20 * (1 - std::min(1.0, values[i] / std::max(y_end, 1e-9)));
    path += fmt::format("M{} 20V{}H{}V20Z", decimal(left), decimal(top), decimal(left + step));
  }
  return fmt::format(
      "<svg class=\"spark\" viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{}"
      "</svg>",
      path.empty() ? "" : Tag("path").with("class", "fill c1").with("d", path).close());
}

}  // namespace warpseed::report
