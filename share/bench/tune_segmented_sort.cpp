// The effect of the segmented sort's constants: changes one at a time and keeps the defaults of the others.
//
// Prints G pairs per second for each length distribution that a constant affects; median of --repeat runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "median.hpp"
#include "segmented_times.hpp"

namespace {

using namespace warpseed;
using Tuning = sort::cuda::SegmentedSortTuning;

struct Settings {
  std::uint64_t keys = std::uint64_t{1} << 26;
  int repeats = 5;
  int value_bits = 32;
  int device = 0;
};

struct Constant {
  std::string name;
  std::vector<std::string> distributions;
  std::vector<std::uint32_t> values;
  std::function<void(Tuning&, std::uint32_t)> set;
};

std::vector<Constant> constants() {
  std::vector<Constant> all = {
      {"tiny_longest",
       {"uniform-4", "uniform-16", "uniform-32", "uniform-64", "power-2.0"},
       {8, 16, 24, 32, 48, 64},
       [](Tuning& t, std::uint32_t v) { t.tiny_longest = v; }},
      {"warp_longest",
       {"uniform-384", "uniform-512", "uniform-1024", "power-2.0"},
       {192, 256, 384, 512, 768},
       [](Tuning& t, std::uint32_t v) { t.warp_longest = v; }},
      {"block_longest",
       {"uniform-4096", "uniform-16384", "power-2.0", "power-1.5"},
       {4096, 8192, 16384, 24576, 32768},
       [](Tuning& t, std::uint32_t v) { t.block_longest = v, t.part_length = std::min(t.part_length, v / 2); }},
      {"bucket_length",
       {"uniform-2048", "uniform-4096", "uniform-16384", "power-1.5"},
       {128, 192, 256, 320, 384, 448, 512},
       [](Tuning& t, std::uint32_t v) { t.bucket_length = v; }},
      {"part_length",
       {"uniform-65536", "power-2.0", "power-1.5"},
       {1024, 2048, 4096, 6144, 8192, 12288, 16384},
       [](Tuning& t, std::uint32_t v) { t.part_length = v; }}};
  for (std::uint32_t i = 0; i < 5; ++i) {
    const std::uint32_t longest = 2048U << i;
    all.push_back({fmt::format("block_threads[{}]", i),
                   {fmt::format("between-{}-{}", i == 0 ? 769 : longest / 2 + 1, longest)},
                   {128, 256, 512, 1024},
                   [i](Tuning& t, std::uint32_t v) { t.block_threads[i] = v; }});
  }
  return all;
}

void measure(const Constant& constant, const Settings& settings, const Backend& backend) {
  fmt::print("\n{:<18}", constant.name);
  for (const std::uint32_t value : constant.values) fmt::print(" {:>7}", value);
  fmt::print("\n");
  for (const std::string& distribution : constant.distributions) {
    bench::SegmentedData data(bench::make_offsets(distribution, settings.keys), settings.value_bits / 8, backend);
    fmt::print("{:<18}", distribution);
    for (const std::uint32_t value : constant.values) {
      Tuning tuning;
      constant.set(tuning, value);
      const double seconds = median(data.time_segmented_sort(settings.repeats, tuning));
      fmt::print(" {:>7.2f}", 1e-9 * static_cast<double>(settings.keys) / seconds);
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Tries the segmented sort's constants on a device.", "tune_segmented_sort");
  app.add_option("--pairs", settings.keys, "pairs to sort");
  app.add_option("--repeat", settings.repeats, "timed runs")->check(CLI::Range(1, 1000));
  app.add_option("--value-bits", settings.value_bits, "32 or 64")->check(CLI::IsMember({32, 64}));
  app.add_option("--device", settings.device, "CUDA device");
  CLI11_PARSE(app, argc, argv);
  try {
    const Backend backend = choose_backend(fmt::format("cuda:{}", settings.device), 1);
    fmt::print("{}\n{} pairs, {}-bit values, median of {}; G pairs a second\n", describe(backend), settings.keys,
               settings.value_bits, settings.repeats);
    for (const Constant& constant : constants()) measure(constant, settings, backend);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tune_segmented_sort: {}\n", error.what());
    return 1;
  }
  return 0;
}
