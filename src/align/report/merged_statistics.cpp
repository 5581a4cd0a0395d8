#include "align/report/merged_statistics.hpp"

#include <fmt/format.h>

#include <utility>

#include "records/sam_header.hpp"
#include "warpseed/error.hpp"

namespace warpseed::align {

namespace {

/// Whether two shards have the same part of the reads.
bool same_part(const records::Shard& a, const records::Shard& b) {
  return a.number == b.number && a.count == b.count && a.first_read == b.first_read && a.end_read == b.end_read &&
         a.reads == b.reads;
}

/// Of a shard, whose run it is checked to be of.
ShardStatistics statistics_of(const records::ShardFile& file) {
  const std::string path = shard_statistics_path(file.path);
  ShardStatistics statistics = read_shard_statistics(path);
  if (!same_part(statistics.shard, file.shard) ||
      records::escape_header(statistics.command_line) != file.command_line) {
    throw InputError(fmt::format(
        "{}: of another run than {}; align the shard again with --json or --html, which write both", path, file.path));
  }
  return statistics;
}

/// Throws if two shards are not of one run.
void require_same_run(const ShardStatistics& first, const ShardStatistics& other, const std::string& path) {
  const auto fail = [&](std::string_view difference) {
    throw InputError(fmt::format("{}: {} than those of the first part; align all parts with the same index and options",
                                 shard_statistics_path(path), difference));
  };
  if (first.index_checksum != other.index_checksum) {
    fail(fmt::format("of another index ({}, checksum {:08x})", other.index_path, other.index_checksum));
  }
  if (first.read_groups != other.read_groups || first.read_group_lines != other.read_group_lines) {
    fail("of other read groups");
  }
}

/// The first shard's, with the sums of all and the insert sizes of the last.
ShardStatistics sum_of(const std::vector<records::ShardFile>& shards) {
  ShardStatistics sum = statistics_of(shards.front());
  for (std::size_t i = 1; i < shards.size(); ++i) {
    ShardStatistics other = statistics_of(shards[i]);
    require_same_run(sum, other, shards[i].path);
    sum.statistics += other.statistics;
    sum.insert_sizes = std::move(other.insert_sizes);
  }
  return sum;
}

}  // namespace

MergedStatistics::MergedStatistics(const std::vector<records::ShardFile>& shards)
    : run_(sum_of(shards)), coverage_(run_.reference.view()), counts_([this] {
        return Counts{0, std::vector<std::uint64_t>(coverage_.window_count())};
      }) {
  for (std::uint32_t group = 0; group < run_.insert_sizes.size(); ++group) {
    insert_sizes_.set_learnt(group, std::move(run_.insert_sizes[group]));
  }
}

void MergedStatistics::add(std::span<const bam1_t* const> records) {
  Counts& counts = counts_.local();
  counts.records += records.size();
  const std::vector<std::uint64_t>& begins = run_.reference.contig_begins;
  for (const bam1_t* record : records) {
    if ((record->core.flag & (BAM_FUNMAP | BAM_FSECONDARY)) != 0) continue;
    const std::span<const records::CigarElement> cigar(bam_get_cigar(record), record->core.n_cigar);
    const std::int64_t contig = record->core.tid, begin = record->core.pos;
    const bool known = contig >= 0 && static_cast<std::size_t>(contig) + 1 < begins.size() && begin >= 0;
    const std::uint64_t length =
        known ? begins[static_cast<std::size_t>(contig) + 1] - begins[static_cast<std::size_t>(contig)] : 0;
    if (!known || static_cast<std::uint64_t>(begin + records::reference_span(cigar)) > length) {
      throw InputError(
          fmt::format("read '{}': its alignment ends after its contig; align the shards again", bam_get_qname(record)));
    }
    coverage_.add(record->core.tid, begin, cigar, counts.window_bases);
  }
}

AlignStatistics MergedStatistics::total() const {
  AlignStatistics total = run_.statistics;
  total.window_bases.resize(coverage_.window_count());
  std::uint64_t records = 0;
  for (const Counts& counts : counts_) {
    records += counts.records;
    for (std::size_t i = 0; i < counts.window_bases.size(); ++i) total.window_bases[i] += counts.window_bases[i];
  }
  const std::uint64_t counted =
      total.counts.reads + total.counts.secondary_records + total.counts.supplementary_records;
  if (records != counted) {
    throw InputError(fmt::format(
        "the shards hold {} records, and by their statistics {}; align the shards again, and merge them unchanged",
        records, counted));
  }
  return total;
}

ReportContext MergedStatistics::context(const std::string& command_line) {
  ReportContext context = {run_.command_line + "; " + command_line, run_.read_groups};
  context.read_group_lines = run_.read_group_lines;
  context.index_path = run_.index_path;
  context.index_checksum = run_.index_checksum;
  context.contig_names = run_.reference.contig_names;
  context.coverage = &coverage_;
  return context;
}

}  // namespace warpseed::align
