// Writes a synthetic genome, or a text that is hard to sort, as FASTA: generate --length 1000000000 --seed 1 -o x.fa
//
//   generate --length 3100000000 --backend cuda -o human.fa
//   generate --length 100000000 --satellites 0.5 --monomers 12 --arrays 1 --satellite-diverged 0.01 --unknown 0 -o x.fa
//   generate --length 1000000000 --seed 1 --diverged 0.01 -o relative.fa
//   generate --text period --period 171 --length 1000000 --raw -o x.txt
//   generate --mutate bible.txt --length 100000000 --rate 0.01 -o x.txt
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/backend.hpp"
#include "core/output_file.hpp"
#include "core/parallel.hpp"
#include "hard_texts.hpp"
#include "simulate/synthetic.hpp"
#include "simulate/synthetic_core.hpp"
#include "text/alphabet.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;

struct Settings {
  simulate::SyntheticGenome genome{1, 1'000'000};
  std::string text = "genome";
  std::uint64_t period = 171, unit = 1'000'000;
  std::string mutate_path;
  double rate = 0.01;
  double diverged = 0;
  std::uint64_t contigs = 1;
  std::uint64_t line_bases = 60;
  bool raw = false;
  std::string backend_name = "cpu";
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  std::string path = "-";
};

/// Writes bases as lines, or without line breaks, for any portion sizes.
class LineWriter {
 public:
  LineWriter(OutputFile& out, const Settings& settings) : out_(out), raw_(settings.raw), width_(settings.line_bases) {}

  void begin_contig(std::uint64_t number) {
    if (!raw_) lines_ += fmt::format(">synthetic{}\n", number);
    column_ = 0;
  }

  void add(std::span<const char> bases) {
    if (raw_) return out_.write({bases.data(), bases.size()});
    while (!bases.empty()) {
      const auto piece = bases.first(std::min<std::uint64_t>(bases.size(), width_ - column_));
      lines_.append(piece.data(), piece.size());
      bases = bases.subspan(piece.size());
      column_ += piece.size();
      if (column_ == width_) end_line();
    }
  }

  void end_line() {
    if (column_ > 0) lines_ += '\n';
    column_ = 0;
    constexpr std::size_t enough = 1 << 20;  // bytes per write
    if (lines_.size() >= enough) flush();
  }

  void flush() {
    out_.write(lines_);
    lines_.clear();
  }

 private:
  OutputFile& out_;
  bool raw_;
  std::string lines_;
  std::uint64_t width_, column_ = 0;
};

/// Contigs of equal length, filled from portions of the whole text.
class ContigWriter {
 public:
  ContigWriter(OutputFile& out, const Settings& settings) : lines_(out, settings), settings_(settings) {}

  void add(std::span<const char> bases) {
    const std::uint64_t length = settings_.genome.length, contigs = settings_.contigs;
    while (!bases.empty()) {
      if (at_ == contig_end_) {
        lines_.end_line();
        lines_.begin_contig(++contig_);
        contig_end_ = contig_ == contigs ? length : contig_ * (length / contigs);
      }
      const auto piece = bases.first(std::min<std::uint64_t>(bases.size(), contig_end_ - at_));
      lines_.add(piece);
      at_ += piece.size();
      bases = bases.subspan(piece.size());
    }
  }

  void finish() {
    lines_.end_line();
    lines_.flush();
  }

 private:
  LineWriter lines_;
  const Settings& settings_;
  std::uint64_t at_ = 0, contig_ = 0, contig_end_ = 0;
};

/// Substitutes bases as in a related genome. begin: the position of letters[0].
void diverge(const Settings& settings, std::uint64_t begin, std::span<char> bases) {
  if (settings.diverged <= 0) return;
  const auto threshold = static_cast<std::uint32_t>(settings.diverged * 0xFFFFFFFF);
  constexpr std::uint64_t bases_per_block = 1 << 18;
  for_blocks(settings.threads, bases.size(), bases_per_block, [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i) {
      const std::uint64_t hash =
          simulate::synthetic::mix_bits(simulate::synthetic::mix_bits(settings.genome.seed ^ 0xD1FFE2ED) ^ (begin + i));
      const std::uint8_t code = text::code_of_base(bases[i]);
      if (code >= 4 || static_cast<std::uint32_t>(hash) >= threshold) continue;
      bases[i] = text::base_of_code(static_cast<std::uint8_t>((code + 1 + (hash >> 32) % 3) % 4));
    }
  });
}

