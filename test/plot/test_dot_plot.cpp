#include "plot/dot_plot.hpp"

#include <stdlib.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <map>
#include <random>

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "overlap/region_helpers.hpp"
#include "plot/dot_density.hpp"
#include "plot/svg_text.hpp"
#include "plot/svg_to_pdf.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::plot;
using namespace warpseed::text;

namespace {

/// A strict parser of the XML that warpseed writes: elements nest, attributes are quoted and unique, text is escaped.
/// Keeps what the tests check.
struct Svg {
  std::map<std::string, std::string> root;    // attributes of <svg>
  std::map<std::string, int> elements;        // number of each element
  std::vector<std::string> texts;             // content of <text> and <title>, as written
  std::map<std::string, std::string> stroke;  // all path data by color

  explicit Svg(const std::string& file) : at_(file) {
    const std::string_view prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    REQUIRE(at_.starts_with(prolog));
    at_.remove_prefix(prolog.size());
    element();
    REQUIRE(at_ == "\n");
  }

  std::uint64_t number(const std::string& name) const { return std::stoull(root.at("data-" + name)); }

 private:
  std::string until(char end) {
    const std::size_t size = at_.find(end);
    REQUIRE(size != at_.npos);
    const std::string text(at_.substr(0, size));
    at_.remove_prefix(size);
    return text;
  }

  void expect(std::string_view text) {
    REQUIRE(at_.starts_with(text));
    at_.remove_prefix(text.size());
  }

  static void check_escaped(const std::string& text) {
    for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
      const std::string entity = text.substr(at, text.find(';', at) - at + 1);
      const bool known =
          entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;" || entity == "&#39;";
      REQUIRE(known);
    }
    REQUIRE(text.find('<') == text.npos);
    for (const char letter : text) REQUIRE((static_cast<unsigned char>(letter) >= ' ' || letter == '\n'));
  }

  std::map<std::string, std::string> attributes() {
    std::map<std::string, std::string> found;
    while (at_.starts_with(' ')) {
      expect(" ");
      const std::string name = until('=');
      expect("=\"");
      const std::string value = until('"');
      expect("\"");
      check_escaped(value);
      REQUIRE(found.emplace(name, value).second);
    }
    return found;
  }

  void element() {
    expect("<");
    const std::size_t size = at_.find_first_of(" />");
    const std::string name(at_.substr(0, size));
    at_.remove_prefix(size);
    const auto found = attributes();
    if (elements.empty()) root = found;
    ++elements[name];
    if (name == "path" && found.contains("stroke")) stroke[found.at("stroke")] += found.at("d");
    if (at_.starts_with("/>")) return expect("/>");
    expect(">");
    while (!at_.starts_with("</")) {
      const std::string text = until('<');
      check_escaped(text);
      if (name == "text" || name == "title") texts.push_back(text);
      if (!at_.starts_with("</")) element();
    }
    expect("</" + name + ">");
  }

  std::string_view at_;
};

std::size_t count_of(const std::string& text, char letter) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), letter));
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::string svg_of(const SequenceList& targets, const SequenceList& queries, const std::vector<CommonRegion>& regions,
                   std::size_t portion, DotPlotOptions options = {}) {
  DotPlot plot(targets, queries, std::move(options));
  for (std::size_t i = 0; i < regions.size(); i += portion) {
    plot.add(std::span(regions).subspan(i, std::min(portion, regions.size() - i)));
  }
  return plot.svg();
}

const std::string blue = "#0072b2", orange = "#d55e00";

/// A program in PATH that replaces one that renders PNG.
std::string fake_program(const test::TempFolder& folder, const std::string& name, const std::string& script) {
  const std::string path = folder.write(name, "#!/bin/sh\n" + script);
  chmod(path.c_str(), 0755);
  return path;
}

