// The parts of overlap search on a device: LCP arrays, range minima, common extensions.
//
//   bench_overlap FILE...  |  --synthetic LETTERS  |  --text KIND --length N [--unit U]     suffix array and LCP array
//       [--check] compares the array with the CPU's, computed differently    [--pairs] of positions
//   bench_overlap --rmq ENTRIES [--values lcp-like|random|mountain] [--queries Q] [--longest L]
//
// One warm-up run, then --repeat runs; medians are reported. Times of pairs include copies to the device and back.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "core/backend.hpp"
#include "core/timing.hpp"
#include "hard_texts.hpp"
#include "median.hpp"
#include "overlap_times.hpp"
#include "simulate/synthetic.hpp"
#include "simulate/synthetic_core.hpp"
#include "suffix/common_extension.hpp"
#include "text/fasta.hpp"
#include "text/genome.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;

constexpr std::uint64_t contigs = 24;  // of a synthetic genome

struct Settings {
  std::vector<std::string> paths;
  std::string backend_name = "cuda";
  std::uint64_t synthetic = 0;  // bases
  HardText text = {"", 100'000'000, 171, 1};
  cuda::MinimaJob minima = {"lcp-like", 0, 100'000'000, 0, 5};
  bool check = false, pairs = false, cpu_pairs = false;
  int repeats = 5, threads = static_cast<int>(std::thread::hardware_concurrency());
};

/// Without the warm-up run.
double warm_median(std::vector<double> values) {
  if (values.size() > 1) values.erase(values.begin());
  return median(std::move(values));
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.3f}", text.empty() ? "" : ", ", value);
  return text;
}

text::Genome make_genome(const Settings& settings, const Backend& backend) {
  if (settings.synthetic > 0) return simulate::synthetic_genome({1, settings.synthetic}, contigs, backend);
  if (settings.text.kind.empty()) return text::read_fasta(settings.paths);
  text::GenomeBuilder builder;
  builder.begin_contig(settings.text.kind);
  builder.add(hard_text(settings.text));
  return builder.finish();
}

/// The permuted LCP array (Kaerkkaeinen, Manzini and Puglisi, CPM 2009) by comparing base by base, then by row.
std::vector<std::uint32_t> plain_lcp(const text::Genome& genome, const std::vector<std::uint32_t>& suffixes) {
  const std::uint64_t size = suffixes.size();
  std::vector<std::uint32_t> previous(size), lcp(size);
  for (std::uint64_t row = 1; row < size; ++row) previous[suffixes[row]] = suffixes[row - 1];
  std::vector<bool> ends(size + 1);
  for (std::size_t i = 1; i < genome.segments.size(); ++i) ends[genome.segments[i].text_begin - 1] = true;
  const text::PackedView text = genome.view().text;
  std::uint64_t known = 0;
  std::vector<std::uint32_t>& lengths = previous;  // reuses its memory
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t other = previous[i];
    if (i == suffixes[0]) known = 0;
    while (i != suffixes[0] && !ends[i + known] && !ends[other + known] && text[i + known] == text[other + known]) {
      ++known;
    }
    lengths[i] = static_cast<std::uint32_t>(known);
    known -= known > 0 ? 1 : 0;
  }
  for (std::uint64_t row = 0; row < size; ++row) lcp[row] = lengths[suffixes[row]];
  return lcp;
}

void report_lcp(const Settings& settings, const Backend& backend, const text::Genome& genome) {
  const auto times = cuda::time_lcp(genome.view(), backend, settings.repeats + 1, settings.check);
  const double sort = warm_median(times.sort), lcp = warm_median(times.lcp);
  const double size = static_cast<double>(genome.text_size());
  fmt::print("{} symbols: suffix array {:.2f} ms, LCP array {:.2f} ms ({:.2f} of it), {:.2f} G rows a second\n",
             genome.text_size(), 1e3 * sort, 1e3 * lcp, lcp / sort, 1e-9 * size / lcp);
  for (const auto& stage : times.stages.back()) fmt::print("  {:<16} {:>8.3f} ms\n", stage.stage, 1e3 * stage.seconds);
  std::string checked = "no";
  if (settings.check) {
    const Stopwatch watch;
    const bool right = plain_lcp(genome, times.suffixes) == times.array;
    checked = right ? "right" : "WRONG";
    std::uint64_t longest = 0, sum = 0, deep = 0;
    for (const std::uint32_t value : times.array) {
      longest = std::max<std::uint64_t>(longest, value), sum += value, deep += value >= 63;
    }
    fmt::print("  checked letter by letter on the CPU in {:.1f} s: {}; mean {:.1f}, longest {}, {:.1f} % from 63 on\n",
               watch.seconds(), checked, static_cast<double>(sum) / size, longest,
               100 * static_cast<double>(deep) / size);
  }
  fmt::print(
      "{{\"bench\": \"lcp\", \"device\": \"{}\", \"symbols\": {}, \"sort_s\": {:.6f}, \"lcp_s\": {:.6f}, "
      "\"checked\": \"{}\"}}\n",
      describe(backend), genome.text_size(), sort, lcp, checked);
  if (checked == "WRONG") throw BackendError("the LCP array is wrong");
}

using Pair = suffix::PositionPair<std::uint32_t>;

/// Random positions; in a text that repeats a unit, positions whole units apart, which share long extensions.
std::vector<Pair> random_pairs(std::uint64_t size, std::uint64_t unit, std::uint64_t count) {
  std::vector<Pair> pairs(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first = simulate::synthetic::mix_bits(2 * i) % size,
                        other = simulate::synthetic::mix_bits(2 * i + 1) % size;
    const std::uint64_t second = unit == 0 ? other : other - other % unit + first % unit;
    pairs[i] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(std::min(second, size - 1))};
  }
  return pairs;
}

