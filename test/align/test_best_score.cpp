// Whole reads against whole small genomes: reported scores equal the best score of all alignments.
#include <unordered_set>

#include "base_world.hpp"
#include "catch.hpp"
#include "local_oracle.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::records;
using namespace warpseed::text;
using test::Codes;

/// Random bases with mutated copies of an element, and a tandem repeat.
Codes genome_with_repeats(std::size_t length, std::mt19937& rng) {
  Codes genome = test::random_codes(length, 4, rng);
  const Codes element = test::random_codes(200, 4, rng), unit = test::random_codes(37, 4, rng);
  const auto put = [&](const Codes& piece, std::size_t at) {
    for (std::size_t i = 0; i < piece.size() && at + i < length; ++i) genome[at + i] = piece[i];
  };
  for (std::size_t at = 100; at + 300 < length; at += length / 5) put(test::mutated(element, 30, rng), at);
  for (std::size_t i = 0; i < 6; ++i) put(unit, length / 2 + i * unit.size());
  return genome;
}

/// A mutated piece of the genome: substitutions and short gaps everywhere, sometimes a longer gap or a foreign end.
Codes draw_read(const Codes& genome, std::mt19937& rng) {
  const std::size_t length = 60 + rng() % 91, from = rng() % (genome.size() - length);
  Codes read(genome.begin() + static_cast<long>(from), genome.begin() + static_cast<long>(from + length));
  read = test::mutated(read, static_cast<unsigned>(20 + rng() % 200), rng);
  const auto at = static_cast<long>(10 + rng() % 40);
  const auto gap = static_cast<long>(1 + rng() % 12);
  switch (rng() % 6) {
    case 0: read.erase(read.begin() + at, read.begin() + at + gap); break;
    case 1: {
      const Codes extra = test::random_codes(static_cast<std::size_t>(gap), 4, rng);
      read.insert(read.begin() + at, extra.begin(), extra.end());
      break;
    }
    case 2: {
      const Codes foreign = test::random_codes(15, 4, rng);
      read.insert(rng() % 2 == 0 ? read.begin() : read.end(), foreign.begin(), foreign.end());
      break;
    }
    default: break;
  }
  return read;
}

Codes reverse_complement_codes(const Codes& codes) {
  Codes other;
  for (auto code = codes.rbegin(); code != codes.rend(); ++code) other.push_back(complement(*code));
  return other;
}

/// The score of a record's alignment, from its CIGAR alone; `clips` counts the clipped ends.
int path_score(const AlignmentRecord& record, const Codes& read, const Codes& genome, const Scoring& s, int& clips) {
  const Codes query = (record.flag & records::sam_flag::reverse) ? reverse_complement_codes(read) : read;
  int score = 0;
  clips = 0;
  std::size_t i = 0, j = static_cast<std::size_t>(record.position);
  for (const CigarElement element : record.cigar) {
    const auto length = static_cast<int>(cigar_length(element));
    const auto step = static_cast<std::size_t>(length);
    switch (cigar_op(element)) {
      case CigarOp::match:
        for (std::size_t k = 0; k < step; ++k) score += score_of(s, query.at(i++), genome.at(j++));
        break;
      case CigarOp::insertion: score -= s.insertion_open + length * s.insertion_extend, i += step; break;
      case CigarOp::deletion: score -= s.deletion_open + length * s.deletion_extend, j += step; break;
      default: ++clips, i += step; break;
    }
  }
  REQUIRE(i == query.size());
  return score;
}

/// Which reads share 19 bases with the genome on either strand, enough for a seed.
std::vector<bool> have_seeds(const std::vector<Codes>& reads, const Codes& genome) {
  constexpr std::size_t length = 19;
  const std::string one = test::letters_of(genome), other = test::letters_of(reverse_complement_codes(genome));
  std::unordered_set<std::string> words;
  for (std::size_t i = 0; i + length <= one.size(); ++i) {
    words.insert(one.substr(i, length));
    words.insert(other.substr(i, length));
  }
  std::vector<bool> have;
  for (const Codes& read : reads) {
    const std::string bases = test::letters_of(read);
    bool found = false;
    for (std::size_t i = 0; i + length <= bases.size() && !found; ++i) found = words.count(bases.substr(i, length));
    have.push_back(found);
  }
  return have;
}

/// Per read, the best score of both strands.
std::vector<int> best_scores(const std::vector<Codes>& reads, const Codes& genome, const Scoring& scoring, int clip) {
  test::LocalOracle oracle(scoring);
  std::vector<int> scores = oracle.best(reads, genome, clip);
  const std::vector<int> other = oracle.best(reads, reverse_complement_codes(genome), clip);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = std::max(scores[i], other[i]);
  return scores;
}

