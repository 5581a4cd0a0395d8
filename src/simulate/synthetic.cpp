#include "simulate/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "simulate/entry.hpp"
#include "simulate/synthetic_cursor.hpp"
#include "warpseed/error.hpp"

namespace warpseed::simulate {

namespace {

void write_on_cpu(const synthetic::SyntheticPlan& plan, std::uint64_t begin, std::span<char> bases, int threads) {
  constexpr std::uint64_t enough = 1 << 16;  // per task, so that starting a cursor costs little
  for_blocks(threads, bases.size(), enough, [&](std::uint64_t from, std::uint64_t to) {
    synthetic::write_bases(plan, begin + from, to - from, bases.data() + from);
  });
}

text::Genome genome_on_cpu(const SyntheticGenome& genome, std::span<const std::uint64_t> contig_begins, int threads) {
  constexpr std::uint64_t batch = 16 << 20;  // bases generated at once
  const auto plan = synthetic::make_plan(genome);
  text::GenomeBuilder builder;
  builder.reserve(genome.length);
  std::vector<char> bases(std::min(batch, genome.length));
  for (std::size_t i = 0; i + 1 < contig_begins.size(); ++i) {
    builder.begin_contig(fmt::format("synthetic{}", i + 1));
    for (std::uint64_t at = contig_begins[i]; at < contig_begins[i + 1];) {
      const std::uint64_t count = std::min(batch, contig_begins[i + 1] - at);
      write_on_cpu(plan, at, std::span(bases).first(count), threads);
      builder.add({bases.data(), count});
      at += count;
    }
  }
  return builder.finish();
}

}  // namespace

void synthetic_bases(const SyntheticGenome& genome, std::uint64_t begin, std::span<char> bases,
                     const Backend& backend) {
  const std::uint64_t end = begin + bases.size();
  if (end < begin || end > genome.length) throw std::invalid_argument("synthetic_letters: past the genome's end");
  const auto plan = synthetic::make_plan(genome);
  if (bases.empty()) return;
  switch (backend.kind) {
    case BackendKind::cpu: return write_on_cpu(plan, begin, bases, backend.threads);
    case BackendKind::cuda: return cuda::synthetic_bases(genome, begin, bases, backend);
  }
  throw std::logic_error("synthetic_letters: a backend kind without a case");
}

text::Genome synthetic_genome(const SyntheticGenome& genome, std::uint64_t contigs, const Backend& backend) {
  if (contigs == 0 || contigs > genome.length) {
    throw InputError(fmt::format("synthetic genome: {} letters cannot be cut into {} contigs", genome.length, contigs));
  }
  std::vector<std::uint64_t> contig_begins(contigs + 1, genome.length);
  for (std::uint64_t i = 0; i < contigs; ++i) contig_begins[i] = i * (genome.length / contigs);
  switch (backend.kind) {
    case BackendKind::cpu: return genome_on_cpu(genome, contig_begins, backend.threads);
    case BackendKind::cuda: {
      text::Genome made = cuda::synthetic_genome(genome, contig_begins, backend);
      for (std::uint64_t i = 0; i < contigs; ++i) made.names.push_back(fmt::format("synthetic{}", i + 1));
      return made;
    }
  }
  throw std::logic_error("synthetic_genome: a backend kind without a case");
}

}  // namespace warpseed::simulate