void write_genome(const Settings& settings, ContigWriter& contigs) {
  constexpr std::uint64_t batch = 256 << 20;  // bases generated at once
  const Backend backend = choose_backend(settings.backend_name, settings.threads);
  const std::uint64_t length = settings.genome.length;
  std::vector<char> bases(std::min(batch, length));
  for (std::uint64_t at = 0; at < length; at += bases.size()) {
    const auto made = std::span(bases).first(std::min<std::uint64_t>(bases.size(), length - at));
    simulate::synthetic_bases(settings.genome, at, made, backend);
    diverge(settings, at, made);
    contigs.add(made);
  }
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file) throw IoError("cannot read " + path);
  return bytes;
}

void run(const Settings& settings) {
  OutputFile out(settings.path);
  const std::uint64_t length = settings.genome.length, seed = settings.genome.seed;
  if (!settings.mutate_path.empty()) {
    out.write(mutated_copies(file_bytes(settings.mutate_path), length, settings.rate, seed));
    return out.commit();
  }
  if (settings.contigs > length) {
    throw InputError(fmt::format("--contigs {} is more than --length {}", settings.contigs, length));
  }
  ContigWriter contigs(out, settings);
  if (settings.text == "genome") {
    write_genome(settings, contigs);
  } else {
    contigs.add(hard_text({settings.text, length, settings.text == "period" ? settings.period : settings.unit, seed}));
  }
  contigs.finish();
  out.commit();
}

void add_genome_options(CLI::App& app, simulate::SyntheticGenome& genome) {
  const auto option = [&](const std::string& name, auto& value, const std::string& help) {
    app.add_option(name, value, help)->capture_default_str()->group("Of a genome (shares of its letters, 0 for none)");
  };
  option("--gc", genome.gc, "G and C among the bases");
  option("--isochores", genome.isochores, "how far G and C wander around --gc");
  option("--short-repeats", genome.short_repeats, "share of elements like Alu, 300 letters");
  option("--long-repeats", genome.long_repeats, "share of elements like LINE-1, 6,000 letters, mostly cut");
  option("--other-repeats", genome.other_repeats, "share of elements like LTR and DNA transposons");
  option("--repeat-least-diverged", genome.repeat_min_divergence, "of copies from their family");
  option("--repeat-most-diverged", genome.repeat_max_divergence, "of copies from their family");
  option("--microsatellites", genome.microsatellites, "share of runs with a unit of 1 to 6");
  option("--satellites", genome.satellites, "share of tandem arrays");
  option("--arrays", genome.arrays, "how many; 0: one for each 100 million letters");
  option("--monomer", genome.monomer, "letters of a monomer");
  option("--monomers", genome.monomers, "monomers in the unit that an array repeats");
  option("--monomer-diverged", genome.monomer_divergence, "of the monomers in a unit from their ancestor");
  option("--satellite-diverged", genome.satellite_divergence, "of repetitions from their unit");
  option("--duplications", genome.duplications, "share of copies of 1,000 to 256,000 letters, at most 0.08");
  option("--duplication-least-diverged", genome.duplication_min_divergence, "of copies from their source");
  option("--duplication-most-diverged", genome.duplication_max_divergence, "of copies from their source");
  option("--unknown", genome.unknown, "share of N");
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--length", settings.genome.length, "letters")->check(CLI::PositiveNumber);
  app.add_option("--seed", settings.genome.seed, "another seed, another genome");
  app.add_option("--text", settings.text, "genome, random, one-letter, fibonacci, period or repeat")
      ->capture_default_str();
  app.add_option("--period", settings.period, "letters of the unit of --text period")->capture_default_str();
  app.add_option("--unit", settings.unit, "letters of the unit of --text repeat")->capture_default_str();
  app.add_option("--mutate", settings.mutate_path,
                 "this file's bytes instead, again and again, each copy mutated; raw");
  app.add_option("--rate", settings.rate, "mutated bytes of --mutate, of 1")->capture_default_str();
  app.add_option("--diverged", settings.diverged,
                 "share of a genome's bases that differ from those of its relative, "
                 "which has the same seed and no --diverged")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--contigs", settings.contigs, "cut into this many of equal length")->check(CLI::PositiveNumber);
  app.add_option("--line-width", settings.line_bases, "letters a line")->check(CLI::PositiveNumber);
  app.add_flag("--raw", settings.raw, "letters alone, no FASTA");
  app.add_option("--backend", settings.backend_name, "where a genome is made: auto, cpu, cuda or cuda:N")
      ->capture_default_str();
  app.add_option("-t,--threads", settings.threads, "CPU threads")->check(CLI::Range(1, 1024));
  app.add_option("-o,--output", settings.path, "output file, - for standard output");
  add_genome_options(app, settings.genome);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Writes a synthetic genome as FASTA; the same bytes for any backend and number of threads.", "generate");
  add_options(app, settings);
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const InputError& error) {
    fmt::print(stderr, "generate: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "generate: {}\n", error.what());
    return 1;
  }
  return 0;
}
