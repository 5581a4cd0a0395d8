#include "align/report/summary_text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace warpseed::align {

namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// Lines of the form "  12 (3.40%) what".
class Bowtie2Lines {
 public:
  std::string text;

  void line(int indent, std::uint64_t part, std::uint64_t whole, std::string_view what) {
    text += fmt::format("{:{}}{} ({:.2f}%) {}\n", "", indent, part, percent(part, whole), what);
  }
  void line(int indent, std::string_view what) { text += fmt::format("{:{}}{}\n", "", indent, what); }
};

void add_pairs(const AlignCounts& counts, Bowtie2Lines& out) {
  const std::uint64_t pairs = counts.pairs();
  const std::uint64_t not_proper = pairs - counts.proper();
  const std::uint64_t rest = not_proper - counts.discordant_unique;
  out.line(2, pairs, pairs + counts.singles(), "were paired; of these:");
  out.line(4, not_proper, pairs, "aligned concordantly 0 times");
  out.line(4, counts.proper_unique, pairs, "aligned concordantly exactly 1 time");
  out.line(4, counts.proper_repeated, pairs, "aligned concordantly >1 times");
  out.line(4, "----");
  out.line(4, fmt::format("{} pairs aligned concordantly 0 times; of these:", not_proper));
  out.line(6, counts.discordant_unique, not_proper, "aligned discordantly 1 time");
  out.line(4, "----");
  out.line(4, fmt::format("{} pairs aligned 0 times concordantly or discordantly; of these:", rest));
  out.line(6, fmt::format("{} mates make up the pairs; of these:", 2 * rest));
  out.line(8, counts.rest_unmapped, 2 * rest, "aligned 0 times");
  out.line(8, counts.rest_unique, 2 * rest, "aligned exactly 1 time");
  out.line(8, counts.rest_repeated, 2 * rest, "aligned >1 times");
}

void add_singles(const AlignCounts& counts, Bowtie2Lines& out) {
  const std::uint64_t singles = counts.singles();
  out.line(2, singles, counts.pairs() + singles, "were unpaired; of these:");
  out.line(4, counts.single_unmapped, singles, "aligned 0 times");
  out.line(4, counts.single_unique, singles, "aligned exactly 1 time");
  out.line(4, counts.single_repeated, singles, "aligned >1 times");
}

std::string bowtie2_text(const AlignCounts& counts) {
  Bowtie2Lines out;
  out.line(0, fmt::format("{} reads; of these:", counts.pairs() + counts.singles()));
  if (counts.paired) add_pairs(counts, out);
  if (!counts.paired || counts.singles() > 0) add_singles(counts, out);
  out.line(0, fmt::format("{:.2f}% overall alignment rate", percent(counts.mapped(), counts.reads)));
  return out.text;
}

/// A group of lines "    12   3.40%  what" after "  353 whole"; numbers take `width` columns.
class Group {
 public:
  Group(std::uint64_t whole, std::string_view name, std::size_t width)
      : whole_(whole), width_(width), text_(fmt::format("  {} {}\n", whole, name)) {}

  Group& line(std::uint64_t part, std::string_view what) {
    text_ += fmt::format("  {:>{}} {:6.2f}%  {}\n", part, width_ + 2, percent(part, whole_), what);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::uint64_t whole_;
  std::size_t width_;
  std::string text_;
};

std::string warpseed_text(const AlignCounts& counts) {
  const std::size_t width = fmt::formatted_size("{}", counts.reads);
  Group reads(counts.reads, "reads", width);
  reads.line(counts.unique, "unique (MAPQ above 0)");
  reads.line(counts.repeated, "repeated (MAPQ 0)");
  reads.line(counts.unmapped, "unmapped");
  std::string text = fmt::format("warpseed align: {} of {} reads mapped ({:.2f}%)\n", counts.mapped(), counts.reads,
                                 percent(counts.mapped(), counts.reads)) +
                     reads.text();
  if (!counts.paired) return text;
  Group pairs(counts.pairs(), "pairs", width);
  pairs.line(counts.proper_unique, "proper, both mates unique");
  pairs.line(counts.proper_repeated, "proper, a mate repeated");
  pairs.line(counts.discordant_unique, "discordant, both mates unique");
  pairs.line(counts.both_mapped - counts.proper() - counts.discordant_unique, "discordant, a mate repeated");
  pairs.line(counts.one_mapped, "one mate mapped");
  pairs.line(counts.pairs() - counts.both_mapped - counts.one_mapped, "unmapped");
  text += pairs.text();
  if (counts.singles() == 0) return text;
  Group singles(counts.singles(), "single reads", width);
  singles.line(counts.single_unique, "unique");
  singles.line(counts.single_repeated, "repeated");
  singles.line(counts.single_unmapped, "unmapped");
  return text + singles.text();
}

}  // namespace

std::string summary_text(const AlignCounts& counts, SummaryForm form) {
  return form == SummaryForm::bowtie2 ? bowtie2_text(counts) : warpseed_text(counts);
}

}  // namespace warpseed::align
