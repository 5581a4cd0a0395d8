#include "overlap/region_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "overlap/label_text.hpp"
#include "overlap/line_text.hpp"
#include "warpseed/error.hpp"

namespace warpseed::overlap {

namespace {

const CommonRegion& region_of(const CommonRegion& region) {
  return region;
}
const CommonRegion& region_of(const LongestRegion& region) {
  return region.region;
}

/// A region and its two sequences.
struct NamedRegion {
  const CommonRegion& region;
  const text::SequenceInfo& target;
  const text::SequenceInfo& query;

  std::uint64_t target_end() const { return region.target_begin + region.length; }
  std::uint64_t query_end() const { return region.query_begin + region.length; }
  char strand() const { return region.reverse ? '-' : '+'; }
};

char* put_tsv(char* at, const NamedRegion& p) {
  return put_all(at, p.target.name, '\t', p.region.target_begin, '\t', p.target_end(), '\t', p.query.name, '\t',
                 p.region.query_begin, '\t', p.query_end(), '\t', p.strand(), '\t', p.region.length);
}

char* put_bed(char* at, const NamedRegion& p) {
  return put_all(at, p.target.name, '\t', p.region.target_begin, '\t', p.target_end(), '\t', p.query.name, ':',
                 p.region.query_begin, '-', p.query_end(), '\t', std::min<std::uint64_t>(p.region.length, 1000), '\t',
                 p.strand());
}

char* put_bed_query(char* at, const NamedRegion& p) {
  return put_all(at, p.query.name, '\t', p.region.query_begin, '\t', p.query_end(), '\t', p.target.name, ':',
                 p.region.target_begin, '-', p.target_end(), '\t', std::min<std::uint64_t>(p.region.length, 1000), '\t',
                 p.strand());
}

char* put_paf(char* at, const NamedRegion& p) {
  at = put_all(at, p.query.name, '\t', p.query.length, '\t', p.region.query_begin, '\t', p.query_end(), '\t',
               p.strand(), '\t', p.target.name, '\t', p.target.length, '\t', p.region.target_begin, '\t');
  return put_all(at, p.target_end(), '\t', p.region.length, '\t', p.region.length,
                 std::string_view("\t255\tNM:i:0\tcg:Z:"), p.region.length, '=');
}

/// Writes the counts if the format has a field for them.
char* put_counts(char* at, const LongestRegion& region, RegionFormatKind kind) {
  const auto put_after = [&](std::string_view before_target, std::string_view before_query) {
    return put_all(at, before_target, region.target_count, before_query, region.query_count);
  };
  if (kind == RegionFormatKind::tsv) return put_after("\t", "\t");
  if (kind == RegionFormatKind::paf) return put_after("\ttn:i:", "\tqn:i:");
  return at;
}

/// Two spaces, then the number, right-aligned in eight columns or as wide as it needs.
char* put_padded(char* at, std::uint64_t number) {
  constexpr std::uint64_t width = 8;
  char digits[number_bytes] = {};
  const auto count = static_cast<std::uint64_t>(put(digits, number) - digits);
  std::memset(at, ' ', 2 + width);
  at += 2 + (count < width ? width - count : 0);
  std::memcpy(at, digits, number_bytes);  // a fixed size is copied without a call
  return at + count;
}

char* put_mums(char* at, const NamedRegion& p, std::uint64_t name_width) {
  at = put_all(at, std::string_view("  "), p.target.name);
  at = std::fill_n(at, name_width - p.target.name.size(), ' ');
  at = put_padded(at, p.region.target_begin + 1);
  at = put_padded(at, p.region.reverse ? p.query_end() : p.region.query_begin + 1);
  return put_padded(at, p.region.length);
}

std::uint64_t longest_name(const text::SequenceList& list) {
  std::uint64_t longest = 0;
  for (const text::SequenceInfo& sequence : list.sequences)
    longest = std::max<std::uint64_t>(longest, sequence.name.size());
  return longest;
}

}  // namespace

RegionFormatKind region_format_kind(std::string_view name) {
  if (name == "tsv") return RegionFormatKind::tsv;
  if (name == "bed") return RegionFormatKind::bed;
  if (name == "bed-query") return RegionFormatKind::bed_query;
  if (name == "paf") return RegionFormatKind::paf;
  if (name == "mums") return RegionFormatKind::mums;
  throw InputError(fmt::format("unknown format \"{}\" (choose tsv, bed, bed-query, paf or mums)", name));
}

RegionFormat::RegionFormat(RegionFormatKind kind, const text::SequenceList& targets, const text::SequenceList& queries,
                           RegionColumns columns)
    : kind_(kind),
      targets_(targets),
      queries_(queries),
      columns_(columns),
      longest_target_name_(longest_name(targets)),
      longest_query_name_(longest_name(queries)) {
  if (kind != RegionFormatKind::tsv && (columns.target_label || columns.query_label)) {
    throw InputError("only the tsv format has columns for labels; leave --label out or write tsv");
  }
}

std::string RegionFormat::header() const {
  if (kind_ != RegionFormatKind::tsv) return {};
  std::string line = "#target\ttarget_begin\ttarget_end\tquery\tquery_begin\tquery_end\tstrand\tlength";
  if (columns_.counts) line += "\ttarget_count\tquery_count";
  if (columns_.target_label) append_label_header(line, "target_");
  if (columns_.query_label) append_label_header(line, "query_");
  return line += '\n';
}

std::string RegionFormat::query_header(std::uint32_t query, bool reverse) const {
  if (kind_ != RegionFormatKind::mums) return {};
  return fmt::format("> {}{}\n", queries_.sequences.at(query).name, reverse ? " Reverse" : "");
}

void RegionFormat::check_labels(std::uint64_t regions, const RegionLabels& labels) const {
  if (labels.target.size() != (columns_.target_label ? regions : 0) ||
      labels.query.size() != (columns_.query_label ? regions : 0)) {
    throw std::invalid_argument("RegionFormat: one label a region for each labelled side, none for the other");
  }
}

template <class Region>
void RegionFormat::append_all(std::span<const Region> regions, std::string& out, const RegionLabels& labels) const {
  check_labels(regions.size(), labels);
  if (columns_.target_label || columns_.query_label) return append_labelled(regions, out, labels);
  const auto lines = [&](const auto& write) {
    const std::uint64_t bound = longest_target_name_ + longest_query_name_ + 15 * (number_bytes + 1);
    append_lines(out, regions.size(), bound, [&](std::uint64_t i, char* at) {
      const CommonRegion& region = region_of(regions[i]);
      at = write(at, NamedRegion{region, targets_.sequences[region.target], queries_.sequences[region.query]});
      if constexpr (std::is_same_v<Region, LongestRegion>) at = put_counts(at, regions[i], kind_);
      return put(at, '\n');
    });
  };
  switch (kind_) {
    case RegionFormatKind::tsv: return lines(put_tsv);
    case RegionFormatKind::bed: return lines(put_bed);
    case RegionFormatKind::bed_query: return lines(put_bed_query);
    case RegionFormatKind::paf: return lines(put_paf);
    case RegionFormatKind::mums:
      return lines([&](char* at, const NamedRegion& position) { return put_mums(at, position, longest_target_name_); });
  }
}

template <class Region>
void RegionFormat::append_labelled(std::span<const Region> regions, std::string& out,
                                   const RegionLabels& labels) const {
  const RegionFormat plain(kind_, targets_, queries_, {.counts = columns_.counts});
  for (std::uint64_t i = 0; i < regions.size(); ++i) {
    plain.append_all(regions.subspan(i, 1), out, {});
    out.pop_back();  // the line end
    if (columns_.target_label) append_label(out, labels.target[i]);
    if (columns_.query_label) append_label(out, labels.query[i]);
    out += '\n';
  }
}

void RegionFormat::append(std::span<const CommonRegion> regions, std::string& out, const RegionLabels& labels) const {
  if (columns_.counts) throw std::invalid_argument("RegionFormat: counts are asked for, the regions have none");
  append_all(regions, out, labels);
}

void RegionFormat::append(std::span<const LongestRegion> regions, std::string& out, const RegionLabels& labels) const {
  if (!columns_.counts) throw std::invalid_argument("RegionFormat: the regions have counts, none are asked for");
  append_all(regions, out, labels);
}

}  // namespace warpseed::overlap
