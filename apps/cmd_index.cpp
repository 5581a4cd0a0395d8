// warpseed index: FASTA in, index file out.
#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "core/output_file.hpp"
#include "estimate/index_estimate.hpp"
#include "estimate_table.hpp"
#include "index/index_file.hpp"
#include "index/index_needs.hpp"
#include "text/fasta.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

struct IndexFlags {
  std::vector<std::string> references;
  std::string output;
  std::string sorter = "automatic";
  index::BuildOptions options;
  std::uint64_t memory_bytes = 0;
  bool verify = false, estimate = false;
  Common common;
};

/// The output path: the one given, or the first reference's name with .wsi appended.
std::string choose_output(const IndexFlags& flags) {
  if (flags.output.empty()) {
    if (flags.references.front() != "-") return flags.references.front() + ".wsi";
    throw InputError("a reference from standard input has no name to derive the output's from; add -o REF.wsi");
  }
  if (is_standard_output(flags.output))
    throw InputError("an index cannot go to standard output, it is mapped from a file; name one with -o");
  return flags.output;
}

/// The suffix array is checked when it is built; this checks every row of the index built from it or from its parts.
void verify_index(const index::Index& index, int threads) {
  const std::string wrong = index::verify_against_text(index.fm(), index.genome(), threads);
  if (!wrong.empty()) throw BackendError("the index is wrong: " + wrong + "; please report this");
}

/// Before the long work begins: a user may want a larger machine or another folder.
void log_needs(const index::IndexNeeds& needs, const Logger& logger) {
  const auto gib = [](std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0); };
  logger.note(fmt::format("needs about {:.2f} GiB of memory, and {:.2f} GiB of disk for the index",
                          gib(needs.host_bytes), gib(needs.file_bytes)));
}

void add_options(CLI::App& app, IndexFlags& flags) {
  app.add_option("REF", flags.references, "FASTA files, plain or gzip; - is standard input")->required();
  app.add_option("-o,--output", flags.output, "index file (default: the first REF with .wsi after its name)");
  app.add_option("--sa-sample", flags.options.sample_step,
                 "keep the text position of every Nth row, N a power of two up to 256: smaller locates faster, "
                 "larger saves space")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128, 256}))
      ->capture_default_str();
  app.add_option(
         "--sorter", flags.sorter,
         "automatic; with CUDA also prefix-doubling, skew or skew-prefix-doubling, on the CPU difference-cover (all "
         "threads) or divsufsort (one)")
      ->capture_default_str();
  app.add_option(
         "--memory", flags.memory_bytes,
         "memory to use at most, 22G for instance, of the device or on the CPU of the machine (default: all that "
         "is free); where it does not hold all suffixes, they are sorted in parts")
      ->transform(size_in_bytes(1));
  app.add_flag("--verify", flags.verify, "check what was made against the text before it is written");
  add_estimate(app, flags.estimate);
  flags.common.add_to(app);
}

}  // namespace

int run_index(int argc, char** argv) {
  IndexFlags flags;
  CLI::App app(
      "Sorts a reference's suffixes into an index file. The same reference gives the same bytes on every "
      "backend.",
      "warpseed index");
  add_options(app, flags);
  if (!parse(app, argc, argv)) return exit_ok;

  Logger logger("index", flags.common, argc, argv);
  const Backend backend = flags.common.several_devices();
  flags.options.sorting.verify = flags.verify;
  (backend.kind == BackendKind::cpu ? flags.options.sorting.host_bytes : flags.options.sorting.device_bytes) =
      flags.memory_bytes;
  flags.options.sorting.sorter = suffix::choose_sorter(flags.sorter, backend);
  const std::string output = choose_output(flags);
  if (flags.estimate) {
    print_needs(estimate::index_run_needs(flags.references, backend, flags.options), logger);
    return exit_ok;
  }
  std::vector<RunFile> inputs;
  for (const std::string& reference : flags.references) inputs.push_back({reference});
  require_distinct_files(inputs, {{output}});
  remove_stale_outputs({{output}}, logger);
  { const PendingFile probe(output); }  // detects an unwritable folder before the work, not after

  const ProgressCallback progress = logger.progress();
  text::Genome genome = text::read_fasta(flags.references, progress);
  logger.detail(fmt::format("{} contigs, {} bases, {} stretches without N", genome.contig_count(), genome.base_count(),
                            genome.segments.size() - 1));
  logger.detail(
      fmt::format("sorting with {} on {}", suffix::to_string(flags.options.sorting.sorter), to_string(backend)));
  log_needs(index::index_needs(genome.view(), backend, flags.options), logger);
  index::FmIndex fm = index::build_fm_index(genome.view(), backend, flags.options, progress);
  const std::uint64_t bases = genome.base_count();
  const index::Index index(std::move(genome), std::move(fm));
  if (flags.verify) verify_index(index, flags.common.threads);
  const std::uint64_t bytes = index::write_index(output, index);
  logger.note(fmt::format("{}: {} bytes for {} bases", output, bytes, bases));
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
