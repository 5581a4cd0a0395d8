// The suffix array on a device, stage by stage, the text being there already: bench_suffix REF.fa
//
// Sorted once to warm up, then --repeat times; medians count. The radix sort is also given as a share of the whole.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "core/backend.hpp"
#include "core/error.hpp"
#include "suffix/stage_times.hpp"
#include "text/fasta.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::vector<std::string> paths;
  std::string backend_name = "cuda";
  int repeats = 5;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void run(const Settings& settings) {
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  const Genome genome = read_fasta(settings.paths);
  auto runs = cuda::time_suffix_sort(genome.view(), backend, settings.repeats + 1);
  runs.erase(runs.begin());  // the one that warmed up
  std::vector<double> totals;
  for (const auto& stages : runs) {
    double total = 0;
    for (const auto& stage : stages) total += stage.seconds;
    totals.push_back(total);
  }
  const double whole = median(totals), symbols = static_cast<double>(genome.text_size());
  fmt::print("{}\n{} symbols in {} segments, median of {}\n\n", describe(backend), genome.text_size(),
             genome.segments.size() - 1, settings.repeats);
  std::string json;
  for (std::size_t i = 0; i < runs.front().size(); ++i) {
    std::vector<double> times;
    for (const auto& stages : runs) times.push_back(stages[i].seconds);
    const double seconds = median(times);
    fmt::print("{:<14} {:>9.2f} ms {:>6.1f} %\n", runs.front()[i].stage, 1e3 * seconds, 100 * seconds / whole);
    json += fmt::format("{}{{\"stage\": \"{}\", \"median_s\": {:.6f}}}", json.empty() ? "" : ", ",
                        runs.front()[i].stage, seconds);
  }
  fmt::print("{:<14} {:>9.2f} ms, {:.1f} M suffixes a second\n\n", "whole", 1e3 * whole, 1e-6 * symbols / whole);
  fmt::print(
      "{{\"bench\": \"suffix\", \"device\": \"{}\", \"symbols\": {}, \"repeats\": {}, \"median_s\": {:.6f}, "
      "\"stages\": [{}]}}\n",
      describe(backend), genome.text_size(), settings.repeats, whole, json);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("The suffix array on a device, stage by stage.", "bench_suffix");
  app.add_option("FASTA", settings.paths, "FASTA files")->required();
  app.add_option("--backend", settings.backend_name, "cuda or cuda:N");
  app.add_option("--repeat", settings.repeats, "timed runs")->check(CLI::Range(1, 1000));
  app.add_option("-t,--threads", settings.threads, "CPU threads")->check(CLI::Range(1, 1024));
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_suffix: {}\n", error.what());
    return 1;
  }
  return 0;
}
