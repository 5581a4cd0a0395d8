// String sort on a device compared with thrust::sort with comparators; strings and order are on the device.
//
// Strings are generated on the device: bench_string_sort [--input NAME] [--scale X]
// One warm-up run, then --repeat runs; medians are reported. The floor is the time of reading every string's
// distinguishing prefix and writing the order at copy bandwidth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "string_sort_runs.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::string backend_name = "cuda", input = "all";
  double scale = 1;
  int repeats = 5;
  bool stages = false;
};

struct Kind {
  const char* name;
  std::uint64_t strings;
};
constexpr Kind kinds[] = {{"random", 1'000'000},  {"words", 10'000'000}, {"paths", 10'000'000},
                          {"packed", 30'000'000}, {"reads", 30'000'000}, {"amplicons", 10'000'000}};

std::string as_json(const bench::StringSortRun& run) {
  return fmt::format(
      "{{\"input\": \"{}\", \"strings\": {}, \"bytes\": {}, \"equal_to_previous\": {}, \"floor_s\": {:.6f}, "
      "\"median_s\": {:.6f}, \"by_comparing_s\": {:.6f}, \"by_prefix_s\": {:.6f}}}",
      run.input, run.strings, run.bytes, run.equal_to_previous, run.floor_seconds, run.seconds,
      run.by_comparing_seconds, run.by_prefix_seconds);
}

void run(const Settings& settings) {
  const Backend backend = choose_backend(settings.backend_name, 1);
  fmt::print("{}\nmedian of {}, milliseconds\n\n", describe(backend), settings.repeats);
  fmt::print("{:<9} {:>10} {:>8} {:>8} {:>9} {:>10} {:>9} {:>7} {:>9}\n", "input", "strings", "MB", "floor", "warpseed",
             "comparing", "by prefix", "ratio", "M/s");
  std::string json;
  for (const Kind& kind : kinds) {
    if (settings.input != "all" && settings.input != kind.name) continue;
    const auto strings = static_cast<std::uint64_t>(settings.scale * static_cast<double>(kind.strings));
    const auto done = bench::run_string_sort(kind.name, strings, backend, settings.repeats);
    fmt::print("{:<9} {:>10} {:>8.0f} {:>8.3f} {:>9.3f} {:>10.3f} {:>9.3f} {:>7.2f} {:>9.1f}\n", done.input,
               done.strings, 1e-6 * static_cast<double>(done.bytes), 1e3 * done.floor_seconds, 1e3 * done.seconds,
               1e3 * done.by_comparing_seconds, 1e3 * done.by_prefix_seconds,
               std::min(done.by_comparing_seconds, done.by_prefix_seconds) / done.seconds,
               1e-6 * static_cast<double>(done.strings) / done.seconds);
    if (settings.stages) {
      for (const auto& [stage, seconds] : done.stages) fmt::print("    {:<12} {:>9.3f}\n", stage, 1e3 * seconds);
    }
    json += (json.empty() ? "" : ", ") + as_json(done);
  }
  fmt::print("\n{{\"bench\": \"string_sort\", \"device\": \"{}\", \"repeats\": {}, \"inputs\": [{}]}}\n",
             describe(backend), settings.repeats, json);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Strings sorted on a device, compared with thrust::sort.", "bench_string_sort");
  app.add_option("--input", settings.input, "all, random, words, paths, packed, reads or amplicons")
      ->check(CLI::IsMember({"all", "random", "words", "paths", "packed", "reads", "amplicons"}));
  app.add_option("--scale", settings.scale, "times as many strings")->check(CLI::Range(1e-6, 10.0));
  app.add_option("--backend", settings.backend_name, "cuda or cuda:N");
  app.add_option("--repeat", settings.repeats, "timed runs")->check(CLI::Range(1, 1000));
  app.add_flag("--stages", settings.stages, "show what the stages of a run take");
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_string_sort: {}\n", error.what());
    return 1;
  }
  return 0;
}
