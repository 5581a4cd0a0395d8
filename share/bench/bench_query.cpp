// Searches of short patterns that lie on the device, with an index file: bench_query REF.wsi
//
// Two sets of patterns: drawn from the text (all occur, every search makes all steps) and random (most do not occur, a
// search ends when its range is empty). Each set is searched for once to warm up, then --repeat times; the median is
// reported. Exact patterns are counted on one strand; a sample is also counted on the CPU, which checks the counts and
// gives the sectors per query. With --mismatches all positions on both strands are found, and stay on the device; those
// of a sample are compared with the CPU's.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "approximate/end_search.hpp"
#include "core/backend.hpp"
#include "core/parallel.hpp"
#include "index/index_file.hpp"
#include "median.hpp"
#include "packed_counter.hpp"
#include "packed_find.hpp"
#include "resident_search.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::string path;
  std::string backend_name = "cuda";
  std::uint64_t queries = 100'000'000;
  unsigned length = 32;
  int repeats = 5;
  int mismatches = -1;  // exact counts
  std::vector<std::string> sets = {"text", "random"};
  double sectors_per_second = 36e9;  // random 32-byte reads of one H200
  int threads = static_cast<int>(std::thread::hardware_concurrency());
};

constexpr std::uint64_t block = 1 << 16;

std::uint64_t low_bits(unsigned length) {
  return ~std::uint64_t{0} >> (64 - 2 * length);
}

std::vector<std::uint64_t> random_patterns(const Settings& settings) {
  std::vector<std::uint64_t> patterns(settings.queries);
  for_blocks(settings.threads, patterns.size(), block, [&](std::uint64_t begin, std::uint64_t end) {
    std::mt19937_64 rng(2 * begin + 1);
    for (std::uint64_t i = begin; i < end; ++i) patterns[i] = rng() & low_bits(settings.length);
  });
  return patterns;
}

std::vector<std::uint64_t> patterns_of_text(const Settings& settings, const text::GenomeView& genome) {
  std::vector<std::uint64_t> patterns(settings.queries);
  const std::uint64_t places = genome.text.size;
  for_blocks(settings.threads, patterns.size(), block, [&](std::uint64_t begin, std::uint64_t end) {
    std::mt19937_64 rng(2 * begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      std::uint64_t at = 0;
      do {
        at = rng() % places;
      } while (at + settings.length > genome.separator_of(text::segment_at(genome, at)));
      patterns[i] = genome.text.window(at) >> (64 - 2 * settings.length);
    }
  });
  return patterns;
}

std::vector<std::uint64_t> patterns_of(const std::string& set, const Settings& settings,
                                       const text::GenomeView& genome) {
  return set == "text" ? patterns_of_text(settings, genome) : random_patterns(settings);
}

struct Result {
  std::string set;
  std::vector<double> seconds;
  double sectors = 0;  // per query, on average over the sample
  std::uint64_t occurring = 0;
};

/// Throws std::runtime_error if a count differs from the CPU's.
double check_sample(const index::FmView& fm, const Settings& settings, const std::vector<std::uint64_t>& patterns,
                    const std::vector<std::uint32_t>& counts) {
  const std::uint64_t sample = std::min<std::uint64_t>(patterns.size(), 1'000'000);
  std::atomic<std::uint64_t> sectors = 0, wrong = 0;
  for_blocks(settings.threads, sample, 4096, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t block_sectors = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      block_sectors += cuda::sectors_of(fm, patterns[i], settings.length);
      if (cuda::find_packed(fm, patterns[i], settings.length).count() != counts[i]) ++wrong;
    }
    sectors += block_sectors;
  });
  if (wrong > 0) throw std::runtime_error(fmt::format("{} of {} counts differ from the CPU's", wrong.load(), sample));
  return static_cast<double>(sectors) / static_cast<double>(sample);
}

Result measure(cuda::PackedCounter& counter, const index::FmView& fm, const Settings& settings, std::string set,
               const std::vector<std::uint64_t>& patterns) {
  Result result;
  result.set = std::move(set);
  counter.load(patterns, settings.length);
  counter.count();
  for (int i = 0; i < settings.repeats; ++i) result.seconds.push_back(counter.count());
  std::sort(result.seconds.begin(), result.seconds.end());
  const std::vector<std::uint32_t> counts = counter.counts();
  result.occurring =
      static_cast<std::uint64_t>(std::count_if(counts.begin(), counts.end(), [](auto n) { return n > 0; }));
  result.sectors = check_sample(fm, settings, patterns, counts);
  return result;
}

void print(const Settings& settings, const std::string& device, const index::FmView& fm,
           const std::vector<Result>& results) {
  const double queries = static_cast<double>(settings.queries);
  fmt::print("{}\n{}: {} rows, table of {}-mers; {} patterns of {} bases, median of {}\n\n", device, settings.path,
             fm.row_count(), fm.kmer_length, settings.queries, settings.length, settings.repeats);
  fmt::print("{:<10} {:>9} {:>11} {:>11} {:>14} {:>12} {:>9}\n", "patterns", "occur %", "seconds", "M/second",
             "sectors/query", "floor s", "of floor");
  std::string json;
  for (const Result& result : results) {
    const double floor = queries * result.sectors / settings.sectors_per_second;
    fmt::print("{:<10} {:>9.2f} {:>11.4f} {:>11.1f} {:>14.2f} {:>12.4f} {:>9.2f}\n", result.set,
               100.0 * static_cast<double>(result.occurring) / queries, median(result.seconds),
               1e-6 * queries / median(result.seconds), result.sectors, floor, median(result.seconds) / floor);
    json += fmt::format(
        "{}{{\"patterns\": \"{}\", \"median_s\": {:.6f}, \"min_s\": {:.6f}, \"max_s\": {:.6f}, "
        "\"queries_per_s\": {:.4g}, \"sectors_per_query\": {:.3f}, \"floor_s\": {:.6f}}}",
        json.empty() ? "" : ", ", result.set, median(result.seconds), result.seconds.front(), result.seconds.back(),
        queries / median(result.seconds), result.sectors, floor);
  }
  fmt::print(
      "\n{{\"bench\": \"query\", \"device\": \"{}\", \"rows\": {}, \"kmer_length\": {}, \"queries\": {}, "
      "\"length\": {}, "
      "\"repeats\": {}, \"results\": [{}]}}\n",
      device, fm.row_count(), fm.kmer_length, settings.queries, settings.length, settings.repeats, json);
}

