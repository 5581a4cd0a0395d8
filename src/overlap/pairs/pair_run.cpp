#include "overlap/pairs/pair_run.hpp"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <memory>
#include <mutex>
#include <vector>

#include "core/output_file.hpp"
#include "core/timing.hpp"
#include "overlap/pairs/pair_extender.hpp"
#include "overlap/pairs/pair_table.hpp"

namespace warpseed::overlap {

namespace {

/// A block of the table in flight.
template <class Pos>
struct Job {
  PairBlock table;
  PairAnswers<Pos> answers;
  std::vector<std::uint64_t> lengths;  // [pairs] as PairFormat takes them
  std::string lines;
};

/// Reuses jobs, the most recent first, so that few are created and their memory is in the cache. Thread-safe.
template <class Pos>
class JobPool {
 public:
  Job<Pos>* take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) {
      all_.push_back(std::make_unique<Job<Pos>>());
      return all_.back().get();
    }
    Job<Pos>* const job = idle_.back();
    idle_.pop_back();
    return job;
  }

  void give_back(Job<Pos>* job) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(job);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Job<Pos>>> all_;
  std::vector<Job<Pos>*> idle_;
};

template <class Pos>
void make_lines(const PairFormat& format, Job<Pos>& job) {
  job.lengths.assign(job.answers.lengths.begin(), job.answers.lengths.end());
  job.lines.clear();
  format.append(job.table.pairs, job.lengths, job.lines);
}

/// Reads, parses, answers, formats and writes blocks concurrently; the slow steps use many threads.
template <class Pos, class Write>
void run_steps(PairTableReader& reader, PairExtender<Pos>& extender, const PairFormat& format, int threads,
               const Write& write) {
  using Pointer = Job<Pos>*;
  JobPool<Pos> jobs;
  const auto read = [&](tbb::flow_control& flow) {
    const Pointer job = jobs.take();
    if (!reader.read(job->table)) flow.stop();
    return job;
  };
  const auto parse = [&](Pointer job) {
    reader.parse(job->table);
    extender.find_positions(job->table.pairs, job->answers);
    return job;
  };
  const auto answer = [&](Pointer job) {
    reader.accept(job->table);
    extender.find_lengths(job->answers);
    return job;
  };
  const auto format_lines = [&](Pointer job) {
    make_lines(format, *job);
    return job;
  };
  const auto write_lines = [&](Pointer job) {
    write(job->lines, job->table.pairs.size());
    jobs.give_back(job);
  };
  using tbb::filter_mode;
  tbb::task_arena(threads).execute([&] {
    tbb::parallel_pipeline(2 * static_cast<std::size_t>(threads),
                           tbb::make_filter<void, Pointer>(filter_mode::serial_in_order, read) &
                               tbb::make_filter<Pointer, Pointer>(filter_mode::parallel, parse) &
                               tbb::make_filter<Pointer, Pointer>(filter_mode::serial_in_order, answer) &
                               tbb::make_filter<Pointer, Pointer>(filter_mode::parallel, format_lines) &
                               tbb::make_filter<Pointer, void>(filter_mode::serial_in_order, write_lines));
  });
}

template <class Pos>
PairSummary run(const SequenceText& text, const PairSides& sides, const std::string& table, const std::string& output,
                const Backend& backend, const ProgressCallback& progress) {
  const bool both_strands = text.contig_count() > text.reverse_contig();
  PairTableReader reader(table, sides.targets, sides.queries, both_strands ? Strands::both : Strands::forward);
  OutputFile out(output);
  PairExtender<Pos> extender(text, sides, backend);
  const PairFormat format(sides.targets, sides.queries);
  const Stopwatch since_start;
  out.write(format.header());
  PairSummary done;
  run_steps<Pos>(reader, extender, format, backend.threads, [&](std::string_view lines, std::uint64_t pairs) {
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

}  // namespace warpseed::overlap
