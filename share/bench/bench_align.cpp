// The alignment stages of a device, with an index file: bench_align REF.wsi
//
// Simulates reads in memory. The batch aligner aligns them to warm up, then --repeat times; the median of each stage is
// reported. The alignments of the first reads are compared with the CPU's, which count the memory sectors per read.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "align/pipeline/aligner.hpp"
#include "align/pipeline/batch_aligner.hpp"
#include "align/pipeline/read_aligner.hpp"
#include "align/seed/seeder.hpp"
#include "core/backend.hpp"
#include "core/parallel.hpp"
#include "core/timing.hpp"
#include "index/index_file.hpp"
#include "median.hpp"
#include "simulate/simulated_reads.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::string path;
  std::string backend_name = "cuda";
  std::uint64_t reads = 1 << 20, sample = 1 << 14;
  int repeats = 5;
  double sectors_per_second = 36e9;  // random 32-byte reads of one H200
  simulate::ReadSimulation simulation;
  std::uint64_t memory_bytes = 0;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
};

std::vector<align::ReadAlignments> make_reads(const index::Index& index, const Settings& settings,
                                              const Backend& backend) {
  const std::size_t length = settings.simulation.length;
  std::vector<char> sequence((settings.reads + 1) / 2 * 2 * length);
  simulate::simulated_pairs(index.genome(), settings.simulation, 0, sequence, backend);
  std::vector<align::ReadAlignments> reads(settings.reads);
  for_blocks(settings.threads, reads.size(), 1024, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) reads[i].read.assign({sequence.data() + i * length, length});
  });
  return reads;
}

/// Random memory sectors per read: its seeds, locating their positions, the text on their diagonals, the text under its
/// alignments, and the alignments themselves.
struct Sectors {
  double seeds = 0, locating = 0, chains = 0, extension = 0, pairs = 0;
  double hits = 0, steps = 0, alignments = 0;
};

/// Text sectors for a range with any start: 128 bases per sector.
double text_sectors(std::uint32_t bases) {
  return 1 + static_cast<double>(bases) / 128;
}

void count_seeds(const index::Index& index, const align::AlignOptions& options, const align::PackedRead& read,
                 Sectors& sectors) {
  const align::SeedText text = {index.fm(), index.genome()};
  const align::SeedRules rules = align::seed_rules(index.fm(), options);
  align::SetAside aside;
  align::SeedSearch search = align::start_seeds(text, rules, read.packed(false), &aside);
  while (search.step != align::SeedStep::done) {
    const bool two = search.step == align::SeedStep::extend &&
                     search.match.rows.begin / index::block_symbols != search.match.rows.end / index::block_symbols;
    sectors.seeds += two ? 2 : 1;
    ++sectors.steps;
    step_seeds(text, rules, search, [&](const align::Seed& seed) {
      const std::uint64_t followed = align::used_occurrences(seed, options);
      sectors.hits += static_cast<double>(followed);
      sectors.chains += static_cast<double>(followed) * text_sectors(read.length());
      for (std::uint64_t i = 0; i < followed && seed.position == text::no_text_pos; ++i) {
        index::Walk walk = {align::used_row(seed, options, i), 0};
        TextPos position = 0;
        do ++sectors.locating;
        while (!index::step_back(index.fm(), walk, position));
      }
    });
  }
}

bool same(const align::Alignment& a, const align::Alignment& b) {
  return std::tie(a.genome_begin, a.genome_end, a.query_begin, a.query_end, a.score, a.second_score, a.tie,
                  a.reverse) ==
         std::tie(b.genome_begin, b.genome_end, b.query_begin, b.query_end, b.score, b.second_score, b.tie, b.reverse);
}

/// Averages over the reads of the sample. Throws std::runtime_error if their alignments differ from the CPU's. aligned:
/// before mate rescue.
Sectors check_sample(const index::Index& index, const align::AlignOptions& options,
                     std::span<const align::ReadAlignments> aligned) {
  align::ReadAligner batch_aligner(index.fm(), index.genome(), options);
  Sectors sectors;
  for (std::uint64_t i = 0; i < aligned.size(); ++i) {
    align::ReadAlignments one;
    one.read = aligned[i].read;
    batch_aligner.align(std::span(&one, 1), i);
    const auto &mine = aligned[i].alignments, &wanted = one.alignments;
    if (!std::equal(mine.begin(), mine.end(), wanted.begin(), wanted.end(), same))
      throw std::runtime_error(fmt::format("the alignments of read {} differ from the CPU's", i));
    count_seeds(index, options, one.read, sectors);
    sectors.alignments += static_cast<double>(wanted.size());
    sectors.extension += static_cast<double>(wanted.size()) * text_sectors(one.read.length());
    sectors.pairs += static_cast<double>(wanted.size() * sizeof(align::Alignment)) / 32;
  }
  for (double* value : {&sectors.seeds, &sectors.locating, &sectors.chains, &sectors.extension, &sectors.pairs,
                        &sectors.hits, &sectors.steps, &sectors.alignments})
    *value /= static_cast<double>(aligned.size());
  return sectors;
}

