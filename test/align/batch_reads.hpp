// Reads and pairs of a genome full of repeats, for tests of batches on every backend.
#pragma once

#include <algorithm>
#include <set>
#include <tuple>

#include "align/pair/insert_size_distribution.hpp"
#include "align/pair/pairing.hpp"
#include "align/pipeline/batch_aligner.hpp"
#include "align/pipeline/read_aligner.hpp"
#include "align/select/rank_core.hpp"
#include "base_world.hpp"
#include "catch.hpp"
#include "devices.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace warpseed::test {

using namespace align;
using namespace index;
using namespace reads;
using namespace records;
using namespace text;

/// Contigs with a family of repeats, a tandem repeat, and N.
inline test::BaseWorld repeat_world(std::mt19937& rng) {
  const std::string element = test::random_bases(300, rng), unit = test::random_bases(23, rng);
  std::vector<std::pair<std::string, std::string>> contigs;
  for (int contig = 0; contig < 4; ++contig) {
    std::string bases = test::random_bases(2000, rng);
    for (int copy = 0; copy < 200; ++copy) {
      std::string worn = element;
      for (int change = 0; change < 8; ++change) worn = test::changed(worn, {rng() % worn.size()});
      bases += copy % 2 == 0 ? worn : test::reverse_complement(worn);
      bases += test::random_bases(30, rng);
    }
    for (int copy = 0; copy < 300; ++copy) bases += unit;
    bases.append(50, 'N');
    bases += test::random_bases(500, rng);
    contigs.emplace_back(std::string(1, static_cast<char>('a' + contig)), bases);
  }
  return test::BaseWorld(contigs);
}

/// A mutated piece of any range of the genome, on either strand, of 0 to 1,000 bases; some with many N.
inline std::string draw_read(const GenomeView& genome, std::mt19937& rng) {
  const GenomePos size = genome.contig_begins[genome.contig_count()];
  const std::size_t length = rng() % 8 == 0 ? rng() % 1001 : rng() % 200;
  const GenomePos begin = rng() % (size - length);
  std::vector<std::uint8_t> codes(length);
  fetch_codes(genome, begin, begin + length, codes.data());
  const unsigned wear = rng() % 4 == 0 ? 3 : 60, unknown = rng() % 6 == 0 ? 10 : 1000;
  std::string bases;
  for (std::uint8_t code : codes) {
    if (rng() % wear == 0) code = static_cast<std::uint8_t>(rng() % 4);
    bases += rng() % unknown == 0 ? 'N' : base_of_code(code);
  }
  return rng() % 2 == 0 ? bases : test::reverse_complement(bases);
}

inline auto fields_of(const Alignment& a) {
  return std::make_tuple(a.genome_begin, a.genome_end, a.query_begin, a.query_end, a.score, a.path_score,
                         a.clip_penalty, a.second_score, a.second_count, a.secondary_to, a.alternative_of, a.alt_score,
                         a.contig, a.tie, a.reverse, a.alt);
}

inline void require_same(const ReadAlignments& got, const ReadAlignments& wanted) {
  REQUIRE(got.traits.length == wanted.traits.length);
  REQUIRE(got.traits.repetitive == wanted.traits.repetitive);
  REQUIRE(got.alignments.size() == wanted.alignments.size());
  for (std::size_t a = 0; a < wanted.alignments.size(); ++a)
    REQUIRE(fields_of(got.alignments[a]) == fields_of(wanted.alignments[a]));
}

/// Computes all alignments of a batch.
inline void align_all(BatchAligner& read_aligner, std::span<ReadAlignments> reads, std::uint64_t first_number) {
  const auto job = read_aligner.begin(reads, first_number, nullptr);
  job->wait();
  job->fetch(0, reads.size(), FetchScope::all);
}

/// The mate of a fragment that begins at `begin`, or a read from anywhere.
inline std::string draw_mate(const GenomeView& genome, GenomePos begin, std::mt19937& rng) {
  if (rng() % 12 == 0) return draw_read(genome, rng);
  const GenomePos size = genome.contig_begins[genome.contig_count()];
  const std::size_t length = 40 + rng() % 120;
  const GenomePos end = std::min<GenomePos>(begin + 200 + rng() % 200, size);
  std::vector<std::uint8_t> codes(std::min<GenomePos>(length, end));
  fetch_codes(genome, end - codes.size(), end, codes.data());
  std::string bases;
  const unsigned wear = rng() % 3 == 0 ? 12 : 100;
  for (const std::uint8_t code : codes) bases += rng() % wear == 0 ? 'T' : base_of_code(code);
  if (rng() % 8 == 0) {  // aligned by mate rescue only: its known bases score less than the minimum
    const std::size_t known = std::min<std::size_t>(19 + rng() % 11, bases.size());
    std::fill(bases.begin(), bases.end() - static_cast<std::ptrdiff_t>(known), 'N');
  }
  return test::reverse_complement(bases);
}

/// Pairs of fragments from anywhere; some mates have few seeds.
inline ReadBatch draw_pairs(const GenomeView& genome, std::size_t count, std::mt19937& rng) {
  ReadBatch batch;
  const GenomePos size = genome.contig_begins[genome.contig_count()];
  for (std::size_t i = 0; i < count; ++i) {
    const GenomePos begin = rng() % (size - 200);
    std::vector<std::uint8_t> codes(60 + rng() % 100);
    fetch_codes(genome, begin, begin + codes.size(), codes.data());
    std::string bases;
    for (const std::uint8_t code : codes) bases += rng() % 50 == 0 ? 'A' : base_of_code(code);
    const std::string mate = draw_mate(genome, begin, rng);
    ReadView first, second;
    first.name = second.name = "p";
    first.bases = bases, second.bases = mate;
    first.read_group = second.read_group = static_cast<std::uint32_t>(rng() % 3);
    if (rng() % 2 == 0) std::swap(first.bases, second.bases);
    batch.add(first), batch.add(second);
  }
  return batch;
}

/// What a device must be allowed for an index, as the refusal of a single byte has it: "--memory 137M".
inline std::uint64_t least_memory_bytes(const Index& index, const Backend& device) {
  const std::string message = test::message_of<BackendError>(
      [&] { make_batch_aligner(index.fm(), index.genome(), AlignOptions(), device, {1}); });
  const std::string flag = "--memory ";
  const std::size_t at = message.find(flag);
  CAPTURE(message);
  REQUIRE(at != std::string::npos);
  std::size_t digits = 0;
  const std::uint64_t mib = std::stoull(message.substr(at + flag.size()), &digits);
  REQUIRE(message.at(at + flag.size() + digits) == 'M');
  return mib << 20;
}

}  // namespace warpseed::test
