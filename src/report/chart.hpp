// Plots of numbers along an axis: SVG with its labels in HTML, so that text keeps its size whatever the width, and a
// table of the numbers, from which the script takes what it shows under the pointer.
#pragma once

#include <string>
#include <vector>

namespace warpseed::report {

enum class Drawing {
  line,
  dashed,
  bars,   // from x to the next x
  steps,  // the same without gaps between
  band,   // filled between this series and the next one, which is listed only
  listed  // in the table only
};

/// One number per point of the x axis, drawn in one manner.
struct Series {
  std::string name;
  Drawing drawing = Drawing::line;
  unsigned color = 1;          // 1 to 4, see report.css
  std::vector<double> values;  // [points]; not a number: none, a gap
  int digits = 0;              // behind the decimal point, in the table
};

/// A place on an axis with a name; the widest pages alone show those that are not `important`.
struct AxisLabel {
  double at = 0;
  std::string text;  // not escaped
  bool important = true;
};

/// A range of x that is shaded.
struct ShadedRange {
  double begin = 0, end = 0;
  std::string style = "range";  // its class in report.css
};

struct Chart {
  std::string id, title, note;  // title and note are not escaped; the note may be empty
  std::string x_title, y_title;
  std::string x_heading = {};        // of x in the table; x_title where empty
  std::vector<double> x;             // [points] rising; bars and steps end at the next one or x_end
  std::vector<std::string> x_texts;  // [points] in the table; x itself where empty
  double x_begin = 0, x_end = 1;
  double y_end = 0;          // 0: as far as the values go; larger values are cut off
  bool logarithmic = false;  // the y axis; values are counts
  std::vector<Series> series;
  std::vector<ShadedRange> shaded = {};
  std::vector<AxisLabel> marks = {};     // vertical lines
  std::vector<AxisLabel> x_labels = {};  // instead of round numbers
  bool wide = false;
};

/// The chart as an HTML figure. Cost: linear in its points.
std::string chart_html(const Chart& chart);

/// A line without axes, for a cell of a table: one step per value, from 0 to y_end. Not a number: a gap.
std::string sparkline(const std::vector<double>& values, double y_end);

}  // namespace warpseed::report
