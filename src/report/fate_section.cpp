// The key numbers, and what became of reads, pairs and records.
#include <fmt/format.h>

#include "report/html_text.hpp"
#include "report/sections.hpp"

namespace warpseed::report {

namespace {

/// One of the numbers at the top. json: where the JSON report has the value, or empty.
std::string key_number(std::string_view name, const std::string& shown, std::string_view note,
                       std::string_view json = {}, std::uint64_t value = 0) {
  return fmt::format("<div><dt>{}</dt><dd><b{}>{}</b> <span>{}</span></dd></div>\n", name,
                     json_attributes(json, std::to_string(value)), shown, note);
}

/// A part of a bar and of its table.
struct Part {
  std::string_view name;
  std::uint64_t count;
  std::string_view json;  // path; empty where the JSON report has no such number
};

/// A bar of parts that add up to `whole`, with their numbers as a table.
std::string parts_bar(std::string_view caption, const std::vector<Part>& parts, std::uint64_t whole) {
  std::string bar;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double share = whole == 0 ? 0 : 100 * static_cast<double>(parts[i].count) / static_cast<double>(whole);
    bar += fmt::format("<span class=\"part p{}\" style=\"width:{:.3f}%\" title=\"{}: {}\"></span>", i + 1, share,
                       parts[i].name, percent_text(parts[i].count, whole));
  }
  Table table(caption, {"", "number", "share"}, "parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    table.row(fmt::format("<i class=\"swatch p{}\"></i>{}", i + 1, parts[i].name))
        .count(parts[i].count, parts[i].json)
        .percent(parts[i].count, whole);
  }
  return fmt::format("<div class=\"fate\">\n<div class=\"bar\" aria-hidden=\"true\">{}</div>\n{}</div>\n", bar,
                     table.finish());
}

/// "12 pairs", "12 pairs, 3 single", or "single".
std::string kinds_of_reads(const align::AlignCounts& counts) {
  if (!counts.paired) return "single";
  const std::string pairs = count_text(counts.pairs()) + " pairs";
  return counts.singles() == 0 ? pairs : fmt::format("{}, {} single", pairs, count_text(counts.singles()));
}

std::string pairs_bar(const align::AlignCounts& counts) {
  const std::uint64_t unmapped = counts.pairs() - counts.both_mapped - counts.one_mapped;
  const std::uint64_t discordant = counts.both_mapped - counts.proper();
  return parts_bar("Pairs",
                   {{"proper, both mates unique", counts.proper_unique, "pairs.proper_unique"},
                    {"proper, a mate repeated", counts.proper_repeated, ""},
                    {"discordant, both mates unique", counts.discordant_unique, "pairs.discordant_unique"},
                    {"discordant, a mate repeated", discordant - counts.discordant_unique, ""},
                    {"one mate mapped", counts.one_mapped, "pairs.lone"},
                    {"unmapped", unmapped, "pairs.unmapped"}},
                   counts.pairs());
}

std::string records_table(const PageData& data) {
  const align::AlignCounts& counts = data.statistics.counts;
  Table table("Records", {"", "number"}, "parts");
  table.row("primary").count(counts.reads, "records.primary");
  table.row("supplementary").count(counts.supplementary_records, "records.supplementary");
  table.row("secondary").count(counts.secondary_records, "records.secondary");
  return "<div class=\"fate\">\n" + table.finish() + "</div>\n";
}

std::string duplicates_table(const records::DuplicateCounts& counts) {
  Table table("Duplicates among mapped reads that passed the filters", {"", "reads", "duplicates", "share"}, "parts");
  table.row("all").count(counts.compared(), "duplicates.compared").count(counts.marked(), "duplicates.marked");
  table.percent(counts.marked(), counts.compared());
  table.row("both mates mapped").count(counts.of_pairs).count(counts.of_pairs_marked, "duplicates.marked_of_pairs");
  table.percent(counts.of_pairs_marked, counts.of_pairs);
  table.row("single").count(counts.single).count(counts.single_marked, "duplicates.marked_single");
  table.percent(counts.single_marked, counts.single);
  return "<div class=\"fate\">\n" + table.finish() + "</div>\n";
}

}  // namespace

std::string key_numbers(const PageData& data) {
  const align::AlignCounts& counts = data.statistics.counts;
  std::string html = key_number("Reads", count_text(counts.reads), kinds_of_reads(counts), "reads.total", counts.reads);
  html += key_number("Mapped", percent_text(counts.mapped(), counts.reads), count_text(counts.mapped()) + " reads");
  if (counts.paired) {
    html += key_number("Proper pairs", percent_text(counts.proper(), counts.pairs()),
                       count_text(counts.proper()) + " pairs");
  }
  if (data.context.duplicates) {
    const records::DuplicateCounts& duplicates = data.context.duplicates->all;
    html += key_number("Duplicates", percent_text(duplicates.marked(), duplicates.compared()),
                       count_text(duplicates.marked()) + " reads");
  }
  const align::CoverageWindow& genome = data.genome;
  html += key_number("Mean depth", ratio_text(genome.aligned_bases, genome.known_bases) + "\u00a0\u00d7",
                     count_text(genome.aligned_bases) + " aligned bases");
  html += key_number("Genome covered", percent_text(genome.covered_bases, genome.known_bases),
                     "of " + count_text(genome.known_bases) + " bases");
  const align::LongReadCounts& long_reads = data.statistics.long_reads;
  if (long_reads.reads > 0) {
    html += key_number("N50 of long reads", count_text(long_reads.n50()), count_text(long_reads.reads) + " long reads",
                       "long_reads.n50", long_reads.n50());
  }
  return "<dl class=\"numbers\">\n" + html + "</dl>\n\n";
}

std::string fate_section(const PageData& data) {
  const align::AlignCounts& counts = data.statistics.counts;
  const char* const of_pairs =
      " A pair is proper (flag 0x2) if its orientation and insert size are as expected, discordant if both mates are "
      "mapped otherwise.";
  std::string html = fmt::format(
      "<p>A mapped read is unique if its mapping quality is above 0, repeated if it is 0.{}</p>\n<div "
      "class=\"fates\">\n",
      counts.paired ? of_pairs : "");
  html += parts_bar("Reads",
                    {{"unique", counts.unique, "reads.unique"},
                     {"repeated", counts.repeated, "reads.repeated"},
                     {"unmapped", counts.unmapped, "reads.unmapped"}},
                    counts.reads);
  if (counts.paired) html += pairs_bar(counts);
  if (counts.singles_among_pairs() > 0) {
    html += parts_bar("Single reads",
                      {{"unique", counts.single_unique, "single_reads.unique"},
                       {"repeated", counts.single_repeated, "single_reads.repeated"},
                       {"unmapped", counts.single_unmapped, "single_reads.unmapped"}},
                      counts.singles());
  }
  html += records_table(data);
  if (data.context.duplicates) html += duplicates_table(data.context.duplicates->all);
  return section("reads", counts.paired ? "Reads and pairs" : "Reads", html + "</div>\n");
}

}  // namespace warpseed::report
