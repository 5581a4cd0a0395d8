// Writes simulated read pairs of an indexed genome as FASTQ: generate_reads REF.wsi --pairs 1000000 -1 r1.fq -2 r2.fq
//
// Read names contain the origin in dwgsim's format. The same arguments give the same bytes on every machine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/backend.hpp"
#include "core/output_file.hpp"
#include "core/parallel.hpp"
#include "index/index_file.hpp"
#include "simulate/simulated_reads.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::string index_path, paths[2];
  std::uint64_t pairs = 1'000'000;
  simulate::ReadSimulation simulation;
  double error = 0.005;
  std::string backend_name = "cpu";
  int threads = static_cast<int>(std::thread::hardware_concurrency());
};

/// FASTQ of one mate of the pairs from first_pair on. letters: bases of both mates, pair by pair.
std::string fastq(const index::Index& index, const simulate::ReadSimulation& simulation, std::uint64_t first_pair,
                  unsigned mate, std::string_view bases) {
  const std::string qualities(simulation.length, 'I');
  const auto name_of = [&](std::uint64_t contig) { return index.contig_name(contig); };
  const std::uint64_t pair_bases = 2 * std::uint64_t{simulation.length};
  std::string text;
  for (std::uint64_t i = 0; i * pair_bases < bases.size(); ++i) {
    text += fmt::format("@{}/{}\n{}\n+\n{}\n",
                        simulate::simulated_name(index.genome(), name_of, simulation, first_pair + i), mate + 1,
                        bases.substr(i * pair_bases + mate * simulation.length, simulation.length), qualities);
  }
  return text;
}

void run(Settings settings) {
  if (!(settings.error >= 0 && settings.error < 1)) throw InputError("--error must be at least 0 and below 1");
  settings.simulation.error = static_cast<std::uint32_t>(settings.error * 4294967296.0);
  const index::Index index(settings.index_path);
  simulate::require_room(index.genome(), settings.simulation);
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  constexpr std::uint64_t block = 1 << 12, pairs_at_a_time = 1024 * block;
  const std::uint64_t pair_bases = 2 * std::uint64_t{settings.simulation.length};
  OutputFile outputs[] = {OutputFile(settings.paths[0]), OutputFile(settings.paths[1])};
  for (std::uint64_t first = 0; first < settings.pairs; first += pairs_at_a_time) {
    const std::uint64_t count = std::min(pairs_at_a_time, settings.pairs - first);
    std::string bases(count * pair_bases, '\0');
    simulate::simulated_pairs(index.genome(), settings.simulation, first, bases, backend);
    std::vector<std::string> texts((count + block - 1) / block);
    for (unsigned mate = 0; mate < 2; ++mate) {
      for_blocks(settings.threads, count, block, [&](std::uint64_t begin, std::uint64_t end) {
        const auto some = std::string_view(bases).substr(begin * pair_bases, (end - begin) * pair_bases);
        texts[begin / block] = fastq(index, settings.simulation, first + begin, mate, some);
      });
      for (const std::string& text : texts) outputs[mate].write(text);
    }
  }
  for (OutputFile& out : outputs) out.flush();
  for (OutputFile& out : outputs) out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Simulated pairs of reads of an indexed genome.", "generate_reads");
  app.add_option("INDEX", settings.index_path, "index file (.wsi)")->required();
  app.add_option("-1", settings.paths[0], "first mates")->required();
  app.add_option("-2", settings.paths[1], "second mates")->required();
  app.add_option("--pairs", settings.pairs, "pairs")->capture_default_str();
  app.add_option("--seed", settings.simulation.seed, "another seed, other reads")->capture_default_str();
  app.add_option("--length", settings.simulation.length, "bases of a read")->capture_default_str();
  app.add_option("--mean", settings.simulation.mean, "fragment length")->capture_default_str();
  app.add_option("--deviation", settings.simulation.deviation, "of the fragment length")->capture_default_str();
  app.add_option("--error", settings.error, "share of bases that are replaced")->capture_default_str();
  app.add_option("--backend", settings.backend_name, "cpu, cuda or cuda:N: who makes the bases")->capture_default_str();
  app.add_option("--threads", settings.threads, "of the CPU")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "generate_reads: error: {}\n", error.what());
    return 1;
  }
  return 0;
}
