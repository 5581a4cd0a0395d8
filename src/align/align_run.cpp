#include "align/align_run.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <memory>
#include <optional>

namespace warpseed {

namespace {

/// A batch on its way through the stages.
struct Parcel {
  ReadBatch reads;
  std::vector<ReadRecords> records;
};
using ParcelPtr = std::shared_ptr<Parcel>;

void count(const ReadRecords& records, AlignCounts& counts) {
  const AlignmentRecord& primary = records.front();
  ++counts.reads;
  if (primary.flag & sam_flag::unmapped) {
    ++counts.unmapped;
    return;
  }
  ++(primary.mapq > 0 ? counts.unique : counts.repeated);
  if (!(primary.flag & sam_flag::paired)) return;
  if (primary.flag & sam_flag::mate_unmapped) {
    ++counts.lone_mates;
  } else if (primary.flag & sam_flag::first) {
    ++(primary.flag & sam_flag::proper_pair ? counts.proper_pairs : counts.discordant_pairs);
  }
}

/// BAM records of a batch, made in parallel, in order.
std::vector<BamRecord> encode(const Parcel& parcel, const RunOptions& options) {
  std::vector<std::vector<BamRecord>> made(parcel.records.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, made.size(), 256), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      for (const AlignmentRecord& record : parcel.records[i]) {
        made[i].emplace_back(record, parcel.reads[i], options.read_group, options.with_comment);
      }
    }
  });
  std::vector<BamRecord> all;
  all.reserve(made.size() + made.size() / 8);
  for (auto& records : made) {
    for (BamRecord& record : records) all.push_back(std::move(record));
  }
  return all;
}

}  // namespace

AlignCounts run_alignment(ReadSource& source, Aligner& aligner, AlignmentWriter& writer, bool paired,
                          const RunOptions& options, const ProgressCallback& progress) {
  AlignCounts counts;
  counts.paired = paired;
  const auto read = [&](tbb::flow_control& control) {
    auto parcel = std::make_shared<Parcel>();
    if (!source.next(parcel->reads, batch_reads)) control.stop();
    return parcel;
  };
  const auto align = [&](ParcelPtr parcel) {
    parcel->records = aligner.align(parcel->reads);
    return parcel;
  };
  const auto write = [&](const ParcelPtr& parcel) {
    for (const ReadRecords& records : parcel->records) count(records, counts);
    writer.write(encode(*parcel, options));
    if (progress) progress({"aligning", "reads", counts.reads, 0});
  };
  tbb::task_arena arena(options.threads);
  arena.execute([&] {
    // Three batches in flight: one read, one aligned, one written. All stages keep the order.
    constexpr auto in_order = tbb::filter_mode::serial_in_order;
    tbb::parallel_pipeline(3, tbb::make_filter<void, ParcelPtr>(in_order, read) &
                                  tbb::make_filter<ParcelPtr, ParcelPtr>(in_order, align) &
                                  tbb::make_filter<ParcelPtr, void>(in_order, write));
  });
  writer.finish();
  return counts;
}

std::string summary_text(const AlignCounts& counts) {
  const auto percent = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  const std::uint64_t mapped = counts.unique + counts.repeated;
  std::string text = fmt::format("{} reads; of these:\n", counts.reads);
  const auto line = [&](std::uint64_t part, std::uint64_t whole, std::string_view what) {
    text += fmt::format("  {} ({:.2f}%) {}\n", part, percent(part, whole), what);
  };
  if (counts.paired) {
    const std::uint64_t pairs = counts.reads / 2;
    line(pairs * 2, counts.reads, "were paired; of these:");
    line(counts.proper_pairs, pairs, "pairs aligned concordantly");
    line(counts.discordant_pairs, pairs, "pairs aligned discordantly");
    line(counts.lone_mates, pairs, "mates aligned alone");
  } else {
    line(counts.reads, counts.reads, "were unpaired; of these:");
  }
  line(counts.unmapped, counts.reads, "reads aligned 0 times");
  line(counts.unique, counts.reads, "reads aligned with mapping quality above 0");
  line(counts.repeated, counts.reads, "reads aligned to several places equally well");
  text += fmt::format("{:.2f}% overall alignment rate\n", percent(mapped, counts.reads));
  return text;
}

}  // namespace warpseed