/// As Aligner does; the last of an odd number of reads stays unpaired.
void align_and_pair(align::BatchAligner& batch_aligner, std::span<align::ReadAlignments> reads,
                    const align::AlignOptions& options) {
  const auto job = batch_aligner.begin(reads, 0, nullptr);
  job->wait();
  const std::uint64_t paired = reads.size() / 2 * 2,
                      learned = std::min(paired, align::ReadGroupInsertSizes::reads_to_learn_from);
  const std::vector<std::uint32_t> groups(paired);
  align::ReadGroupInsertSizes insert_sizes;
  job->fetch(0, learned, align::FetchScope::reported);
  insert_sizes.learn(groups, reads.first(learned), options.scoring);
  std::vector<align::Choice> choices(paired);
  job->choose_pairs(0, paired, groups, insert_sizes, choices);
  job->fetch(0, reads.size(), align::FetchScope::reported);
}

/// As `align` does: batches of Aligner's size, several at a time, including copies. Returns seconds.
double align_in_batches(const index::Index& index, std::span<const align::ReadAlignments> reads,
                        const Backend& backend) {
  align::Aligner aligner(index, align::AlignOptions{}, true, backend);
  const std::uint64_t batch_reads = aligner.batch_reads();
  std::vector<align::AlignmentBatch> batches((reads.size() + batch_reads - 1) / batch_reads);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto some = reads.subspan(i * batch_reads, std::min(reads.size() - i * batch_reads, batch_reads) / 2 * 2);
    batches[i].reads.assign(some.begin(), some.end());
    batches[i].groups.resize(some.size());
  }
  double seconds = 0;
  for (int round = 0; round < 2; ++round) {  // the first is the warm-up
    const Stopwatch watch;
    std::vector<std::future<void>> finishing;
    std::vector<align::BegunBatch> begun;
    for (align::AlignmentBatch& batch : batches) begun.push_back(aligner.begin(aligner.prepared(batch)));
    for (const align::BegunBatch batch : begun) {
      const align::LearnedBatch learned = aligner.learn(batch);
      finishing.push_back(std::async(std::launch::async, [&aligner, learned] { aligner.finish(learned); }));
    }
    for (auto& batch : finishing) batch.get();
    seconds = watch.seconds();
  }
  return seconds;
}

void run(const Settings& settings) {
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  const index::Index index(settings.path);
  simulate::require_room(index.genome(), settings.simulation);
  const align::AlignOptions options;
  std::vector<align::ReadAlignments> reads = make_reads(index, settings, backend);
  const auto batch_aligner =
      align::make_batch_aligner(index.fm(), index.genome(), options, backend, {settings.memory_bytes});
  constexpr std::array stages = {align::AlignStage::seeds,     align::AlignStage::locating, align::AlignStage::chains,
                                 align::AlignStage::extension, align::AlignStage::pairs,    align::AlignStage::copies};
  std::array<std::vector<double>, stages.size()> seconds;
  const int warming = static_cast<int>(batch_aligner->concurrent_batches());  // once per batch slot
  for (int i = 1 - warming; i <= settings.repeats; ++i) {
    const align::StageTimes before = batch_aligner->times();
    align_and_pair(*batch_aligner, reads, options);
    for (std::size_t s = 0; s < stages.size() && i > 0; ++s)
      seconds[s].push_back(batch_aligner->times().seconds(stages[s]) - before.seconds(stages[s]));
  }
  {
    const auto job = batch_aligner->begin(reads, 0, nullptr);
    job->wait();
    job->fetch(0, reads.size(), align::FetchScope::all);
  }
  const Sectors sectors =
      check_sample(index, options, std::span(reads).first(std::min<std::size_t>(settings.sample, reads.size())));
  const auto count = static_cast<double>(settings.reads);
  const std::array<double, stages.size()> sectors_of = {sectors.seeds,     sectors.locating, sectors.chains,
                                                        sectors.extension, sectors.pairs,    0};
  fmt::print(
      "{}\n{}: {} rows; {} reads of {} bases; steps, hits, alignments a read: {:.1f}, {:.1f}, {:.1f}; median of {}\n\n",
      describe(backend), settings.path, index.fm().row_count(), settings.reads, settings.simulation.length,
      sectors.steps, sectors.hits, sectors.alignments, settings.repeats);
  fmt::print("{:<10} {:>11} {:>11} {:>14} {:>12} {:>9}\n", "stage", "seconds", "M reads/s", "sectors/read", "floor s",
             "of floor");
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const double median = warpseed::median(seconds[s]), floor = count * sectors_of[s] / settings.sectors_per_second;
    fmt::print("{:<10} {:>11.4f} {:>11.2f} {:>14.1f} {:>12.4f} {:>9.2f}\n",
               align::align_stage_names[static_cast<std::size_t>(stages[s])], median, 1e-6 * count / median,
               sectors_of[s], floor, floor > 0 ? median / floor : 0);
  }
  const double together = align_in_batches(index, reads, backend);
  fmt::print("\nas align does, several batches at a time, copies included: {:.4f} s, {:.2f} M reads/s\n", together,
             1e-6 * count / together);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("The stages of alignment that a device does.", "bench_align");
  app.add_option("INDEX", settings.path, "index file (.wsi)")->required();
  app.add_option("--backend", settings.backend_name, "cpu, cuda or cuda:N")->capture_default_str();
  app.add_option("--reads", settings.reads, "reads, placed at once")->check(CLI::PositiveNumber);
  app.add_option("--sample", settings.sample, "reads that are compared with the CPU's")->check(CLI::PositiveNumber);
  app.add_option("--length", settings.simulation.length, "bases of a read")->capture_default_str();
  app.add_option("--repeat", settings.repeats, "measurements")->check(CLI::PositiveNumber);
  app.add_option("--memory", settings.memory_bytes, "of the device for the stages; with more there are fewer parts")
      ->transform(CLI::AsSizeValue(false));
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
