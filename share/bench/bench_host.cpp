// The CPU's work for `align` in addition to alignment: bench_host R1 [R2]
//
// CPU time per read, summed over all threads (including page cache access): reading the files to their end, and for the
// first batch statistics, encoding and writing. The records are synthetic, with all bases matched. Each step runs
// --repeat times; the minimum is reported, since other jobs on the machine only add to it.
#include <fmt/format.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "align/report/align_statistics.hpp"
#include "reads/read_source.hpp"
#include "records/alignment_writer.hpp"
#include "records/bam_memory.hpp"
#include "text/genome.hpp"

namespace {

using namespace warpseed;

constexpr std::uint64_t batch_reads = 32768;

struct Settings {
  reads::ReadInput input;
  int repeats = 5;
};

double cpu_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Nanoseconds per read.
template <class Prepare, class Work>
void measure(const char* step, const Settings& settings, clockid_t clock, const Prepare& prepare, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < settings.repeats; ++i) {
    prepare();
    const double begin = cpu_seconds(clock);
    const std::uint64_t reads = work();
    least = std::min(least, (cpu_seconds(clock) - begin) / static_cast<double>(std::max<std::uint64_t>(reads, 1)));
  }
  fmt::print("{:<44} {:>9.1f}\n", step, 1e9 * least);
}

align::ReadRecords made_up(const reads::ReadView& read, std::uint64_t i) {
  records::AlignmentRecord record;
  const auto length = static_cast<std::uint32_t>(read.bases.size());
  record.flag = i % 2 == 0 ? records::sam_flag::first : records::sam_flag::second | records::sam_flag::reverse;
  record.contig = record.mate_contig = 0;
  record.position = record.mate_position = static_cast<std::int64_t>(i);
  record.mapq = 60;
  record.cigar = {records::cigar_element(records::CigarOp::match, length)};
  record.edit_distance = 0;
  record.mismatches = std::to_string(length);
  record.score = static_cast<std::int32_t>(length);
  record.mate_cigar = records::cigar_text(record.cigar);
  return {record};
}

void measure_records(const Settings& settings) {
  reads::ReadBatch reads;
  reads::open_reads(settings.input)->next(reads, batch_reads);
  std::vector<align::ReadRecords> records(reads.size());
  for (std::uint64_t i = 0; i < reads.size(); ++i) records[i] = made_up(reads[i], i);
  const auto nothing = [] {};
  text::GenomeBuilder builder;
  builder.begin_contig("contig");
  builder.add(std::string(1 << 20, 'A'));
  const text::Genome genome = builder.finish();
  align::CoverageMap coverage(genome.view());
  for (const bool in_detail : {false, true}) {
    measure(in_detail ? "statistics for --json and --html" : "statistics", settings, CLOCK_THREAD_CPUTIME_ID, nothing,
            [&] {
              align::AlignStatistics statistics(in_detail, in_detail ? &coverage : nullptr);
              for (std::uint64_t i = 0; i < reads.size(); ++i) statistics.add_read(reads[i], records[i]);
              return statistics.counts.reads;
            });
  }
  std::vector<records::BamRecord> made;
  const auto encode = [&] {
    made.clear();
    records::BamMemory memory;
    for (std::uint64_t i = 0; i < reads.size(); ++i) made.emplace_back(records[i].front(), reads[i], "", false, memory);
    return reads.size();
  };
  measure("encoding, the last records given back", settings, CLOCK_THREAD_CPUTIME_ID, nothing, encode);
  records::SamHeader header;
  header.contigs = {{"contig", 1 << 20}};
  for (const int level : {-1, 0, 1}) {
    records::WriterOptions options;
    options.path = "/dev/null", options.format = records::AlignmentFormat::bam;
    options.compression_level = level;
    const auto writer = records::open_alignments(header, options);
    measure(level < 0 ? "writing BAM by our encoder" : fmt::format("writing BAM at level {}", level).c_str(), settings,
            CLOCK_PROCESS_CPUTIME_ID, encode, [&] {
              writer->write(std::move(made));
              made.clear();
              return reads.size();
            });
  }
}

void run(const Settings& settings) {
  fmt::print("{:<44} {:>9}\n", "step", "ns a read");
  measure(
      "reading, all threads", settings, CLOCK_PROCESS_CPUTIME_ID, [] {},
      [&] {
        const auto source = reads::open_reads(settings.input);
        std::uint64_t reads = 0;
        for (reads::ReadBatch batch; source->next(batch, batch_reads);) reads += batch.size();
        return reads;
      });
  measure_records(settings);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("The host work of align other than alignment.", "bench_host");
  app.add_option("R1", settings.input.path1, "FASTQ, plain or gzip")->required();
  app.add_option("R2", settings.input.path2, "mates of R1's reads");
  app.add_option("--repeat", settings.repeats, "measurements")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_host: error: {}\n", error.what());
    return 1;
  }
  return 0;
}