void report_pairs(const Settings& settings, const Backend& backend, const text::Genome& genome) {
  const auto extension = suffix::make_common_extension<std::uint32_t>(genome.view(), backend);
  const suffix::ExtensionTimes& made = extension->times();
  fmt::print("{}: sort {:.1f} ms, inverse {:.1f} ms, LCP {:.1f} ms, minima {:.1f} ms\n", to_string(backend),
             1e3 * made.sort, 1e3 * made.inverse, 1e3 * made.lcp, 1e3 * made.rmq);
  const bool repeats = settings.text.kind == "period" || settings.text.kind == "repeat";
  const std::uint64_t unit = repeats ? settings.text.unit : 0;
  for (std::uint64_t count = 512; count <= 2'097'152; count *= 8) {
    const auto pairs = random_pairs(genome.text_size(), unit, count);
    std::vector<std::uint32_t> lengths(count);
    std::vector<double> seconds;
    for (int run = 0; run < settings.repeats + 1; ++run) {
      const Stopwatch watch;
      extension->lengths(pairs, lengths);
      seconds.push_back(watch.seconds());
    }
    const double middle = warm_median(seconds);
    std::uint64_t sum = 0, deep = 0;
    for (const std::uint32_t length : lengths) sum += length, deep += length >= suffix::direct_bases;
    fmt::print("  {:>8} pairs {:>9.1f} us {:>8.1f} M pairs/s, {:.2f} % by rank, sum {}\n", count, 1e6 * middle,
               1e-6 * static_cast<double>(count) / middle, 100 * static_cast<double>(deep) / static_cast<double>(count),
               sum);
    fmt::print("{{\"bench\": \"pairs\", \"backend\": \"{}\", \"symbols\": {}, \"pairs\": {}, \"median_s\": {:.9f}}}\n",
               to_string(backend), genome.text_size(), count, middle);
  }
}

void report_minima(const Settings& settings, const Backend& backend) {
  cuda::MinimaJob job = settings.minima;
  job.repeats = settings.repeats + 1;
  const auto times = cuda::time_minima(job, backend);
  const double build = warm_median(times.build), minima = warm_median(times.minima),
               leftmosts = warm_median(times.leftmosts);
  const double queries = static_cast<double>(job.queries);
  fmt::print(
      "{} {} values, {} ranges {}: built in {:.2f} ms, {:.4f} values more; minima {:.2f} G/s, leftmost {:.2f} G/s\n",
      job.entries, job.values, job.queries,
      job.longest == 0 ? "with random ends" : fmt::format("of at most {}", job.longest), 1e3 * build,
      static_cast<double>(times.extra_bytes) / 4 / static_cast<double>(job.entries), 1e-9 * queries / minima,
      1e-9 * queries / leftmosts);
  fmt::print("  nodes of 32 bytes a query, from the values up: {}; {:.2f} table entries; {} of {} checked are wrong\n",
             joined(times.nodes), times.table_entries, times.wrong, times.checked);
  fmt::print(
      "{{\"bench\": \"minima\", \"device\": \"{}\", \"values\": \"{}\", \"entries\": {}, \"queries\": {}, "
      "\"longest\": {}, \"build_s\": {:.6f}, \"minima_s\": {:.6f}, \"leftmost_s\": {:.6f}, \"nodes\": [{}]}}\n",
      describe(backend), job.values, job.entries, job.queries, job.longest, build, minima, leftmosts,
      joined(times.nodes));
  if (times.wrong > 0) throw BackendError("a minimum is wrong");
}

void run(const Settings& settings) {
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  if (settings.minima.entries > 0) return report_minima(settings, backend);
  const text::Genome genome = make_genome(settings, backend);
  if (backend.kind == BackendKind::cuda) report_lcp(settings, backend, genome);
  if (settings.pairs) report_pairs(settings, backend, genome);
  if (settings.cpu_pairs) report_pairs(settings, {BackendKind::cpu, 0, settings.threads}, genome);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("LCP arrays, range minima and common extensions on a device.", "bench_overlap");
  app.add_option("FILE", settings.paths, "FASTA files");
  app.add_option("--synthetic", settings.synthetic, "letters of a synthetic human-like genome, instead of files");
  app.add_option("--text", settings.text.kind, "one-letter, fibonacci, period, repeat or random, instead of files");
  app.add_option("--length", settings.text.length, "letters of that text");
  app.add_option("--unit", settings.text.unit, "letters of the unit that it repeats");
  app.add_flag("--check", settings.check, "compare the LCP array with one made letter by letter on the CPU");
  app.add_flag("--pairs", settings.pairs, "common extensions of random pairs as well");
  app.add_flag("--cpu-pairs", settings.cpu_pairs, "the same on the CPU");
  app.add_option("--rmq", settings.minima.entries, "only minima, over so many values");
  app.add_option("--values", settings.minima.values, "lcp-like, random or mountain");
  app.add_option("--queries", settings.minima.queries, "minima asked for");
  app.add_option("--longest", settings.minima.longest, "values in a range at most; 0: both ends are random");
  app.add_option("--backend", settings.backend_name, "cuda, cuda:N or cpu");
  app.add_option("--repeat", settings.repeats, "timed runs")->check(CLI::Range(1, 1000));
  app.add_option("-t,--threads", settings.threads, "CPU threads")->check(CLI::Range(1, 1024));
  CLI11_PARSE(app, argc, argv);
  if (settings.paths.empty() && settings.synthetic == 0 && settings.text.kind.empty() && settings.minima.entries == 0) {
    fmt::print(stderr, "bench_overlap: name files, or say --synthetic, --text or --rmq\n");
    return 2;
  }
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_overlap: {}\n", error.what());
    return 1;
  }
  return 0;
}
