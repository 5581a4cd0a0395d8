// The segmented sort on a device compared with CUB, for pairs on the device: bench_segmented_sort
//
// 2^27 pairs of 32-bit keys and 32- or 64-bit values in segments of several length distributions. Each method runs once
// to warm up, then --repeat times; medians of device times are reported. No method changes its input. Results are
// compared with CUB's stable segmented sort, pair by pair.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "median.hpp"
#include "segmented_times.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::vector<std::string> distributions = {"uniform-4",     "uniform-16", "uniform-128", "uniform-1024",
                                            "uniform-16384", "power-2.0",  "power-1.5"};
  std::vector<int> value_bits = {32, 64};
  std::uint64_t keys = std::uint64_t{1} << 27;
  double memory_bandwidth = 4.29e12;  // bytes per second, of a copy on an H200
  int repeats = 5;
  int device = 0;
  bool baselines = true;
};

/// Times of one row, in seconds; 0: not measured.
struct Row {
  double ours = 0, segmented = 0, segmented_radix = 0, radix = 0;
  double best() const { return std::min({segmented, segmented_radix, radix}); }
};

Row measure(const Settings& settings, bench::SegmentedData& data) {
  Row row;
  row.ours = median(data.time_segmented_sort(settings.repeats));
  if (!settings.baselines) return row;
  row.segmented = median(data.time_cub_segmented_sort(settings.repeats));
  if (const auto wrong = data.differences(); wrong > 0) {
    throw std::runtime_error(fmt::format("{} keys or values differ from CUB's", wrong));
  }
  row.segmented_radix = median(data.time_cub_segmented_radix_sort(settings.repeats));
  row.radix = median(data.time_cub_radix_sort(settings.repeats));
  return row;
}

/// Prints a row; returns it as JSON.
std::string report(const Settings& settings, const std::string& distribution, int bits, std::uint64_t segments,
                   const Row& row) {
  const double giga_pairs = 1e-9 * static_cast<double>(settings.keys);
  const auto rate = [&](double seconds) { return seconds > 0 ? giga_pairs / seconds : 0.0; };
  const double floor =
      (2.0 * (4 + bits / 8) * static_cast<double>(settings.keys) + 8.0 * static_cast<double>(segments)) /
      settings.memory_bandwidth;
  const double ratio = settings.baselines ? row.best() / row.ours : 0;
  fmt::print("{:<14} {:>10} {:>4} {:>8.2f} ms {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.1f} {:>7.2f}\n", distribution,
             segments, bits, 1e3 * row.ours, rate(row.ours), rate(row.segmented), rate(row.segmented_radix),
             rate(row.radix), rate(floor), ratio);
  return fmt::format(
      "{{\"lengths\": \"{}\", \"segments\": {}, \"value_bits\": {}, \"median_s\": {:.6f}, \"cub_segmented_sort_s\": "
      "{:.6f}, \"cub_segmented_radix_sort_s\": {:.6f}, \"cub_radix_sort_s\": {:.6f}, \"floor_s\": {:.6f}}}",
      distribution, segments, bits, row.ours, row.segmented, row.segmented_radix, row.radix, floor);
}

void run(const Settings& settings) {
  const Backend backend = choose_backend(fmt::format("cuda:{}", settings.device), 1);
  const std::string device = describe(backend);
  fmt::print("{}\n{} pairs, median of {}; G pairs a second\n\n", device, settings.keys, settings.repeats);
  fmt::print("{:<14} {:>10} {:>4} {:>11} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}\n", "lengths", "segments", "bits", "",
             "ours", "seg.sort", "seg.rad.", "radix", "floor", "ratio");
  std::string json;
  for (const std::string& distribution : settings.distributions) {
    const auto offsets = bench::make_offsets(distribution, settings.keys);
    for (const int bits : settings.value_bits) {
      bench::SegmentedData data(offsets, bits / 8, backend);
      if (!json.empty()) json += ", ";
      json += report(settings, distribution, bits, offsets.size() - 1, measure(settings, data));
    }
  }
  fmt::print(
      "\n{{\"bench\": \"segmented_sort\", \"device\": \"{}\", \"pairs\": {}, \"repeats\": {}, \"rows\": [{}]}}\n",
      device, settings.keys, settings.repeats, json);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("The segmented sort on a device against CUB.", "bench_segmented_sort");
  app.add_option("--lengths", settings.distributions, "uniform-MEAN or power-EXPONENT, any number of them");
  app.add_option("--value-bits", settings.value_bits, "32, 64 or both")->check(CLI::IsMember({32, 64}));
  app.add_option("--pairs", settings.keys, "pairs to sort")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32));
  app.add_option("--repeat", settings.repeats, "timed runs")->check(CLI::Range(1, 1000));
  app.add_option("--device", settings.device, "CUDA device");
  app.add_flag("--baselines,!--no-baselines", settings.baselines, "measure CUB as well (the default) or not");
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_segmented_sort: {}\n", error.what());
    return 1;
  }
  return 0;
}
