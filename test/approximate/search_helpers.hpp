// Genomes, patterns and searches for the tests of approximate search.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "approximate/approximate_search.hpp"
#include "differences_oracle.hpp"
#include "index/fm_index.hpp"
#include "oracle.hpp"

namespace warpseed::test {

/// A genome with its index.
struct IndexedGenome {
  text::Genome genome;
  index::FmIndex index;

  explicit IndexedGenome(const Contigs& contigs)
      : genome(genome_of(contigs)), index(index::build_fm_index(genome.view(), Backend{})) {}
  approximate::Target target() const { return {genome.view(), index.view()}; }
};

inline std::vector<text::BaseSet> sets_of(const std::string& pattern) {
  std::vector<text::BaseSet> sets;
  for (const char letter : pattern) sets.push_back(text::set_of_letter(letter));
  return sets;
}

inline approximate::SetBatch batch_of(const std::vector<std::string>& patterns) {
  approximate::SetBatch batch;
  for (const std::string& pattern : patterns) batch.add(sets_of(pattern));
  return batch;
}

inline OracleHit in_contig(const text::GenomeView& genome, const approximate::Occurrence& hit) {
  const GenomePos at = text::to_genome(genome, hit.begin);
  const std::uint64_t contig = text::contig_at(genome, at), begin = at - genome.contig_begins[contig];
  return {contig, begin, hit.reverse, begin + (hit.end - hit.begin), hit.differences};
}

inline std::vector<OracleHit> in_contigs(const text::GenomeView& genome,
                                         const std::vector<approximate::Occurrence>& hits) {
  std::vector<OracleHit> result;
  for (const approximate::Occurrence& hit : hits) result.push_back(in_contig(genome, hit));
  return result;
}

inline std::string to_string(const OracleHit& hit) {
  return "contig " + std::to_string(hit.contig) + " [" + std::to_string(hit.begin) + ", " + std::to_string(hit.end) +
         ") " + (hit.reverse ? "-" : "+") + " with " + std::to_string(hit.differences);
}

/// The first hit that only one side has; empty if there is none.
inline std::string unlike(const std::vector<OracleHit>& found, const std::vector<OracleHit>& expected) {
  for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
    const bool extra = i >= expected.size(), missing = i >= found.size();
    if (!extra && !missing && found[i] == expected[i]) continue;
    return "hit " + std::to_string(i) + ": found " + (missing ? "none" : to_string(found[i])) + ", expected " +
           (extra ? "none" : to_string(expected[i]));
  }
  return "";
}

/// The sequence after random substitutions and, with edits, insertions and deletions.
inline std::string edited(std::string sequence, std::size_t changes, approximate::Metric metric, std::mt19937& rng) {
  for (std::size_t i = 0; i < changes && !sequence.empty(); ++i) {
    const std::size_t at = rng() % sequence.size();
    const std::string base = random_bases(1, 4, rng);
    const auto kind = metric == approximate::Metric::edits ? rng() % 3 : 0;
    sequence.replace(at, kind == 1 ? 0 : 1, kind == 2 ? "" : base);
  }
  return sequence;
}

/// Some letters replaced by IUPAC letters that stand for them and for others.
inline std::string blurred(std::string sequence, unsigned every, std::mt19937& rng) {
  constexpr std::string_view letters = "RYSWKMBDHVN";
  for (char& letter : sequence) {
    if (rng() % every != 0 || letter == 'N') continue;
    const char chosen = letters[rng() % letters.size()];
    if (can_be(chosen, letter)) letter = chosen;
  }
  return sequence;
}

/// A substring of a random contig, at most `length` long; it may have N.
inline std::string piece_of(const Contigs& contigs, std::size_t length, std::mt19937& rng) {
  if (contigs.empty()) return random_bases(length, 4, rng);
  const std::string& contig = contigs[rng() % contigs.size()];
  return contig.substr(rng() % contig.size(), length);
}

/// A pattern that ends before one end of a stretch without N and goes on past it.
inline std::string overhanging(const Contigs& contigs, std::size_t length, std::size_t beyond, std::mt19937& rng) {
  const std::vector<Stretch> stretches = stretches_of(contigs);
  if (stretches.empty()) return random_bases(length, 4, rng);
  const std::string& bases = stretches[rng() % stretches.size()].bases;
  const std::size_t inside = std::min(bases.size(), length - std::min(length, beyond));
  if (rng() % 2 == 0) return random_bases(beyond, 4, rng) + bases.substr(0, inside);
  return bases.substr(bases.size() - inside) + random_bases(beyond, 4, rng);
}

/// Texts in which patterns occur often and nearly: mutated copies, runs and tandem repeats between N.
inline std::vector<NamedText> repetitive_texts(unsigned seed) {
  std::mt19937 rng(seed);
  const std::string repeat = random_bases(230, 4, rng), unit = random_bases(7, 4, rng);
  Contigs copies, tandem, runs;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::string copy = edited(repeat, 2 * i, approximate::Metric::edits, rng);
    copies.push_back(std::string(i % 3, 'N') + (i % 2 == 0 ? copy : reverse_complement(copy)));
    copies.back() += std::string(i % 2, 'N') + copy.substr(0, 100);
    tandem.push_back("");
    for (std::size_t times = 0; times < 5 * i + 1; ++times)
      tandem.back() += edited(unit, rng() % 8 == 0, approximate::Metric::edits, rng);
    runs.push_back(std::string(10 * i + 1, "ACGT"[i % 4]) + random_bases(rng() % 8, 4, rng) + std::string(40, 'A') +
                   "N" + std::string(9, 'A'));
  }
  return {{"copies", copies}, {"tandem", tandem}, {"runs", runs}};
}

}  // namespace warpseed::test
