// Writes sorted records range by range: all threads read ranges, in any order, and they are written in order. Private to
// the module.
#pragma once

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

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
  struct Made {
    decltype(read(std::declval<const Range&>(), std::declval<SortedRecords&>())) result;
    std::unique_ptr<SortedRecords> records;
    std::unique_ptr<FilePart> part;
  };
  tbb::concurrent_queue<std::unique_ptr<SortedRecords>> free;  // whose memory can be reused
  const auto take_next = [&](tbb::flow_control& control) {
    std::optional<Range> range = take();
    if (range) return std::move(*range);
    control.stop();
    return Range{};
  };
  const auto make = [&](const Range& range) {
    std::unique_ptr<SortedRecords> records;
    if (!free.try_pop(records)) records = std::make_unique<SortedRecords>();
    auto result = read(range, *records);
    std::unique_ptr<FilePart> part = file.measure(records->of_range(), records->facts_of_range());
    return Made{std::move(result), std::move(records), std::move(part)};
  };
  const auto cut = [&](Made made) {
    add(std::move(made.result));
    file.cut(*made.part);
    return made;
  };
  const auto encode = [&](Made made) {
    file.encode(*made.part);
    return made;
  };
  const auto append = [&](Made made) {
    file.append(*made.part);
    made.records->held.clear();
    free.push(std::move(made.records));
    return std::move(made.part);
  };
  const auto store = [&](std::unique_ptr<FilePart> part) { file.store(std::move(part)); };
  // A thread that waits for others to do a part of its range must not begin with another range.
  const auto alone = [](const auto& step) {
    return [&step](auto item) { return tbb::this_task_arena::isolate([&] { return step(std::move(item)); }); };
  };
  constexpr auto in_order = tbb::filter_mode::serial_in_order, any_order = tbb::filter_mode::parallel;
  tbb::task_arena arena(std::max(threads, 1));
  arena.execute([&] {
    tbb::parallel_pipeline(most_ranges, tbb::make_filter<void, Range>(in_order, take_next) &
                                            tbb::make_filter<Range, Made>(any_order, alone(make)) &
                                            tbb::make_filter<Made, Made>(in_order, alone(cut)) &
                                            tbb::make_filter<Made, Made>(any_order, alone(encode)) &
                                            tbb::make_filter<Made, std::unique_ptr<FilePart>>(in_order, alone(append)) &
                                            tbb::make_filter<std::unique_ptr<FilePart>, void>(any_order, alone(store)));
  });
}

}  // namespace warpseed::records
