#include "overlap/pair_run.hpp"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <memory>
#include <optional>
#include <vector>

#include "core/output_file.hpp"
#include "core/timing.hpp"
#include "overlap/pair_table.hpp"
#include "suffix/common_extension.hpp"

namespace warpseed {

namespace {

/// From places of the table to lengths.
template <class Pos>
class PairAnswers {
 public:
  PairAnswers(const SequenceText& text, const PairSides& sides, const Backend& backend)
      : text_(text), sides_(sides), extension_(make_common_extension<Pos>(text.genome(), backend)) {}

  /// Where the pairs stand in the text; `nowhere` where one of the two stands on an N. Threads: any number.
  std::vector<PositionPair<Pos>> positions(std::span<const PlacePair> pairs) const {
    std::vector<PositionPair<Pos>> positions;
    positions.reserve(pairs.size());
    for (const PlacePair& pair : pairs) {
      const auto target = position(pair.target, 0, sides_.targets);
      const auto query = position(pair.query, sides_.first_query, sides_.queries);
      const bool on_bases = target && query;
      positions.push_back(on_bases ? PositionPair<Pos>{static_cast<Pos>(*target), static_cast<Pos>(*query)} : nowhere);
    }
    return positions;
  }

  /// One caller at a time. A pair that stands nowhere gets the answer of some other one.
  std::vector<Pos> lengths(std::span<const PositionPair<Pos>> positions) {
    std::vector<PositionPair<Pos>> asked(positions.begin(), positions.end());
    for (PositionPair<Pos>& pair : asked) {
      if (pair == nowhere) pair = {};
    }
    std::vector<Pos> lengths(positions.size());
    if (text_.genome().text.size > 0) extension_->lengths(asked, lengths);
    return lengths;
  }

  /// The lengths as the table shows them: 0 for a pair that stands nowhere.
  static std::vector<std::uint64_t> of_pairs(std::span<const PositionPair<Pos>> positions,
                                             std::span<const Pos> lengths) {
    std::vector<std::uint64_t> shown(lengths.begin(), lengths.end());
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (positions[i] == nowhere) shown[i] = 0;
    }
    return shown;
  }

 private:
  static constexpr PositionPair<Pos> nowhere = {static_cast<Pos>(~Pos{0}), static_cast<Pos>(~Pos{0})};

  std::optional<TextPos> position(const StrandPlace& place, std::uint32_t first, const SequenceList& list) const {
    const std::uint64_t length = list.sequences[place.sequence].length;
    const std::uint64_t offset = place.reverse ? length - 1 - place.position : place.position;
    return text_.position({first + place.sequence, offset, place.reverse, place.reverse});
  }

  const SequenceText& text_;
  const PairSides& sides_;
  std::unique_ptr<CommonExtension<Pos>> extension_;
};

/// A block of the table on its way.
template <class Pos>
struct Job {
  PairBlock table;
  std::vector<PositionPair<Pos>> positions;  // [pairs]
  std::vector<Pos> lengths;                  // [pairs]
  std::string lines;
};

/// Blocks are read, parsed, answered, put into lines and written at the same time, by many threads where it takes long.
template <class Pos, class Write>
void run_steps(PairTableReader& reader, PairAnswers<Pos>& answers, const PairFormat& format, int threads,
               const Write& write) {
  using Pointer = std::shared_ptr<Job<Pos>>;
  const auto read = [&](tbb::flow_control& flow) {
    auto job = std::make_shared<Job<Pos>>();
    if (!reader.read(job->table)) flow.stop();
    return job;
  };
  const auto parse = [&](Pointer job) {
    reader.parse(job->table);
    job->positions = answers.positions(job->table.pairs);
    return job;
  };
  const auto answer = [&](Pointer job) {
    reader.accept(job->table);
    job->lengths = answers.lengths(job->positions);
    return job;
  };
  const auto make_lines = [&](Pointer job) {
    format.append(job->table.pairs, answers.of_pairs(job->positions, job->lengths), job->lines);
    return job;
  };
  using tbb::filter_mode;
  tbb::task_arena(threads).execute([&] {
    tbb::parallel_pipeline(3 * static_cast<std::size_t>(threads),
                           tbb::make_filter<void, Pointer>(filter_mode::serial_in_order, read) &
                               tbb::make_filter<Pointer, Pointer>(filter_mode::parallel, parse) &
                               tbb::make_filter<Pointer, Pointer>(filter_mode::serial_in_order, answer) &
                               tbb::make_filter<Pointer, Pointer>(filter_mode::parallel, make_lines) &
                               tbb::make_filter<Pointer, void>(filter_mode::serial_in_order, [&](const Pointer& job) {
                                 write(job->lines, job->table.pairs.size());
                               }));
  });
}

template <class Pos>
PairSummary run(const SequenceText& text, const PairSides& sides, const std::string& table, const std::string& output,
                const Backend& backend, const ProgressCallback& progress) {
  const bool both_strands = text.contig_count() > text.reverse_contig();
  PairTableReader reader(table, sides.targets, sides.queries, both_strands ? Strands::both : Strands::forward);
  OutputFile out(output);
  PairAnswers<Pos> answers(text, sides, backend);
  const PairFormat format(sides.targets, sides.queries);
  const Stopwatch since_start;
  out.write(format.header());
  PairSummary done;
  run_steps<Pos>(reader, answers, format, backend.threads, [&](std::string_view lines, std::uint64_t pairs) {
    out.write(lines);
    done.pairs += pairs;
    if (progress) progress({"answering pairs", "pairs", done.pairs, 0});
  });
  out.commit();
  done.seconds = since_start.seconds();
  return done;
}

}  // namespace

PairSummary write_extensions(const SequenceText& text, const PairSides& sides, const std::string& table,
                             const std::string& output, const Backend& backend, const ProgressCallback& progress) {
  if (fits_narrow(text.genome().text.size)) {
    return run<std::uint32_t>(text, sides, table, output, backend, progress);
  }
  return run<std::uint64_t>(text, sides, table, output, backend, progress);
}

}  // namespace warpseed
