// Writes simulated read pairs of an indexed genome as FASTQ: generate_reads REF.wsi --coverage 30 -1 r1.fq -2 r2.fq
//
// Either output may be a named pipe, so that an aligner reads what was never on disk; -1 alone gets mates one after the
// other, and - is standard output. Read names contain the origin in dwgsim's format (FastqPairs in
// src/simulate/fastq_pairs.hpp). The same arguments give the same bytes on every machine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/backend.hpp"
#include "core/parallel.hpp"
#include "core/timing.hpp"
#include "index/index_file.hpp"
#include "pair_output.hpp"
#include "reads/read_source.hpp"
#include "simulate/fastq_pairs.hpp"
#include "simulate/quality_model.hpp"
#include "simulate/simulated_reads.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::string index_path, paths[2];
  std::uint64_t pairs = 1'000'000;
  double coverage = 0;
  simulate::ReadSimulation simulation;
  std::string error = "0.005";
  double duplicates = 0;
  std::vector<std::string> quality_paths;
  bool bin_qualities = false;
  std::string backend_name = "cpu";
  int threads = static_cast<int>(std::thread::hardware_concurrency());

  bool errors_follow() const { return error == "quality"; }
};

constexpr double one = 4294967296.0;  // of a share in units of 2^-32

simulate::QualityModel quality_model(const Settings& settings) {
  simulate::QualityProfile profile(settings.bin_qualities);
  for (unsigned mate = 0; mate < 2; ++mate) {
    const std::string& path = settings.quality_paths[std::min<std::size_t>(mate, settings.quality_paths.size() - 1)];
    const std::unique_ptr<reads::ReadSource> source = reads::open_reads({.path1 = path});
    reads::ReadBatch batch;
    constexpr std::uint64_t reads_at_once = 1 << 14;
    while (source->next(batch, reads_at_once)) {
      for (std::uint64_t i = 0; i < batch.size(); ++i) profile.add(mate, batch[i].qualities);
    }
  }
  return {profile, settings.simulation.length};
}

/// Sets what is derived from the flags; throws InputError for values out of range.
void finish_settings(Settings& settings, const text::GenomeView& genome) {
  if (!settings.errors_follow()) {
    char* end = nullptr;
    const double error = std::strtod(settings.error.c_str(), &end);
    if (settings.error.empty() || *end != '\0' || !(error >= 0 && error < 1))
      throw InputError("--error must be at least 0 and below 1, or the word quality");
    settings.simulation.error = static_cast<std::uint32_t>(error * one);
  } else if (settings.quality_paths.empty()) {
    throw InputError("--error quality needs qualities; add --qualities FILE.fq");
  }
  if (settings.bin_qualities && settings.quality_paths.empty())
    throw InputError("--bin-qualities needs qualities; add --qualities FILE.fq");
  if (!(settings.duplicates >= 0 && settings.duplicates <= 0.9)) throw InputError("--duplicates must be from 0 to 0.9");
  settings.simulation.duplicates = static_cast<std::uint32_t>(settings.duplicates * one);
  simulate::require_room(genome, settings.simulation);
  if (settings.coverage == 0) return;
  const double bases = static_cast<double>(genome.contig_begins[genome.contig_count()]);
  settings.pairs = static_cast<std::uint64_t>(std::llround(settings.coverage * bases / 2 / settings.simulation.length));
}

void report(std::uint64_t pairs, std::uint64_t bytes, double seconds) {
  const double gigabytes = static_cast<double>(bytes) / 1e9;
  fmt::print(stderr, "generate_reads: {} pairs, {:.3f} GB of text in {:.2f} s, {:.2f} GB/s\n", pairs, gigabytes,
             seconds, gigabytes / seconds);
}

void run(Settings settings) {
  const index::Index index(settings.index_path);
  finish_settings(settings, index.genome());
  simulate::FastqPairs pairs(
      index.genome(), [&](std::uint64_t i) { return index.contig_name(i); }, settings.simulation);
  if (!settings.quality_paths.empty()) pairs.draw_qualities(quality_model(settings), settings.errors_follow());
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  const bool on_device = backend.kind == BackendKind::cuda && !settings.errors_follow();
  PairOutput output(settings.paths[0], settings.paths[1], settings.threads);
  // Blocks of some 400 kB of text stay in a core's cache. A device is worth its start with millions of pairs.
  constexpr std::uint64_t block = 1 << 10, pairs_on_device = 1 << 22, blocks_per_thread = 8;
  const std::uint64_t at_a_time =
      on_device ? pairs_on_device : block * blocks_per_thread * static_cast<std::uint64_t>(settings.threads);
  const std::uint64_t pair_bases = 2 * std::uint64_t{settings.simulation.length};
  const Stopwatch watch;
  std::string bases;
  std::uint64_t first = 0;
  do {  // once for no pairs, too: the reader of a pipe waits for its end
    const std::uint64_t count = std::min(at_a_time, settings.pairs - first), blocks = (count + block - 1) / block;
    if (on_device) {
      bases.resize(count * pair_bases);
      simulate::simulated_pairs(index.genome(), settings.simulation, first, bases, backend);
    }
    output.begin(blocks);
    for_blocks(settings.threads, count, block, [&](std::uint64_t begin, std::uint64_t end) {
      const std::string_view made =
          on_device ? std::string_view(bases).substr(begin * pair_bases, (end - begin) * pair_bases) : "";
      pairs.append(first + begin, end - begin, made, output.text(0, begin / block), output.text(1, begin / block));
    });
    first += count;
    output.write(blocks, first == settings.pairs);
  } while (first < settings.pairs);
  output.commit();
  report(settings.pairs, output.bytes(), watch.seconds());
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("INDEX", settings.index_path, "index file (.wsi)")->required();
  app.add_option("-1", settings.paths[0], "first mates, or both, one after the other")->required();
  app.add_option("-2", settings.paths[1], "second mates");
  app.add_option("--pairs", settings.pairs, "pairs")->capture_default_str();
  app.add_option("--coverage", settings.coverage,
                 "bases of reads for each base of the genome (N included), not --pairs")
      ->check(CLI::PositiveNumber)
      ->excludes("--pairs");
  app.add_option("--seed", settings.simulation.seed, "another seed, other reads")->capture_default_str();
  app.add_option("--length", settings.simulation.length, "bases of a read")->capture_default_str();
  app.add_option("--mean", settings.simulation.mean, "fragment length")->capture_default_str();
  app.add_option("--deviation", settings.simulation.deviation, "of the fragment length")->capture_default_str();
  app.add_option("--error", settings.error,
                 "share of bases that are replaced; quality: what each base's quality says (the CPU makes such bases)")
      ->capture_default_str();
  app.add_option("--qualities", settings.quality_paths,
                 "FASTQ of real reads, or two of mates, whose base qualities are learnt; without it all are 40")
      ->expected(1, 2);
  app.add_flag("--bin-qualities", settings.bin_qualities, "the four values of a NovaSeq: 2, 12, 23, 37");
  app.add_option("--duplicates", settings.duplicates, "share of pairs with the fragment of an earlier pair")
      ->capture_default_str();
  app.add_option("--backend", settings.backend_name, "cpu, cuda or cuda:N: who makes the bases")->capture_default_str();
  app.add_option("--threads", settings.threads, "of the CPU")->check(CLI::PositiveNumber);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Simulated pairs of reads of an indexed genome.", "generate_reads");
  add_options(app, settings);
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "generate_reads: error: {}\n", error.what());
    return 1;
  }
  return 0;
}
