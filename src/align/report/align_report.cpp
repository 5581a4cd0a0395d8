#include "align/report/align_report.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "align/report/json_writer.hpp"
#include "align/report/report_parts.hpp"
#include "records/sam_header.hpp"
#include "warpseed/version.hpp"

namespace warpseed::align {

namespace {

/// What the header says of read groups, used or not.
void add_read_groups(const std::vector<std::string>& lines, JsonWriter& json) {
  json.key("read_groups").begin('[');
  for (const std::string& line : lines) {
    const auto field = [&](std::string_view key) {
      const std::string_view value = records::header_field(line, key);
      return value.empty() ? "null" : json_string(value);
    };
    json.begin('{');
    json.member("id", field("ID"));
    json.member("sample", field("SM"));
    json.member("library", field("LB"));
    json.end('}');
  }
  json.end(']');
}

void add_counts(const AlignCounts& counts, JsonWriter& json) {
  json.key("reads").begin('{');
  json.member("total", counts.reads);
  json.member("mapped", counts.mapped());
  json.member("unique", counts.unique);
  json.member("repeated", counts.repeated);
  json.member("unmapped", counts.unmapped);
  json.end('}');
  if (counts.paired) {
    json.key("pairs").begin('{');
    json.member("total", counts.pairs());
    json.member("proper", counts.proper());
    json.member("proper_unique", counts.proper_unique);
    json.member("discordant", counts.both_mapped - counts.proper());
    json.member("discordant_unique", counts.discordant_unique);
    json.member("lone", counts.one_mapped);
    json.member("unmapped", counts.pairs() - counts.both_mapped - counts.one_mapped);
    json.end('}');
  }
  if (counts.singles_among_pairs() > 0) {
    json.key("single_reads").begin('{');
    json.member("total", counts.singles());
    json.member("mapped", counts.single_unique + counts.single_repeated);
    json.member("unique", counts.single_unique);
    json.member("repeated", counts.single_repeated);
    json.member("unmapped", counts.single_unmapped);
    json.end('}');
  }
  json.key("records").begin('{');
  json.member("primary", counts.reads);
  json.member("secondary", counts.secondary_records);
  json.member("supplementary", counts.supplementary_records);
  json.end('}');
}

void add_library(const records::LibraryDuplicates& library, JsonWriter& json) {
  const std::optional<std::uint64_t> size = library.estimated_size();
  json.begin('{');
  json.member("library", json_string(library.library));
  json.member("unpaired_reads_examined", library.compared.single);
  json.member("read_pairs_examined", library.pairs());
  json.member("secondary_or_supplementary", library.non_primary);
  json.member("unmapped", library.unmapped);
  json.member("qc_failed", library.qc_failed);
  json.member("unpaired_duplicates", library.compared.single_marked);
  json.member("pair_duplicates", library.pair_duplicates());
  json.member("duplicate_share", rate(library.compared.marked(), library.compared.compared()));
  json.member("estimated_library_size", size ? std::to_string(*size) : "null");
  json.end('}');
}

void add_duplicates(const records::DuplicateSummary& duplicates, JsonWriter& json) {
  const records::DuplicateCounts& counts = duplicates.all;
  json.key("duplicates").begin('{');
  json.member("compared", counts.compared());
  json.member("marked", counts.marked());
  json.member("marked_of_pairs", counts.of_pairs_marked);
  json.member("marked_single", counts.single_marked);
  json.key("libraries").begin('[');
  for (const records::LibraryDuplicates& library : duplicates.libraries) add_library(library, json);
  json.end(']');
  json.end('}');
}

void add_qualities(const AlignStatistics& statistics, JsonWriter& json) {
  std::size_t size = 61;  // bwa's scale; longer only for higher values
  for (std::size_t i = size; i < statistics.mapping_qualities.size(); ++i) {
    if (statistics.mapping_qualities[i] > 0) size = i + 1;
  }
  json.key("mapping_qualities").row(size, [&](std::size_t i) { return statistics.mapping_qualities[i]; });
}

/// Histograms as rows of [lower bound, count], without empty bins.
void add_long_reads(const LongReadCounts& counts, JsonWriter& json) {
  constexpr std::uint64_t bin = 1000;  // bases
  std::map<std::uint64_t, std::uint64_t> lengths;
  for (const auto& [length, reads] : counts.lengths) lengths[length / bin * bin] += reads;
  json.key("long_reads").begin('{');
  json.member("reads", counts.reads);
  json.member("bases", counts.bases);
  json.member("n50", counts.n50());
  json.member("mapped_reads", counts.mapped_reads);
  json.member("mapped_bases", counts.mapped_bases);
  auto length = lengths.begin();  // the rows come in order
  json.key("lengths").row(lengths.size(), [&](std::size_t) {
    const auto& [begin, reads] = *length++;
    return fmt::format("[{}, {}]", begin, reads);
  });
  json.key("identity_percent").row(counts.identities.size(), [&](std::size_t i) { return counts.identities[i]; });
  json.end('}');
}

void add_distributions(const InsertSizeDistributions& distributions, JsonWriter& json) {
  json.key("models").begin('{');
  for (unsigned i = 0; i < orientation_count; ++i) {
    const InsertSizeDistribution& model = distributions[static_cast<Orientation>(i)];
    if (!model.known) continue;
    json.key(orientation_names[i]).begin('{');
    json.member("mean", fmt::format("{:.3f}", model.mean));
    json.member("deviation", fmt::format("{:.3f}", model.deviation));
    json.member("low", model.low);
    json.member("high", model.high);
    json.end('}');
  }
  json.end('}');
}

/// Rows of [bases, pairs].
void add_sizes(std::string_view name, const InsertSizeCounts::Sizes& sizes, JsonWriter& json) {
  auto size = sizes.begin();  // the rows come in order
  json.key(name).row(sizes.size(), [&](std::size_t) {
    const auto& [bases, pairs] = *size++;
    return fmt::format("[{}, {}]", bases, pairs);
  });
}

void add_insert_sizes(const AlignStatistics& statistics, const ReadGroupInsertSizes& insert_sizes,
                      const ReportContext& context, JsonWriter& json) {
  json.key("insert_sizes").begin('[');
  for (std::uint32_t number = 0; number < statistics.insert_sizes.size(); ++number) {
    const InsertSizeCounts& group = statistics.insert_sizes[number];
    if (group.pairs == 0) continue;
    json.begin('{');
    const bool named = number < context.read_groups.size() && !context.read_groups[number].empty();
    json.member("read_group", named ? json_string(context.read_groups[number]) : "null");
    json.member("pairs", group.pairs);
    add_distributions(insert_sizes.of(number), json);
    json.key("orientations").begin('{');
    for (unsigned i = 0; i < orientation_count; ++i) json.member(orientation_names[i], group.orientations[i]);
    json.end('}');
    add_sizes("proper_sizes", group.all_sizes(), json);
    json.key("proper_sizes_by_orientation").begin('{');
    for (unsigned i = 0; i < orientation_count; ++i) {
      if (!group.sizes[i].empty()) add_sizes(orientation_names[i], group.sizes[i], json);
    }
    json.end('}');
    json.end('}');
  }
  json.end(']');
}

void add_profile(std::string_view name, const ErrorProfile& profile, JsonWriter& json) {
  const std::vector<PositionCounts> at = profile.positions();
  const auto counts = [&](const char* what, std::uint64_t PositionCounts::*number) {
    json.key(what).row(at.size(), [&](std::size_t i) { return at[i].*number; });
  };
  const auto rates = [&](const char* what, std::uint64_t PositionCounts::*part, std::uint64_t PositionCounts::*whole) {
    json.key(what).row(at.size(), [&](std::size_t i) { return rate(at[i].*part, at[i].*whole); });
  };
  using P = PositionCounts;
  json.key(name).begin('{');
  counts("mapped_reads", &P::reads);
  counts("aligned_bases", &P::aligned);
  counts("mismatches", &P::mismatches);
  counts("inserted_bases", &P::inserted);
  counts("deletions", &P::deletions);
  counts("soft_clipped_bases", &P::soft_clipped);
  rates("mismatch_rate", &P::mismatches, &P::aligned);
  rates("insertion_rate", &P::inserted, &P::reads);
  rates("deletion_rate", &P::deletions, &P::reads);
  rates("soft_clip_rate", &P::soft_clipped, &P::reads);
  json.end('}');
}

}  // namespace

std::string report_json(const AlignStatistics& statistics, const ReadGroupInsertSizes& insert_sizes,
                        const ReportContext& context) {
  JsonWriter json;
  json.member("schema_version", json_schema_version);
  json.member("program", json_string("warpseed align"));
  json.member("version", json_string(version));
  json.member("command", json_string(context.command_line));
  if (context.coverage) add_reference(context, json);
  add_read_groups(context.read_group_lines, json);
  json.member("paired", statistics.counts.paired);
  add_counts(statistics.counts, json);
  if (context.duplicates) add_duplicates(*context.duplicates, json);
  add_qualities(statistics, json);
  if (statistics.long_reads.reads > 0) add_long_reads(statistics.long_reads, json);
  if (statistics.counts.paired) add_insert_sizes(statistics, insert_sizes, context, json);
  json.key("by_position").begin('{');
  add_profile(statistics.counts.paired ? "first_mates" : "reads", statistics.ends[0], json);
  if (statistics.counts.paired) add_profile("second_mates", statistics.ends[1], json);
  json.end('}');
  add_base_qualities(statistics, json);
  add_gc_content(statistics, json);
  if (context.coverage) add_coverage(statistics, context, json);
  return json.finish();
}

}  // namespace warpseed::align
