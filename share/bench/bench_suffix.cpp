// The suffix array on a device, stage by stage, with the text on the device:
// bench_suffix [--bytes] FILE...  or  bench_suffix --synthetic LETTERS
//
// One warm-up run, then --repeat runs; medians are reported, and the radix sort's share of the total.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "core/backend.hpp"
#include "core/timing.hpp"
#include "median.hpp"
#include "simulate/synthetic.hpp"
#include "suffix_times.hpp"
#include "text/fasta.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;

constexpr std::uint64_t contigs = 24;  // of a synthetic genome

struct Settings {
  std::vector<std::string> paths;
  std::string backend_name = "cuda";
  std::uint64_t synthetic = 0;  // bases
  bool bytes = false, divsufsort = false;
  std::string sorter = "automatic";
  cuda::SortJob job = {{}, false, 5};
  int threads = static_cast<int>(std::thread::hardware_concurrency());
};

std::vector<std::uint8_t> read_bytes(const std::vector<std::string>& paths) {
  std::vector<std::uint8_t> bytes;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw IoError("cannot read " + path);
    bytes.insert(bytes.end(), std::istreambuf_iterator<char>(file), {});
  }
  return bytes;
}

/// Stages by name, in order of first appearance; rounds with the same name are summed.
std::vector<cuda::StageTime> by_name(const std::vector<cuda::StageTime>& run) {
  std::vector<cuda::StageTime> sums;
  for (const cuda::StageTime& time : run) {
    const auto same = std::find_if(sums.begin(), sums.end(), [&](const auto& sum) { return sum.stage == time.stage; });
    if (same == sums.end())
      sums.push_back(time);
    else
      same->seconds += time.seconds;
  }
  return sums;
}

/// Returns the median total, in seconds.
double report(const Settings& settings, const Backend& backend, std::uint64_t symbols, cuda::SortTimes times) {
  times.runs.erase(times.runs.begin());  // the warm-up run
  std::vector<double> totals;
  std::vector<std::vector<cuda::StageTime>> runs;
  for (const auto& run : times.runs) {
    runs.push_back(by_name(run));
    double total = 0;
    for (const auto& stage : run) total += stage.seconds;
    totals.push_back(total);
  }
  const double whole = median(totals), size = static_cast<double>(symbols);
  fmt::print("{}\n{} symbols, median of {}\n\n", describe(backend), symbols, settings.job.repeats);
  std::string json;
  for (std::size_t i = 0; i < runs.front().size(); ++i) {
    std::vector<double> seconds;
    for (const auto& stages : runs) seconds.push_back(stages[i].seconds);
    const double middle = median(seconds);
    fmt::print("{:<14} {:>9.2f} ms {:>6.1f} %\n", runs.front()[i].stage, 1e3 * middle, 100 * middle / whole);
    json += fmt::format("{}{{\"stage\": \"{}\", \"median_s\": {:.6f}}}", json.empty() ? "" : ", ",
                        runs.front()[i].stage, middle);
  }
  fmt::print("{:<14} {:>9.2f} ms, {:.2f} G suffixes a second, peak {:.1f} bytes a symbol, {:.2f} GB\n\n", "whole",
             1e3 * whole, 1e-9 * size / whole, static_cast<double>(times.peak_bytes) / size,
             1e-9 * static_cast<double>(times.peak_bytes));
  fmt::print(
      "{{\"bench\": \"suffix\", \"sorter\": \"{}\", \"index\": {}, \"allowed_bytes\": {}, \"device\": \"{}\", "
      "\"symbols\": {}, \"repeats\": {}, \"median_s\": {:.6f}, "
      "\"peak_bytes\": {}, \"stages\": [{}]}}\n",
      settings.sorter, settings.job.with_index, settings.job.options.device_bytes, describe(backend), symbols,
      settings.job.repeats, whole, times.peak_bytes, json);
  if (times.first_wrong_row != symbols) {
    throw BackendError(fmt::format("row {} of the array is wrong", times.first_wrong_row));
  }
  fmt::print("array checked: {}\n", times.checked ? "right" : "not, it came in parts or went into an index");
  return whole;
}

/// The same text on one core of the CPU, one run. Text: a genome or bytes.
template <class Text>
void report_divsufsort(const Text& text, std::uint64_t symbols, double device_seconds) {
  const Stopwatch watch;
  suffix::suffix_array<std::uint32_t>(text, Backend{}, {SuffixSorter::divsufsort});
  const double seconds = watch.seconds();
  fmt::print("libdivsufsort on one core: {:.2f} s, {:.1f} M suffixes a second; the device is {:.0f} times faster\n",
             seconds, 1e-6 * static_cast<double>(symbols) / seconds, seconds / device_seconds);
}

void run(const Settings& settings) {
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  cuda::SortJob job = settings.job;
  if (job.with_index && !backend.more_devices.empty()) throw InputError("--index is measured on one device");
  job.options.sorter = suffix::choose_sorter(settings.sorter, backend);
  job.repeats += 1;  // one to warm up
  if (settings.bytes) {
    const std::vector<std::uint8_t> bytes = read_bytes(settings.paths);
    const double seconds = report(settings, backend, bytes.size() + 1, cuda::time_suffix_sort(bytes, backend, job));
    if (settings.divsufsort) report_divsufsort(std::span(bytes), bytes.size(), seconds);
    return;
  }
  const text::Genome genome = settings.synthetic == 0
                                  ? text::read_fasta(settings.paths)
                                  : simulate::synthetic_genome({1, settings.synthetic}, contigs, backend);
  const double seconds =
      report(settings, backend, genome.text_size(), cuda::time_suffix_sort(genome.view(), backend, job));
  if (settings.divsufsort) report_divsufsort(genome.view(), genome.text_size(), seconds);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("The suffix array on a device, stage by stage.", "bench_suffix");
  app.add_option("FILE", settings.paths, "FASTA files, or any with --bytes");
  app.add_option("--synthetic", settings.synthetic, "letters of a synthetic human-like genome, instead of files");
  app.add_flag("--bytes", settings.bytes, "the files are texts of bytes");
  app.add_flag("--divsufsort", settings.divsufsort, "sort once with libdivsufsort on the CPU as well");
  app.add_flag("--index", settings.job.with_index, "go on to the FM-index; the array is not kept");
  app.add_option("--sorter", settings.sorter, "automatic, prefix-doubling, skew or skew-prefix-doubling");
  app.add_option("--memory", settings.job.options.device_bytes, "device memory allowed, 22G for instance")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--backend", settings.backend_name, "cuda, cuda:N or cuda:N,M...");
  app.add_option("--repeat", settings.job.repeats, "timed runs")->check(CLI::Range(1, 1000));
  app.add_option("-t,--threads", settings.threads, "CPU threads")->check(CLI::Range(1, 1024));
  CLI11_PARSE(app, argc, argv);
  if (settings.paths.empty() == (settings.synthetic == 0)) {
    fmt::print(stderr, "bench_suffix: name files, or say --synthetic LETTERS\n");
    return 2;
  }
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_suffix: {}\n", error.what());
    return 1;
  }
  return 0;
}
