#include "align/align_run.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <memory>
#include <utility>

namespace warpseed {

namespace {

/// A batch on its way through the stages.
struct Parcel {
  ReadBatch reads;
  std::vector<ReadRecords> records;
};
using ParcelPtr = std::shared_ptr<Parcel>;
using StatisticsByThread = tbb::enumerable_thread_specific<AlignStatistics>;

constexpr std::size_t units_a_task = 128;  // reads or pairs

/// Calls work(i) for each of `count` reads or pairs, in parallel.
template <class Work>
void for_units(std::size_t count, const Work& work) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, units_a_task), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) work(i);
  });
}

void gather(const Parcel& parcel, bool paired, StatisticsByThread& statistics) {
  const ReadBatch& reads = parcel.reads;
  const std::vector<ReadRecords>& records = parcel.records;
  for_units(paired ? reads.size() / 2 : reads.size(), [&](std::size_t i) {
    AlignStatistics& mine = statistics.local();
    if (paired) {
      mine.add_pair(reads[2 * i], reads[2 * i + 1], records[2 * i], records[2 * i + 1]);
    } else {
      mine.add_read(reads[i], records[i]);
    }
  });
}

/// BAM records of a batch, made in parallel, in order.
std::vector<BamRecord> encode(const Parcel& parcel, const RunOptions& options) {
  std::vector<std::vector<BamRecord>> made(parcel.records.size());
  for_units(made.size(), [&](std::size_t i) {
    const ReadView read = parcel.reads[i];
    const std::string& group = options.read_groups.at(read.read_group);
    for (const AlignmentRecord& record : parcel.records[i]) {
      made[i].emplace_back(record, read, group, options.with_comment);
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

AlignStatistics run_alignment(ReadSource& source, Aligner& aligner, AlignmentWriter& writer, const RunOptions& options,
                              const ProgressCallback& progress) {
  const bool paired = source.paired();
  StatisticsByThread by_thread(AlignStatistics(options.in_detail));
  std::uint64_t done = 0;
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
    gather(*parcel, paired, by_thread);
    writer.write(encode(*parcel, options));
    done += parcel->reads.size();
    if (progress) progress({"aligning", "reads", done, 0});
  };
  tbb::task_arena arena(options.threads);
  arena.execute([&] {
    // Three batches in flight: one read, one aligned, one written. All stages keep the order.
    constexpr auto in_order = tbb::filter_mode::serial_in_order;
    tbb::parallel_pipeline(3, tbb::make_filter<void, ParcelPtr>(in_order, read) &
                                  tbb::make_filter<ParcelPtr, ParcelPtr>(in_order, align) &
                                  tbb::make_filter<ParcelPtr, void>(in_order, write));
  });
  AlignStatistics statistics(options.in_detail);
  for (const AlignStatistics& part : by_thread) statistics += part;
  statistics.counts.paired = paired;
  return statistics;
}

}  // namespace warpseed
