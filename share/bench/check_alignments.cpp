// Checks a sorted and indexed BAM file of simulated pairs, made with duplicates marked, and prints a table:
//   check_alignments OUT.bam --pairs N [--bases N] [--threads T]
//
// The names of generate_reads hold the origin. Every contig is read through the index, several at a time. What has
// to be so: every read is there exactly once as a primary record; flags of mates fit each other; records of a contig are
// sorted; reads are where they came from; of pairs that are equal by samtools' rule of duplicates (5' ends and strands) exactly
// one is not marked; and as many are marked as are to be expected: planted ones, and of N fragments that begin at G
// positions with lengths of shares p those that chance makes equal, N - sum of G (1 - exp(-N p / G)) over the lengths.
// If a share s of the pairs has both mates mapped, s of them are expected where groups are large, s^2 where they are two;
// a twentieth of them, and five standard deviations, may be missing or too many.
// Exit codes: 0, 1 if a check fails, 2 for wrong input.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "alignment_counts.hpp"
#include "core/parallel.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;

struct Settings {
  std::string path;
  std::uint64_t pairs = 0;
  std::uint64_t bases = 0;
  double least_right = 0.95, most_sure_wrong = 0.001, duplicates_off = 0.05;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
};

/// Opens the file's index; counts every contig and what has no position.
AlignmentCounts count_all(Settings& settings) {
  const std::unique_ptr<samFile, int (*)(samFile*)> file(hts_open(settings.path.c_str(), "r"), hts_close);
  if (!file) throw IoError("cannot read " + settings.path);
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header(sam_hdr_read(file.get()), sam_hdr_destroy);
  if (!header) throw InputError(settings.path + ": no BAM header");
  const std::unique_ptr<hts_idx_t, void (*)(hts_idx_t*)> index(sam_index_load(file.get(), settings.path.c_str()),
                                                               hts_idx_destroy);
  if (!index) throw InputError(settings.path + ": it has no index");
  const auto contigs = static_cast<std::uint64_t>(sam_hdr_nref(header.get()));
  if (settings.bases == 0) {
    for (std::uint64_t i = 0; i < contigs; ++i)
      settings.bases += static_cast<std::uint64_t>(sam_hdr_tid2len(header.get(), static_cast<int>(i)));
  }
  AlignmentCounts all;
  std::mutex mutex;
  for_blocks(settings.threads, contigs + 1, 1, [&](std::uint64_t i, std::uint64_t) {
    const int contig = i == contigs ? HTS_IDX_NOCOOR : static_cast<int>(i);
    const AlignmentCounts counts = count_alignments(settings.path, index.get(), contig);
    const std::lock_guard lock(mutex);
    all.add(counts);
  });
  return all;
}

std::uint64_t expected_hashes(std::uint64_t pairs, int threads) {
  constexpr std::uint64_t block = 1 << 20;
  std::uint64_t all = 0;
  std::mutex mutex;
  for_blocks(threads, pairs, block, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t sum = 0;
    for (std::uint64_t pair = begin; pair < end; ++pair) sum += read_hash(pair, 0) + read_hash(pair, 1);
    const std::lock_guard lock(mutex);
    all += sum;
  });
  return all;
}

/// Pairs that chance makes equal to another one that is no copy: see the head of this file.
double chance_duplicates(const AlignmentCounts& counts, std::uint64_t bases) {
  double equal = 0;
  const auto positions = static_cast<double>(bases);
  for (const std::uint64_t number : counts.fragment_lengths) {
    const auto fragments = static_cast<double>(number);
    if (number != 0) equal += fragments + positions * std::expm1(-fragments / positions);
  }
  return equal;
}

/// Prints lines of a name, a figure, and whether what it has to be is so.
class Table {
 public:
  void figure(const std::string& name, const std::string& value) const { fmt::print("{:<44}{:>16}\n", name, value); }
  void figure(const std::string& name, std::uint64_t value) const { figure(name, std::to_string(value)); }
  void share(const std::string& name, std::uint64_t part, std::uint64_t whole) const {
    figure(name, fmt::format("{:.4f} %", 100 * of(part, whole)));
  }
  void check(const std::string& name, const std::string& value, bool good, const std::string& wanted) {
    fmt::print("{:<44}{:>16}  {}\n", name, value, good ? "ok" : "FAILED: wanted " + wanted);
    failed_ += good ? 0 : 1;
  }
  void equal(const std::string& name, std::uint64_t value, std::uint64_t wanted) {
    check(name, std::to_string(value), value == wanted, std::to_string(wanted));
  }
  int failed() const { return failed_; }