/// Sets PATH during its lifetime.
class PathSet {
 public:
  explicit PathSet(const std::string& path) : before_(getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~PathSet() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("a plot counts what was added", "[plot][dot_plot]") {
  const std::size_t count = GENERATE(0U, 1U, 2U, 1000U);
  const SequenceList targets = test::sequences_of("t", {64, 1000, 63, 65, 5000});
  const SequenceList queries = test::sequences_of("q", {700, 128, 1});
  std::mt19937_64 rng(count);
  CAPTURE(count);
  const auto regions = test::random_regions(count, targets, queries, rng);

  std::map<std::uint32_t, std::vector<bool>> target_bases, query_bases;
  std::uint64_t reverse = 0, matched = 0, target_covered = 0, query_covered = 0;
  const auto mark = [](std::vector<bool>& bases, std::uint64_t begin, std::uint64_t length, std::uint64_t& covered) {
    if (bases.size() < begin + length) bases.resize(begin + length);
    for (std::uint64_t i = begin; i < begin + length; ++i) {
      covered += !bases[i];
      bases[i] = true;
    }
  };
  for (const CommonRegion& r : regions) {
    reverse += r.reverse;
    matched += r.length;
    mark(target_bases[r.target], r.target_begin, r.length, target_covered);
    mark(query_bases[r.query], r.query_begin, r.length, query_covered);
  }

  const Svg svg(svg_of(targets, queries, regions, 64));
  CHECK(svg.number("forward") == count - reverse);
  CHECK(svg.number("reverse") == reverse);
  CHECK(svg.number("matched-bases") == matched);
  CHECK(svg.number("target-bases") == 6192);
  CHECK(svg.number("query-bases") == 829);
  CHECK(svg.number("target-covered") == target_covered);
  CHECK(svg.number("query-covered") == query_covered);
  const std::size_t legend = 1;  // one line of each color
  CHECK(count_of(svg.stroke.at(blue), 'M') == count - reverse + legend);
  CHECK(count_of(svg.stroke.at(orange), 'M') == reverse + legend);
}

TEST_CASE("lines are at the positions of their regions", "[plot][dot_plot]") {
  SequenceList targets = test::sequences_of("t", {500, 500}), queries = test::sequences_of("q", {2000});
  const std::vector<CommonRegion> regions = {{1, 0, 0, 1000, 250, false}, {0, 0, 0, 0, 500, true}};
  const Svg svg(svg_of(targets, queries, regions, 1));
  // 720 pixels per side: the forward line rises from the middle, the reverse one falls from the left.
  CHECK(svg.stroke.at(blue).ends_with("M360 360l180-90"));
  CHECK(svg.stroke.at(orange).ends_with("M0 540l360 180"));
  CHECK(has(svg.texts, "t_1:1-250 = q0:1,001-1,250, 250 bp"));
  CHECK(has(svg.texts, "t0:1-500 = q0:1-500 reversed, 500 bp"));
  CHECK(has(svg.texts, "query: q0, 2,000 bases"));
  CHECK(has(svg.texts, "target: t.fa, 2 sequences, 1,000 bases"));
  CHECK(has(svg.texts,
            "1 forward match, 1 reverse match; they cover 75.0 % of the target bases and 37.5 % of the query "
            "bases"));
}

TEST_CASE("a set against itself is drawn on both sides of the diagonal", "[plot][dot_plot]") {
  const SequenceList list = test::sequences_of("s", {720});
  const Svg svg(svg_of(list, list, {{0, 0, 10, 110, 50, false}, {0, 0, 300, 400, 20, true}}, 9, {.symmetric = true}));
  CHECK(svg.stroke.at(blue).ends_with("M10 610l50-50M110 710l50-50"));
  CHECK(svg.stroke.at(orange).ends_with("M300 300l20 20M400 400l20 20"));
  CHECK(svg.number("forward") == 1);
  CHECK(svg.number("target-covered") == 140);
  CHECK(svg.number("query-covered") == 140);
}

TEST_CASE("a plot with too many regions for lines shows cells, independent of the portions", "[plot][dot_plot]") {
  SequenceList targets = test::sequences_of("t", {40'000'000, 2'000'000}),
               queries = test::sequences_of("q", {70'000'000});
  std::mt19937_64 rng(3);
  std::vector<CommonRegion> regions;
  for (int i = 0; i < 150'000; ++i) {  // many equal lengths, so that ties decide
    regions.push_back({0, 0, rng() % 39'999'000, rng() % 69'999'000, 20 + rng() % 5 * (rng() % 8), rng() % 2 == 0});
  }
  const std::string whole = svg_of(targets, queries, regions, regions.size());
  CHECK(whole == svg_of(targets, queries, regions, 7));
  CHECK(whole.size() < 5'000'000);
  const Svg svg(whole);
  CHECK(count_of(svg.stroke.at(blue), 'l') + count_of(svg.stroke.at(orange), 'l') == DotPlot::max_lines);
  CHECK(svg.number("forward") + svg.number("reverse") == regions.size());
}

TEST_CASE("a plot of noise stays below five megabytes", "[plot][dot_plot]") {
  const SequenceList list = test::sequences_of("t", {3'000'000'000});
  std::mt19937_64 rng(4);
  DotPlot plot(list, list, {.symmetric = true});
  std::vector<CommonRegion> regions(100'000);
  for (int round = 0; round < 12; ++round) {
    for (CommonRegion& r : regions) r = {0, 0, rng() % 2'999'999'000, rng() % 2'999'999'000, 20, rng() % 2 == 0};
    plot.add(regions);
  }
  CHECK(plot.svg().size() < 5'000'000);
}

TEST_CASE("cells count the lines that touch them", "[plot][dot_plot]") {
  DotDensity cells(8);
  CHECK(cells.runs().empty());
  cells.add_line(0, 0, 7, 7);
  cells.add_line(7, 0, 0, 7);
  for (int i = 0; i < 300; ++i) cells.add_line(3, 3, 3, 3);
  std::array<std::array<unsigned, 8>, 8> levels{};
  for (const DotDensity::Run& run : cells.runs()) {
    for (std::uint32_t x = run.x_begin; x < run.x_end; ++x) levels[run.y][x] = run.level;
  }
  for (std::size_t y = 0; y < 8; ++y) {
    for (std::size_t x = 0; x < 8; ++x) {
      CHECK(levels[y][x] == (x == 3 && y == 3 ? 8 : x == y || x + y == 7 ? 1 : 0));
    }
  }
  cells.coarsen_to(4);
  CHECK(cells.side() == 2);
  CHECK(cells.runs().size() <= 4);
}

TEST_CASE("names are escaped, and shown if they fit", "[plot][dot_plot]") {
  std::vector<std::uint64_t> lengths(100, 1000);
  lengths[7] = 30'000;
  SequenceList targets = test::sequences_of("t", lengths), queries = test::sequences_of("q", {9, 9});
  targets.sequences[7].name = "<&\"'>\x01\xFF\xC3\xA9";
  queries.sequences[1].name = std::string(100, 'n');
  queries.files = {"a/b/x<y>.fa", "z.fa"};
  const Svg svg(svg_of(targets, queries, {}, 1));
  CHECK(has(svg.texts, "&lt;&amp;&quot;&#39;&gt;??\xC3\xA9"));
  CHECK(has(svg.texts, std::string(24, 'n') + "\xE2\x80\xA6"));
  CHECK(has(svg.texts, "t.fa against x&lt;y&gt;.fa and 1 more"));
  CHECK(has(svg.texts, "t_1, 1,000 bp"));
  int named = 0;
  for (const SequenceInfo& sequence : targets.sequences) named += has(svg.texts, sequence.name);
  CHECK(named >= 20);
  CHECK(named < 60);
}

TEST_CASE("axes have ticks at round numbers", "[plot][dot_plot]") {
  const auto labels_of = [](std::uint64_t length) {
    const SequenceList list = test::sequences_of("s", {length});
    std::string labels;
    for (const PlotAxis::Tick& tick : PlotAxis(list, 100).ticks()) labels += tick.label + ",";
    return labels;
  };
  CHECK(labels_of(0) == "0,");
  CHECK(labels_of(5) == "0,1 bp,2 bp,3 bp,4 bp,5 bp,");
  CHECK(labels_of(48'502) == "0,10 kb,20 kb,30 kb,40 kb,");
  CHECK(labels_of(4'641'652) == "0,1 Mb,2 Mb,3 Mb,4 Mb,");
  CHECK(labels_of(3'100'000'000) == "0,0.5 Gb,1 Gb,1.5 Gb,2 Gb,2.5 Gb,3 Gb,");
  CHECK(decimal(std::int64_t{-5}) == "-.05");
  CHECK(decimal(12.5) == "12.5");
  CHECK(decimal(std::int64_t{100}) == "1");
}

TEST_CASE("coding shares are shaded along the axes", "[plot][dot_plot]") {
  const SequenceList list = test::sequences_of("s", {360'000, 0});
  DotPlot plot(list, list);
  const Svg before(plot.svg());
  plot.set_coding(PlotSide::target, 0, std::vector<Interval>{{0, 90'000}, {180'000, 180'500}, {270'000, 999'999'999}});
  plot.set_coding(PlotSide::query, 1, {});
  const std::string drawn = plot.svg();
  const Svg after(drawn);
  const int legend = 9;
  CHECK(after.elements.at("rect") == before.elements.at("rect") + legend + 5 + 1);  // dark light half light dark; light
  CHECK(drawn.find("<rect x=\"0\" y=\"723\" width=\"180\" height=\"10\" fill=\"#222\"/>") != drawn.npos);
  CHECK(drawn.find("<rect x=\"360\" y=\"723\" width=\"2\" height=\"10\" fill=\"#888\"/>") != drawn.npos);
}

TEST_CASE("a set against itself shows coding shares on both axes", "[plot][dot_plot]") {
  const SequenceList list = test::sequences_of("s", {360'000});
  DotPlot plot(list, list, {.symmetric = true});
  plot.set_coding(PlotSide::target, 0, std::vector<Interval>{{0, 90'000}});
  const std::string drawn = plot.svg();
  CHECK(drawn.find("<rect x=\"0\" y=\"723\" width=\"180\" height=\"10\" fill=\"#222\"/>") != drawn.npos);
  CHECK(drawn.find("<rect x=\"-13\" y=\"540\" width=\"10\" height=\"180\" fill=\"#222\"/>") != drawn.npos);
}

TEST_CASE("a plot without regions is valid", "[plot][dot_plot]") {
  const SequenceList none;
  CHECK(Svg(svg_of(none, none, {}, 1)).number("forward") == 0);
}

TEST_CASE("plots are written completely or not at all", "[plot][dot_plot]") {
  const SequenceList list = test::sequences_of("s", {1000});
  DotPlot plot(list, list);
  const test::TempFolder folder, programs;
  plot.write(folder.file("plot.svg"));
  CHECK(test::content_of(folder.file("plot.svg")) == plot.svg());
  plot.write(folder.file("plot.pdf"));
  CHECK(test::content_of(folder.file("plot.pdf")) == svg_to_pdf(plot.svg(), plot.title()));
  std::filesystem::remove(folder.file("plot.pdf"));
  CHECK(folder.names().size() == 1);
  CHECK_THROWS_AS(plot.write(folder.file("none/plot.svg")), IoError);

  const PathSet path(":/nonexistent:" + programs.file(""));
  const std::string png = folder.file("plot.png");
  const auto write_png = [&] { plot.write(png); };
  CHECK(test::message_of<InputError>(write_png).find("install librsvg2-bin") != std::string::npos);
  CHECK(folder.names().size() == 1);

  fake_program(programs, "rsvg-convert", "echo noise; echo noise >&2; exit 3\n");
  const std::string failed = test::message_of<IoError>(write_png);
  CHECK(failed.find("cannot write " + png + ": ") != std::string::npos);
  CHECK(failed.find("rsvg-convert failed") != std::string::npos);
  CHECK(folder.names().size() == 1);

  fake_program(programs, "inkscape", "for a; do case $a in --export-filename=*) echo PNG >\"${a#*=}\";; esac; done\n");
  write_png();
  CHECK(test::content_of(png) == "PNG\n");
  CHECK(folder.names().size() == 2);
}
