// Numbers and tables of an HTML page.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace warpseed::report {

/// Any text for content and attributes.
std::string escaped(std::string_view text);

std::string count_text(std::uint64_t count);                        // 1,234,567
std::string percent_text(std::uint64_t part, std::uint64_t whole);  // 99.16 %; a dash where whole is 0
std::string ratio_text(std::uint64_t part, std::uint64_t whole);    // 43.21; a dash where whole is 0
std::string decimal_text(double value, int digits);                 // 1,234.5
std::string short_number(double value);                             // 950, 12 k, 1.5 M: for ticks

/// A table that is sorted by a click on a heading, if scripts run. The first cell of a row is its heading.
class Table {
 public:
  /// caption and columns: HTML. classes: of the table; may be empty.
  Table(std::string_view caption, std::initializer_list<std::string_view> columns, std::string_view classes = {});
  Table(std::string_view caption, const std::vector<std::string>& columns, std::string_view classes = {});

  /// Begins a row. `attributes`: " data-x=\"1\"", for example.
  Table& row(std::string_view heading, std::string_view attributes = {});

  Table& cell(std::string_view html);

  /// A number that is also in the JSON report: json is the path of the member there, such as "reads.total".
  Table& count(std::uint64_t count, std::string_view json = {});
  Table& percent(std::uint64_t part, std::uint64_t whole, std::string_view json = {});
  Table& ratio(std::uint64_t part, std::uint64_t whole, std::string_view json = {});

  std::string finish();

 private:
  void begin(std::string_view caption, std::string_view classes);
  void heading(std::string_view name);
  void end_row();

  std::string text_;
  bool in_row_ = false;
};

/// <section id="ID"><h2>TITLE</h2>CONTENT</section>, empty for no content. Arguments but the title are HTML.
std::string section(std::string_view id, std::string_view title, std::string_view content);

/// The attribute that compares a number with the JSON report's: its value there, and its path.
std::string json_attributes(std::string_view path, std::string_view value);

}  // namespace warpseed::report
