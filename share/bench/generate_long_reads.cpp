// Writes simulated long reads of an indexed genome as FASTQ: generate_long_reads REF.wsi --bases 300000000 -o reads.fq
//
// A name is NUMBER!CONTIG!BEGIN!END!STRAND, 0-based, half open. The same arguments give the same bytes on every
// machine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/output_file.hpp"
#include "core/parallel.hpp"
#include "index/index_file.hpp"
#include "simulate/simulated_long_reads.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::string index_path, path;
  std::uint64_t bases = 300'000'000;
  simulate::LongReadSimulation simulation;
  double error = 0.003;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
};

std::string fastq(const index::Index& index, const simulate::LongReadSimulation& simulation, std::uint64_t number) {
  const simulate::SimulatedLongRead read = simulate::simulated_long_read(index.genome(), simulation, number);
  return fmt::format("@{}!{}!{}!{}!{}\n{}\n+\n{}\n", number, index.contig_name(read.contig), read.begin, read.end,
                     read.reverse ? '-' : '+', read.bases, std::string(read.bases.size(), 'I'));
}

void run(Settings settings) {
  if (!(settings.error >= 0 && settings.error < 1)) throw InputError("--error must be at least 0 and below 1");
  settings.simulation.error = static_cast<std::uint32_t>(settings.error * 4294967296.0);
  const index::Index index(settings.index_path);
  const std::uint64_t count = settings.bases / std::max(settings.simulation.mean, 1U);
  constexpr std::uint64_t block = 16, reads_at_a_time = 256 * block;
  OutputFile out(settings.path);
  for (std::uint64_t first = 0; first < count; first += reads_at_a_time) {
    const std::uint64_t some = std::min(reads_at_a_time, count - first);
    std::vector<std::string> texts((some + block - 1) / block);
    for_blocks(settings.threads, some, block, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) texts[begin / block] += fastq(index, settings.simulation, first + i);
    });
    for (const std::string& text : texts) out.write(text);
  }
  out.flush();
  out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Simulated long reads of an indexed genome.", "generate_long_reads");
  app.add_option("INDEX", settings.index_path, "index file (.wsi)")->required();
  app.add_option("-o", settings.path, "FASTQ")->required();
  app.add_option("--bases", settings.bases, "of all reads, about")->capture_default_str();
  app.add_option("--seed", settings.simulation.seed, "another seed, other reads")->capture_default_str();
  app.add_option("--mean", settings.simulation.mean, "bases of a read")->capture_default_str();
  app.add_option("--error", settings.error, "errors a base")->capture_default_str();
  app.add_option("--threads", settings.threads, "of the CPU")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "generate_long_reads: error: {}\n", error.what());
    return 1;
  }
  return 0;
}