approximate::SetBatch sets_of(const std::vector<std::uint64_t>& patterns, unsigned length) {
  approximate::SetBatch batch;
  std::vector<text::BaseSet> sets(length);
  for (const std::uint64_t pattern : patterns) {
    for (unsigned i = 0; i < length; ++i) sets[i] = text::BaseSet(1U << (pattern >> 2 * (length - 1 - i) & 3));
    batch.add(sets);
  }
  return batch;
}

/// Finds positions with mismatches, on the device and of a sample on the CPU.
class MismatchBench {
 public:
  MismatchBench(const index::Index& index, const Backend& backend, const Settings& settings)
      : settings_(settings),
        target_{index.genome(), index.fm()},
        options_{approximate::Metric::mismatches, static_cast<unsigned>(settings.mismatches)},
        planner_({index.genome().text.size, index.fm().kmer_length}, options_),
        on_device_(target_, backend),
        on_cpu_(approximate::make_end_search(target_, choose_backend("cpu", settings.threads), options_)) {}

  void measure(const std::string& set, std::vector<std::uint64_t> patterns) {
    load(patterns);
    std::vector<double> seconds;
    on_device_.find(options_.differences);
    for (int i = 0; i < settings_.repeats; ++i) seconds.push_back(on_device_.find(options_.differences));
    const double middle = median(seconds), count = static_cast<double>(patterns.size());
    fmt::print("{:<10} {:>12} {:>11.4f} {:>11.2f}\n", set, on_device_.ends(), middle, 1e-6 * count / middle);
    check_sample(std::move(patterns));
  }

 private:
  approximate::StrandBatch load(const std::vector<std::uint64_t>& patterns) {
    approximate::StrandBatch batch = prepare(sets_of(patterns, settings_.length), planner_, settings_.threads);
    on_device_.load(batch);
    return batch;
  }

  void check_sample(std::vector<std::uint64_t> patterns) {
    patterns.resize(std::min<std::uint64_t>(patterns.size(), 1000));
    const approximate::StrandBatch batch = load(patterns);
    on_device_.find(options_.differences);
    std::uint64_t expected = 0;
    for (const auto& ends : on_cpu_->find(batch).of_patterns) expected += ends.size();
    if (on_device_.ends() == expected) return;
    throw std::runtime_error(fmt::format("{} ends on the device, {} on the CPU", on_device_.ends(), expected));
  }

  Settings settings_;
  approximate::Target target_;
  approximate::SearchOptions options_;
  approximate::SearchPlanner planner_;
  cuda::ResidentSearch on_device_;
  std::unique_ptr<approximate::EndSearch> on_cpu_;
};

void find_with_mismatches(const Settings& settings, const Backend& backend, const index::Index& index) {
  fmt::print("{}\n{}: {} rows; {} patterns of {} bases, at most {} mismatches, median of {}\n\n", describe(backend),
             settings.path, index.fm().row_count(), settings.queries, settings.length, settings.mismatches,
             settings.repeats);
  fmt::print("{:<10} {:>12} {:>11} {:>11}\n", "patterns", "positions", "seconds", "M/second");
  MismatchBench bench(index, backend, settings);
  for (const std::string& set : settings.sets) bench.measure(set, patterns_of(set, settings, index.genome()));
}

void run(const Settings& settings) {
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  const index::Index index(settings.path);
  if (settings.mismatches >= 0) return find_with_mismatches(settings, backend, index);
  const index::FmView& fm = index.fm();
  cuda::PackedCounter counter(fm, backend);
  std::vector<Result> results;
  for (const std::string& set : settings.sets) {
    results.push_back(measure(counter, fm, settings, set, patterns_of(set, settings, index.genome())));
  }
  print(settings, describe(backend), fm, results);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Searches of patterns that lie on the device.", "bench_query");
  app.add_option("INDEX", settings.path, "index file (.wsi)")->required();
  app.add_option("--backend", settings.backend_name, "cuda or cuda:N");
  app.add_option("--queries", settings.queries, "patterns a set")->check(CLI::PositiveNumber);
  app.add_option("--length", settings.length, "bases a pattern")->check(CLI::Range(1, 32));
  app.add_option("--mismatches", settings.mismatches, "find positions with at most so many")->check(CLI::Range(0, 8));
  app.add_option("--patterns", settings.sets, "sets of patterns: text, random")
      ->check(CLI::IsMember({"text", "random"}));
  app.add_option("--repeat", settings.repeats, "timed runs")->check(CLI::Range(1, 1000));
  app.add_option("--sectors-per-second", settings.sectors_per_second, "random sector reads the memory makes");
  app.add_option("-t,--threads", settings.threads, "CPU threads")->check(CLI::Range(1, 1024));
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_query: {}\n", error.what());
    return 1;
  }
  return 0;
}
