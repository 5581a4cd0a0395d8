#include "report/html_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "plot/svg_text.hpp"

namespace warpseed::report {

namespace {

constexpr std::string_view none = "\u2013";

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// As the JSON report writes it.
std::string json_share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "null" : fmt::format("{:.6g}", share(part, whole));
}

}  // namespace

std::string escaped(std::string_view text) {
  return plot::xml_escaped(text);
}

std::string count_text(std::uint64_t count) {
  return plot::with_commas(count);
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? std::string(none) : fmt::format("{:.2f}\u00a0%", 100 * share(part, whole));
}

std::string ratio_text(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? std::string(none) : decimal_text(share(part, whole), 2);
}

std::string decimal_text(double value, int digits) {
  const std::string number = fmt::format("{:.{}f}", std::abs(value), digits);
  const std::size_t point = std::min(number.find('.'), number.size());
  const std::string whole = plot::with_commas(std::stoull(number.substr(0, point)));
  return fmt::format("{}{}{}", value < 0 ? "-" : "", whole, number.substr(point));
}

std::string short_number(double value) {
  for (const auto& [unit, name] : {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")}) {
    if (value >= (unit > 1e3 ? unit : 1e4)) return fmt::format("{:.4g}\u00a0{}", value / unit, name);
  }
  return value >= 1000 ? plot::with_commas(static_cast<std::uint64_t>(value)) : fmt::format("{:.4g}", value);
}

Table::Table(std::string_view caption, std::initializer_list<std::string_view> columns, std::string_view classes) {
  begin(caption, classes);
  for (const std::string_view column : columns) heading(column);
  text_ += "</tr></thead>\n<tbody>\n";
}

Table::Table(std::string_view caption, const std::vector<std::string>& columns, std::string_view classes) {
  begin(caption, classes);
  for (const std::string& column : columns) heading(column);
  text_ += "</tr></thead>\n<tbody>\n";
}

void Table::begin(std::string_view caption, std::string_view classes) {
  // A scrolling box must be reachable by keys.
  text_ = "<div class=\"scroll\" tabindex=\"0\">\n";
  text_ += classes.empty() ? std::string("<table>") : fmt::format("<table class=\"{}\">", classes);
  text_ += fmt::format("\n<caption>{}</caption>\n<thead><tr>", caption);
}

void Table::heading(std::string_view name) {
  text_ += fmt::format("<th scope=\"col\">{}</th>", name);
}

Table& Table::row(std::string_view heading, std::string_view attributes) {
  end_row();
  text_ += fmt::format("<tr{}><th scope=\"row\">{}</th>", attributes, heading);
  in_row_ = true;
  return *this;
}

Table& Table::cell(std::string_view html) {
  text_ += fmt::format("<td>{}</td>", html);
  return *this;
}

Table& Table::count(std::uint64_t count, std::string_view json) {
  text_ += fmt::format("<td{}>{}</td>", json_attributes(json, std::to_string(count)), count_text(count));
  return *this;
}

Table& Table::percent(std::uint64_t part, std::uint64_t whole, std::string_view json) {
  text_ += fmt::format("<td{}>{}</td>", json_attributes(json, json_share(part, whole)), percent_text(part, whole));
  return *this;
}

Table& Table::ratio(std::uint64_t part, std::uint64_t whole, std::string_view json) {
  text_ += fmt::format("<td{}>{}</td>", json_attributes(json, json_share(part, whole)), ratio_text(part, whole));
  return *this;
}

void Table::end_row() {
  if (in_row_) text_ += "</tr>\n";
  in_row_ = false;
}

std::string Table::finish() {
  end_row();
  return std::move(text_) + "</tbody>\n</table>\n</div>\n";
}

std::string section(std::string_view id, std::string_view title, std::string_view content) {
  if (content.empty()) return {};
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n\n", id,
      escaped(title), content);
}

std::string json_attributes(std::string_view path, std::string_view value) {
  return path.empty() ? std::string() : fmt::format(" data-json=\"{}\" data-value=\"{}\"", path, value);
}

}  // namespace warpseed::report
