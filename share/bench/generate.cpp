// Writes a synthetic genome as FASTA: generate --length 1000000000 --seed 1 -o x.fa
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/parallel.hpp"
#include "text/synthetic.hpp"

namespace {

using namespace warpseed;

struct Settings {
  SyntheticGenome genome{1, 1'000'000};
  std::uint64_t contigs = 1;
  std::uint64_t line_letters = 60;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  std::string path = "-";
};

/// Letters [begin, end) of the genome as a contig of its own, a batch of lines at a time.
void write_contig(const Settings& settings, std::uint64_t begin, std::uint64_t end, OutputFile& out) {
  constexpr std::uint64_t lines_a_batch = 1 << 20;
  const std::uint64_t width = settings.line_letters;
  std::vector<char> letters, lines;
  for (std::uint64_t at = begin; at < end; at += lines_a_batch * width) {
    const std::uint64_t count = std::min(lines_a_batch * width, end - at);
    const std::uint64_t line_count = (count + width - 1) / width;
    letters.resize(count);
    lines.resize(count + line_count);
    synthetic_letters(settings.genome, at, letters, settings.threads);
    for_blocks(settings.threads, line_count, 4096, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t line = first; line < last; ++line) {
        const std::uint64_t size = std::min(width, count - line * width);
        char* to = std::copy_n(letters.data() + line * width, size, lines.data() + line * (width + 1));
        *to = '\n';
      }
    });
    out.write({lines.data(), lines.size()});
  }
}

void run(const Settings& settings) {
  OutputFile out(settings.path);
  for (std::uint64_t contig = 0; contig < settings.contigs; ++contig) {
    const std::uint64_t begin = settings.genome.length / settings.contigs * contig;
    const bool last = contig + 1 == settings.contigs;
    out.write(fmt::format(">synthetic{}\n", contig + 1));
    write_contig(settings, begin,
                 last ? settings.genome.length : begin + settings.genome.length / settings.contigs, out);
  }
  out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Writes a synthetic genome as FASTA; the same bytes for any number of threads.", "generate");
  app.add_option("--length", settings.genome.length, "letters")->check(CLI::PositiveNumber);
  app.add_option("--seed", settings.genome.seed, "another seed, another genome");
  app.add_option("--contigs", settings.contigs, "cut into this many of equal length")
      ->check(CLI::PositiveNumber);
  app.add_option("--line-width", settings.line_letters, "letters a line")->check(CLI::PositiveNumber);
  app.add_option("-t,--threads", settings.threads, "CPU threads")->check(CLI::Range(1, 1024));
  app.add_option("-o,--output", settings.path, "FASTA file, - for standard output");
  CLI11_PARSE(app, argc, argv);
  if (settings.contigs > settings.genome.length) {
    fmt::print(stderr, "generate: --contigs {} is more than --length {}\n", settings.contigs,
               settings.genome.length);
    return 2;
  }
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "generate: {}\n", error.what());
    return 1;
  }
  return 0;
}
