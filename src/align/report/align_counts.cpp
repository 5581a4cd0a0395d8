#include "align/report/align_counts.hpp"

#include <fmt/format.h>

#include <string_view>

namespace warpseed::align {

namespace {

enum class Outcome { unmapped, unique, repeated };

Outcome outcome_of(const ReadRecords& records) {
  const records::AlignmentRecord& primary = records.front();
  if (primary.flag & records::sam_flag::unmapped) return Outcome::unmapped;
  return primary.mapq > 0 ? Outcome::unique : Outcome::repeated;
}

void count(Outcome outcome, std::uint64_t& unmapped, std::uint64_t& unique, std::uint64_t& repeated) {
  switch (outcome) {
    case Outcome::unmapped: ++unmapped; break;
    case Outcome::unique: ++unique; break;
    case Outcome::repeated: ++repeated; break;
  }
}

/// Lines of the form "  12 (3.40%) what".
class Lines {
 public:
  std::string text;

  void line(int indent, std::uint64_t part, std::uint64_t whole, std::string_view what) {
    text += fmt::format("{:{}}{} ({:.2f}%) {}\n", "", indent, part, percent(part, whole), what);
  }
  void line(int indent, std::string_view what) { text += fmt::format("{:{}}{}\n", "", indent, what); }

  static double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

void add_pairs(const AlignCounts& counts, Lines& out) {
  const std::uint64_t pairs = counts.pairs();
  const std::uint64_t not_proper = pairs - counts.proper();
  const std::uint64_t rest = not_proper - counts.discordant_unique;
  out.line(2, pairs, pairs, "were paired; of these:");
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

void add_singles(const AlignCounts& counts, Lines& out) {
  out.line(2, counts.reads, counts.reads, "were unpaired; of these:");
  out.line(4, counts.unmapped, counts.reads, "aligned 0 times");
  out.line(4, counts.unique, counts.reads, "aligned exactly 1 time");
  out.line(4, counts.repeated, counts.reads, "aligned >1 times");
}

}  // namespace

void AlignCounts::add_read(const ReadRecords& records) {
  ++reads;
  count(outcome_of(records), unmapped, unique, repeated);
  for (const records::AlignmentRecord& record : records) {
    if (record.flag & records::sam_flag::secondary) ++secondary_records;
    if (record.flag & records::sam_flag::supplementary) ++supplementary_records;
  }
}

void AlignCounts::add_pair(const ReadRecords& first, const ReadRecords& second) {
  paired = true;
  add_read(first);
  add_read(second);
  const Outcome one = outcome_of(first), two = outcome_of(second);
  const int mapped_mates = (one != Outcome::unmapped) + (two != Outcome::unmapped);
  both_mapped += mapped_mates == 2;
  one_mapped += mapped_mates == 1;
  const bool both_unique = one == Outcome::unique && two == Outcome::unique;
  if (first.front().flag & records::sam_flag::proper_pair) {
    ++(both_unique ? proper_unique : proper_repeated);
  } else if (both_unique) {
    ++discordant_unique;
  } else {
    count(one, rest_unmapped, rest_unique, rest_repeated);
    count(two, rest_unmapped, rest_unique, rest_repeated);
  }
}

AlignCounts& AlignCounts::operator+=(const AlignCounts& other) {
  paired = paired || other.paired;
  for (const auto number : {&AlignCounts::reads, &AlignCounts::unmapped, &AlignCounts::unique, &AlignCounts::repeated,
                            &AlignCounts::secondary_records, &AlignCounts::supplementary_records,
                            &AlignCounts::proper_unique, &AlignCounts::proper_repeated, &AlignCounts::discordant_unique,
                            &AlignCounts::both_mapped, &AlignCounts::one_mapped, &AlignCounts::rest_unmapped,
                            &AlignCounts::rest_unique, &AlignCounts::rest_repeated}) {
    this->*number += other.*number;
  }
  return *this;
}

std::string summary_text(const AlignCounts& counts) {
  Lines out;
  out.line(0, fmt::format("{} reads; of these:", counts.paired ? counts.pairs() : counts.reads));
  counts.paired ? add_pairs(counts, out) : add_singles(counts, out);
  out.line(0, fmt::format("{:.2f}% overall alignment rate", Lines::percent(counts.mapped(), counts.reads)));
  return out.text;
}

}  // namespace warpseed::align
