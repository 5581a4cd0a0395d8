// Writes sorted records range by range: all threads read ranges, in any order, and they are written in order. Private to
// the module.
#pragma once

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/background_writer.hpp"
#include "records/alignment_file.hpp"
#include "records/record_merge.hpp"

namespace warpseed::records {

/// Calls take(), which returns an optional range, in order; read(range, records) in parallel, which fills SortedRecords,
/// of some other range before, and returns any result; add(result) in order. Writes the records of each range.
/// most_ranges: at a time.
template <class Take, class Read, class Add>
void write_ranges(AlignmentFile& file, int threads, std::size_t most_ranges, const Take& take, const Read& read,
                  const Add& add) {
  using Range = typename decltype(take())::value_type;
  using Result = decltype(read(std::declval<const Range&>(), std::declval<SortedRecords&>()));
  struct Made {
    SortedRecords records;
    Result result;
  };
  BackgroundWriter<SortedRecords> writer([&](SortedRecords& records) { file.write(records.of_range()); });
  tbb::concurrent_queue<SortedRecords> written;  // whose memory can be reused
  const auto take_next = [&](tbb::flow_control& control) {
    std::optional<Range> range = take();
    if (range) return std::move(*range);
    control.stop();
    return Range{};
  };
  const auto make = [&](const Range& range) {
    SortedRecords records;
    written.try_pop(records);
    Result result = read(range, records);
    return Made{std::move(records), std::move(result)};
  };
  const auto write = [&](Made made) {
    add(std::move(made.result));
    writer.write(made.records);
    made.records.held.clear();
    written.push(std::move(made.records));  // the previous range
  };
  constexpr auto in_order = tbb::filter_mode::serial_in_order;
  tbb::task_arena arena(std::max(threads, 1));
  arena.execute([&] {
    tbb::parallel_pipeline(most_ranges, tbb::make_filter<void, Range>(in_order, take_next) &
                                            tbb::make_filter<Range, Made>(tbb::filter_mode::parallel, make) &
                                            tbb::make_filter<Made, void>(in_order, write));
  });
  writer.finish();
}

}  // namespace warpseed::records
