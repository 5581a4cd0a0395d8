// Writes a synthetic genome as FASTA: generate --length 1000000000 --seed 1 -o x.fa
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/output_file.hpp"
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

/// Letters into lines, whatever portions they come in.
class LineWriter {
 public:
  LineWriter(OutputFile& out, std::uint64_t width) : out_(out), width_(width) {}

  void begin_contig(std::uint64_t number) {
    lines_ += fmt::format(">synthetic{}\n", number);
    column_ = 0;
  }

  void add(std::span<const char> letters) {
    while (!letters.empty()) {
      const auto piece = letters.first(std::min<std::uint64_t>(letters.size(), width_ - column_));
      lines_.append(piece.data(), piece.size());
      letters = letters.subspan(piece.size());
      column_ += piece.size();
      if (column_ == width_) end_line();
    }
  }

  void end_line() {
    if (column_ > 0) lines_ += '\n';
    column_ = 0;
    constexpr std::size_t enough = 1 << 20;  // for one write
    if (lines_.size() >= enough) flush();
  }

  void flush() {
    out_.write(lines_);
    lines_.clear();
  }

 private:
  OutputFile& out_;
  std::string lines_;
  std::uint64_t width_, column_ = 0;
};

void run(const Settings& settings) {
  constexpr std::uint64_t batch = 64 << 20;  // letters that are made at once
  const std::uint64_t length = settings.genome.length, contigs = settings.contigs;
  OutputFile out(settings.path);
  LineWriter lines(out, settings.line_letters);
  std::vector<char> letters(std::min(batch, length));
  std::uint64_t contig = 0, contig_end = 0;
  for (std::uint64_t at = 0; at < length;) {
    const std::uint64_t batch_end = std::min(length, at + batch);
    const std::span<char> made(letters.data(), batch_end - at);
    synthetic_letters(settings.genome, at, made, settings.threads);
    for (std::uint64_t done = 0; done < made.size();) {
      if (at + done == contig_end) {
        lines.end_line();
        lines.begin_contig(++contig);
        contig_end = contig == contigs ? length : contig * (length / contigs);
      }
      const std::uint64_t count = std::min(made.size() - done, contig_end - at - done);
      lines.add(made.subspan(done, count));
      done += count;
    }
    at = batch_end;
  }
  lines.end_line();
  lines.flush();
  out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Writes a synthetic genome as FASTA; the same bytes for any number of threads.", "generate");
  app.add_option("--length", settings.genome.length, "letters")->check(CLI::PositiveNumber);
  app.add_option("--seed", settings.genome.seed, "another seed, another genome");
  app.add_option("--contigs", settings.contigs, "cut into this many of equal length")->check(CLI::PositiveNumber);
  app.add_option("--line-width", settings.line_letters, "letters a line")->check(CLI::PositiveNumber);
  app.add_option("-t,--threads", settings.threads, "CPU threads")->check(CLI::Range(1, 1024));
  app.add_option("-o,--output", settings.path, "FASTA file, - for standard output");
  CLI11_PARSE(app, argc, argv);
  if (settings.contigs > settings.genome.length) {
    fmt::print(stderr, "generate: --contigs {} is more than --length {}\n", settings.contigs, settings.genome.length);
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