/// LocalOracle's result for one query, from a matrix for every pair of starts.
int best_of_matrices(const Codes& query, const Codes& genome, const Scoring& scoring, int clip) {
  int best = test::minus_infinity;
  for (std::size_t i = 0; i < query.size(); ++i) {
    for (std::size_t j = 0; j < genome.size(); ++j) {
      const Codes rest(query.begin() + static_cast<long>(i), query.end());
      const Codes there(genome.begin() + static_cast<long>(j), genome.end());
      const test::FullMatrix matrix(rest, there, scoring, i == 0 ? 0 : -clip);
      for (std::size_t end = 1; end <= rest.size(); ++end) {  // an empty alignment does not count
        const auto& row = matrix.best[end];
        best = std::max(best, *std::max_element(row.begin(), row.end()) - (end == rest.size() ? 0 : clip));
      }
    }
  }
  return best;
}

struct Misses {
  int reads = 0, unmapped = 0, local = 0;
  int path = 0;       // the traceback between an alignment's ends scores more than the extension that found them
  int ends = 0;       // another alignment is as good, or nearly, and would be better including the read's ends
  std::string which;  // one per line
};

/// For reads that have a seed and whose best local score is at least 30 and `share` of their length.
Misses count_misses(unsigned seed, std::size_t genome_length, int reads, double share) {
  std::mt19937 rng(seed);
  const Codes genome = genome_with_repeats(genome_length, rng);
  const test::BaseWorld world({{"g", test::letters_of(genome)}});
  const Scoring scoring;
  constexpr int clip = 5;
  std::vector<Codes> drawn;
  std::vector<std::string> bases;
  for (int i = 0; i < reads; ++i) {
    const Codes read = draw_read(genome, rng);
    drawn.push_back(rng() % 2 == 0 ? read : reverse_complement_codes(read));
    bases.push_back(test::letters_of(drawn.back()));
  }
  const auto records = world.align(bases);
  const auto locals = best_scores(drawn, genome, scoring, 0), wholes = best_scores(drawn, genome, scoring, clip);
  const auto seeded = have_seeds(drawn, genome);
  Misses misses;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const int local = locals[i], with_ends = wholes[i];
    if (local < 30 || local < share * static_cast<double>(drawn[i].size()) || !seeded[i]) continue;
    ++misses.reads;
    const AlignmentRecord& record = records[i].front();
    if (record.flag & records::sam_flag::unmapped) {
      ++misses.unmapped;
      continue;
    }
    CAPTURE(seed, i, bases[i], cigar_text(record.cigar));
    int clips = 0;
    const int path = path_score(record, drawn[i], genome, scoring, clips);
    REQUIRE(record.score <= local);
    REQUIRE(path - clips * clip <= with_ends);
    misses.path += path > record.score;
    misses.local += record.score < local;
    misses.ends += path - clips * clip < with_ends;
    if (record.score == local && path - clips * clip == with_ends) continue;
    misses.which += "score " + std::to_string(record.score) + " of " + std::to_string(local) + ", with its ends " +
                    std::to_string(path - clips * clip) + " of " + std::to_string(with_ends) + ": " +
                    std::to_string(record.position) + " " + cigar_text(record.cigar) + " " + bases[i] + "\n";
  }
  return misses;
}

}  // namespace

TEST_CASE("reported scores are the best possible", "[align][best]") {
  const unsigned seed = GENERATE(1U, 2U, 3U);
  const Misses misses = count_misses(seed, 2500, 250, 0.6);
  CAPTURE(seed, misses.reads, misses.unmapped, misses.local, misses.path, misses.ends, misses.which);
  REQUIRE(misses.reads > 150);
  CHECK(misses.unmapped == 0);
  CHECK(misses.local == 0);
  CHECK(misses.ends <= 1);
}

TEST_CASE("reported scores are the best possible, thousands of reads", "[slow][align][best]") {
  const unsigned seed = GENERATE(11U, 12U, 13U, 14U);
  const Misses misses = count_misses(seed, 5000, 3000, 0.5);
  CAPTURE(seed, misses.reads, misses.unmapped, misses.local, misses.path, misses.ends, misses.which);
  REQUIRE(misses.reads > 2900);
  CHECK(misses.unmapped == 0);
  CHECK(misses.local <= 1);  // 30 of 32, the best one at copies whose seeds are parts of a longer unique one
  CHECK(misses.ends <= 1);
}

TEST_CASE("the oracle of many reads agrees with full matrices", "[align][best]") {
  const int clip = GENERATE(0, 5);
  const unsigned seed = 15;
  CAPTURE(clip, seed);
  std::mt19937 rng(seed);
  const Scoring scoring;
  const Codes genome = test::random_codes(24, 3, rng);
  std::vector<Codes> queries;
  for (std::size_t length = 1; length <= 2 * test::LocalOracle::lanes + 1; ++length) {
    queries.push_back(test::mutated(Codes(genome.begin(), genome.begin() + static_cast<long>(length)), 6, rng));
    if (queries.back().empty()) queries.back() = {2};
  }
  const std::vector<int> found = test::LocalOracle(scoring).best(queries, genome, clip);
  REQUIRE(found.size() == queries.size());
  for (std::size_t k = 0; k < queries.size(); ++k) {
    CAPTURE(test::letters_of(genome), test::letters_of(queries[k]));
    CHECK(found[k] == best_of_matrices(queries[k], genome, scoring, clip));
  }
}
