// The stages of alignment that a device does, against an index file: bench_align REF.wsi
//
// Reads are simulated on the spot. The finder finds their hits once to warm up, then --repeat times; the median of
// each stage counts. The hits of the first reads are compared with the CPU's, which tell the sectors that a read costs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "align/hit_finder.hpp"
#include "align/seeder.hpp"
#include "core/backend.hpp"
#include "core/parallel.hpp"
#include "index/index_file.hpp"
#include "median.hpp"
#include "reads/simulated_reads.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::string path;
  std::string backend_name = "cuda";
  std::uint64_t reads = 1 << 20, sample = 1 << 14;
  int repeats = 5;
  double sectors_per_second = 36e9;  // random 32-byte reads of one H200
  ReadSimulation simulation;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
};

std::vector<PlacedRead> make_reads(const Index& index, const Settings& settings) {
  std::vector<PlacedRead> reads(settings.reads);
  for_blocks(settings.threads, reads.size(), 1024, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      reads[i].read.assign(simulated_letters(index.genome(), settings.simulation, i / 2, static_cast<unsigned>(i % 2)));
    }
  });
  return reads;
}

/// Sectors that the seeds of a read cost, and the way to their places.
struct Sectors {
  double seeds = 0, locating = 0, hits = 0, steps = 0;
};

void count_seeds(const Index& index, const AlignOptions& options, const TurnedRead& read, Sectors& sectors) {
  const SeedText text = {index.fm(), index.genome()};
  const SeedRules rules = seed_rules(index.fm(), options);
  for (const bool turned : {false, true}) {
    SeedSearch search = start_seeds(text, rules, read.packed(turned));
    while (search.step != SeedStep::done) {
      const bool two = search.step == SeedStep::extend &&
                       search.match.rows.begin / block_symbols != search.match.rows.end / block_symbols;
      sectors.seeds += two ? 2 : 1;
      ++sectors.steps;
      step_seeds(text, rules, search, [&](const Seed& seed) {
        const std::uint64_t followed = followed_places(seed, options);
        sectors.hits += static_cast<double>(followed);
        for (std::uint64_t i = 0; i < followed && seed.position == not_located; ++i) {
          Walk walk = {followed_row(seed, options, i), 0};
          TextPos position = 0;
          do ++sectors.locating;
          while (!step_back(index.fm(), walk, position));
        }
      });
    }
  }
}

using HitKey = std::tuple<GenomePos, std::uint32_t, std::uint32_t, bool, bool>;

std::vector<HitKey> keys_of(std::span<const Hit> hits) {
  std::vector<HitKey> keys;
  for (const Hit& hit : hits) keys.emplace_back(hit.genome_begin, hit.query_begin, hit.length, hit.reverse, hit.rare);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// What a read of the sample costs. Throws std::runtime_error if its hits differ from the CPU's.
Sectors check_sample(const Index& index, const AlignOptions& options, const Settings& settings, HitFinder& finder,
                     std::vector<PlacedRead>& reads) {
  Seeder seeder(index.fm(), index.genome(), options);
  StageTimes times;
  Sectors sectors;
  const std::uint64_t sample = std::min<std::uint64_t>(settings.sample, reads.size());
  for (std::uint64_t i = 0; i < sample; ++i) {
    const std::vector<HitKey> found = keys_of(finder.hits(i));
    const std::uint32_t repetitive = reads[i].traits.repetitive;
    seeder.find(std::span(reads).subspan(i, 1), times);
    if (found != keys_of(seeder.hits(0)) || repetitive != reads[i].traits.repetitive)
      throw std::runtime_error(fmt::format("the hits of read {} differ from the CPU's", i));
    count_seeds(index, options, reads[i].read, sectors);
  }
  for (double* value : {&sectors.seeds, &sectors.locating, &sectors.hits, &sectors.steps})
    *value /= static_cast<double>(sample);
  return sectors;
}

void run(const Settings& settings) {
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  const Index index(settings.path);
  require_room(index.genome(), settings.simulation);
  const AlignOptions options;
  std::vector<PlacedRead> reads = make_reads(index, settings);
  const auto finder = make_hit_finder(index.fm(), index.genome(), options, backend);
  constexpr std::array stages = {AlignStage::seeds, AlignStage::locating, AlignStage::copies};
  std::array<std::vector<double>, stages.size()> seconds;
  for (int i = 0; i <= settings.repeats; ++i) {
    StageTimes times;
    finder->find(reads, times);
    for (std::size_t s = 0; s < stages.size() && i > 0; ++s) seconds[s].push_back(times.seconds(stages[s]));
  }
  const Sectors sectors = check_sample(index, options, settings, *finder, reads);
  const auto count = static_cast<double>(settings.reads);
  const std::array<double, stages.size()> sectors_of = {sectors.seeds, sectors.locating, 0};
  fmt::print("{}\n{}: {} rows; {} reads of {} bases, {:.1f} steps and {:.1f} hits a read, median of {}\n\n",
             describe(backend), settings.path, index.fm().row_count(), settings.reads, settings.simulation.length,
             sectors.steps, sectors.hits, settings.repeats);
  fmt::print("{:<10} {:>11} {:>11} {:>14} {:>12} {:>9}\n", "stage", "seconds", "M reads/s", "sectors/read", "floor s",
             "of floor");
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const double median = warpseed::median(seconds[s]), floor = count * sectors_of[s] / settings.sectors_per_second;
    fmt::print("{:<10} {:>11.4f} {:>11.2f} {:>14.1f} {:>12.4f} {:>9.2f}\n",
               align_stage_names[static_cast<std::size_t>(stages[s])], median, 1e-6 * count / median, sectors_of[s],
               floor, floor > 0 ? median / floor : 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("The stages of alignment that a device does.", "bench_align");
  app.add_option("INDEX", settings.path, "index file (.wsi)")->required();
  app.add_option("--backend", settings.backend_name, "cpu, cuda or cuda:N")->capture_default_str();
  app.add_option("--reads", settings.reads, "reads, found at once")->check(CLI::PositiveNumber);
  app.add_option("--sample", settings.sample, "reads that are compared with the CPU's")->check(CLI::PositiveNumber);
  app.add_option("--length", settings.simulation.length, "bases of a read")->capture_default_str();
  app.add_option("--repeat", settings.repeats, "measurements")->check(CLI::PositiveNumber);
  app.add_option("--threads", settings.threads, "of the CPU")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_align: error: {}\n", error.what());
    return 1;
  }
  return 0;
}