  static double of(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }

 private:
  int failed_ = 0;
};

void print_alignments(const Settings& settings, const AlignmentCounts& counts, Table& table) {
  table.share("mapped", counts.mapped, counts.primary);
  const double right = Table::of(counts.right, counts.primary), wrong = Table::of(counts.sure_wrong, counts.sure);
  table.check("where they came from", fmt::format("{:.4f} %", 100 * right), right >= settings.least_right,
              fmt::format("{} %", 100 * settings.least_right));
  table.share("MAPQ 60", counts.sure, counts.primary);
  table.check("of these elsewhere", fmt::format("{:.5f} %", 100 * wrong), wrong <= settings.most_sure_wrong,
              fmt::format("at most {} %", 100 * settings.most_sure_wrong));
}

void print_duplicates(const Settings& settings, const AlignmentCounts& counts, Table& table) {
  const double planted = static_cast<double>(counts.copies) / 2, chance = chance_duplicates(counts, settings.bases);
  const double all = planted + chance, found = static_cast<double>(counts.marked_of_pairs) / 2;
  const double mapped = Table::of(counts.mapped - counts.alone, counts.primary);
  constexpr double deviations = 5;  // of what chance does to a small number
  const double by_chance = deviations * std::sqrt(all + 1);
  const double least = all * mapped * mapped * (1 - settings.duplicates_off) - by_chance;
  const double most = all * mapped * (1 + settings.duplicates_off) + by_chance;
  table.figure("duplicates planted, pairs", counts.copies / 2);
  table.figure("to be expected by chance, pairs", fmt::format("{:.0f}", chance));
  table.check("marked, pairs", fmt::format("{:.0f}", found), found >= least && found <= most,
              fmt::format("{:.0f} to {:.0f}", std::max(least, 0.0), most));
  table.share("planted ones that are marked", counts.copies_marked, counts.copies);
  table.figure("marked single reads", counts.marked - counts.marked_of_pairs);
  table.figure("groups of equal pairs, each mate counted", counts.groups);
  table.equal("with more than one not marked", counts.unmarked_groups, 0);
  table.equal("with none not marked", counts.lost_groups, 0);
}

int run(Settings settings) {
  const AlignmentCounts counts = count_all(settings);
  Table table;
  table.equal("reads (primary records)", counts.primary, 2 * settings.pairs);
  const bool once = counts.read_hashes == expected_hashes(settings.pairs, settings.threads);
  table.check("each read once", once ? "yes" : "no", once, "the reads of generate_reads");
  table.figure("supplementary records", counts.supplementary);
  table.figure("secondary records", counts.secondary);
  table.equal("first mates", counts.first, settings.pairs);
  table.equal("records with flags of no pair", counts.bad_flags, 0);
  table.equal("proper first mates, twice", 2 * counts.proper_first, counts.proper);
  table.equal("mapped with an unmapped mate", counts.alone, counts.with_mapped_mate);
  table.equal("records out of order", counts.out_of_order, 0);
  table.share("reads in proper pairs", counts.proper, counts.primary);
  print_alignments(settings, counts, table);
  print_duplicates(settings, counts, table);
  if (table.failed() != 0) fmt::print(stderr, "check_alignments: {} checks failed\n", table.failed());
  return table.failed() != 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Checks sorted BAM of simulated pairs, with duplicates marked.", "check_alignments");
  app.add_option("BAM", settings.path, "sorted, with its index next to it")->required();
  app.add_option("--pairs", settings.pairs, "of generate_reads")->required();
  app.add_option("--bases", settings.bases, "of the genome that fragments begin at; otherwise all, N included");
  app.add_option("--least-right", settings.least_right, "share of reads where they came from")->capture_default_str();
  app.add_option("--most-sure-wrong", settings.most_sure_wrong, "share of those of MAPQ 60 that are not")
      ->capture_default_str();
  app.add_option("--duplicates-off", settings.duplicates_off, "how far the marked ones may be from those expected")
      ->capture_default_str();
  app.add_option("-t,--threads", settings.threads, "contigs read at a time")->check(CLI::Range(1, 1024));
  CLI11_PARSE(app, argc, argv);
  try {
    return run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "check_alignments: error: {}\n", error.what());
    return 2;
  }
}
