// Paths compared with full matrices, and CIGAR, NM and MD compared with the sequences.
#include "align/record/path.hpp"

#include <tuple>

#include "align/pipeline/read_aligner.hpp"
#include "align/record/traceback_core.hpp"
#include "alignment_oracle.hpp"
#include "base_world.hpp"
#include "catch.hpp"
#include "text/genome.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::records;
using namespace warpseed::text;
using test::Codes;
using test::letters_of;

/// Score and edit distance of a path, from the CIGAR alone; checks that it consumes both sequences.
struct Walked {
  int score = 0, edits = 0;
  std::string genome_from_md;
};

Walked walk(const Path& path, const Codes& query, const Codes& genome, const Scoring& scoring) {
  Walked walked;
  std::size_t q = 0, g = 0;
  for (const CigarElement element : path.cigar) {
    const auto length = static_cast<int>(cigar_length(element));
    if (cigar_op(element) == CigarOp::match) {
      for (int i = 0; i < length; ++i, ++q, ++g) {
        walked.score += score_of(scoring, query[q], genome[g]);
        walked.edits += query[q] != genome[g];
      }
    } else if (cigar_op(element) == CigarOp::insertion) {
      walked.score -= scoring.insertion_open + length * scoring.insertion_extend;
      walked.edits += length, q += static_cast<std::size_t>(length);
    } else if (cigar_op(element) == CigarOp::deletion) {
      walked.score -= scoring.deletion_open + length * scoring.deletion_extend;
      walked.edits += length, g += static_cast<std::size_t>(length);
    } else {
      q += static_cast<std::size_t>(length);
    }
  }
  REQUIRE(q == query.size());
  REQUIRE(g == genome.size());
  return walked;
}

/// The genome's bases under an alignment, reconstructed from the query, the CIGAR and MD as samtools does.
std::string genome_from_md(const Path& path, const Codes& query) {
  std::string aligned;  // the query's bases under M
  std::size_t q = 0;
  for (const CigarElement element : path.cigar) {
    const std::size_t length = cigar_length(element);
    if (cigar_op(element) == CigarOp::match) {
      for (std::size_t i = 0; i < length; ++i) aligned += base_of_code(query[q + i]);
    }
    if (cigar_op(element) != CigarOp::deletion) q += length;
  }
  std::string genome;
  std::size_t used = 0, at = 0;
  const std::string& md = path.mismatches;
  while (at < md.size()) {
    if (std::isdigit(static_cast<unsigned char>(md[at]))) {
      std::size_t digits = 0;
      const std::size_t same = std::stoul(md.substr(at), &digits);
      genome += aligned.substr(used, same);
      used += same, at += digits;
    } else if (md[at] == '^') {
      for (++at; at < md.size() && std::isalpha(static_cast<unsigned char>(md[at])); ++at) genome += md[at];
    } else {
      genome += md[at++];
      ++used;
    }
  }
  REQUIRE(used == aligned.size());
  return genome;
}

}  // namespace

TEST_CASE("a path has the best score, and CIGAR, NM and MD describe it", "[align][path]") {
  const unsigned one_in = GENERATE(4U, 12U, 50U);
  const int alphabet = GENERATE(2, 4);
  const int open = GENERATE(6, 1, 0);  // cheap gaps would be adjacent if they were allowed to be
  const unsigned seed = 8100U + one_in + static_cast<unsigned>(alphabet);
  CAPTURE(one_in, alphabet, open, seed);
  std::mt19937 rng(seed);
  AlignOptions options;
  options.scoring.deletion_open = options.scoring.insertion_open = open;
  for (int round = 0; round < 150; ++round) {
    const Codes stretch = test::random_codes(1 + rng() % 120, alphabet, rng);
    Codes query = test::mutated(stretch, one_in, rng);
    if (query.empty()) query = {1};
    GenomeBuilder builder;
    builder.begin_contig("c");
    const Codes flank(10, 0);
    builder.add_codes(flank);
    builder.add_codes(stretch);
    builder.add_codes(flank);
    const Genome genome = builder.finish();
    const GenomeView view = genome.view();
    const int best = test::FullMatrix(query, stretch, options.scoring).best.back().back();

    PackedRead read;
    read.assign(letters_of(query));
    Alignment alignment;
    alignment.genome_begin = 10, alignment.genome_end = 10 + stretch.size();
    alignment.query_begin = 0, alignment.query_end = static_cast<std::uint32_t>(query.size());
    alignment.path_score = best;
    const Path path = PathTracer(view, options).trace(alignment, read);
    const auto start = static_cast<std::size_t>(path.position);
    if (start != 10 || cigar_op(path.cigar.front()) != CigarOp::match ||
        cigar_op(path.cigar.back()) != CigarOp::match) {
      continue;  // a path that ends in gaps is trimmed; its score differs from the matrix's corner
    }
    std::size_t span = 0;
    for (const CigarElement e : path.cigar) span += cigar_op(e) == CigarOp::insertion ? 0 : cigar_length(e);
    if (span != stretch.size()) continue;
    for (std::size_t i = 0; i + 1 < path.cigar.size(); ++i)
      REQUIRE((cigar_op(path.cigar[i]) == CigarOp::match || cigar_op(path.cigar[i + 1]) == CigarOp::match));
    const Walked walked = walk(path, query, stretch, options.scoring);
    REQUIRE(walked.score == best);
    REQUIRE(walked.edits == path.edit_distance);
    REQUIRE(genome_from_md(path, query) == letters_of(stretch));
  }
}

TEST_CASE("the path of a long read has the score of its extensions, within twice their band", "[align][path]") {
  std::mt19937 rng(8200);
  const Codes contig = test::random_codes(30000, 4, rng);
  const test::BaseWorld world({{"long", letters_of(contig)}});
  const GenomeView& genome = world.index->genome();
  const AlignOptions options;
  std::vector<ReadAlignments> placed(1);
  placed[0].read.assign(letters_of(test::mutated(contig, 15, rng)));
  ReadAligner(world.index->fm(), genome, options).align(placed, 0);
  REQUIRE(!placed[0].alignments.empty());
  const Alignment& best = placed[0].alignments[0];
  const auto bases = static_cast<std::int32_t>(best.query_end - best.query_begin);
  CHECK(bases > 25000);
  CHECK(max_gap_for_loss(options.scoring, bases - best.path_score) > 2 * options.band);
  CHECK(path_band(bases, bases, best.path_score, options) == 2 * options.band);

  const Path path = PathTracer(genome, options).trace(best, placed[0].read);
  std::size_t span = 0;
  for (const CigarElement e : path.cigar) {
    const CigarOp op = cigar_op(e);
    span += op == CigarOp::match || op == CigarOp::deletion ? cigar_length(e) : 0;
  }
  const std::uint8_t* const query = placed[0].read.codes(false);
  const auto begin = contig.begin() + path.position;
  const Walked walked = walk(path, Codes(query, query + placed[0].read.length()),
                             Codes(begin, begin + static_cast<std::ptrdiff_t>(span)), options.scoring);
  CHECK(walked.score == best.path_score);
  CHECK(walked.edits == path.edit_distance);
}

TEST_CASE("indels in repeats are leftmost", "[align][path]") {
  GenomeBuilder builder;
  builder.begin_contig("c");
  builder.add("GATTACAGGCTTAAAAAAAACGTCCTGATCG");
  const Genome genome = builder.finish();
  const GenomeView view = genome.view();
  const AlignOptions options;
  PackedRead read;
  read.assign("GATTACAGGCTTAAAAAACGTCCTGATCG");  // two A fewer
  Alignment alignment;
  alignment.genome_end = 31, alignment.query_end = 29;
  alignment.path_score = 29 - 8;
  const Path deletion = PathTracer(view, options).trace(alignment, read);
  CHECK(cigar_text(deletion.cigar) == "12M2D17M");
  CHECK(deletion.mismatches == "12^AA17");
  CHECK(deletion.edit_distance == 2);

  read.assign("GATTACAGGCTTAAAAAAAAAACGTCCTGATCG");  // two A more
  alignment.query_end = 33;
  alignment.path_score = 31 - 8;
  const Path insertion = PathTracer(view, options).trace(alignment, read);
  CHECK(cigar_text(insertion.cigar) == "12M2I19M");
  CHECK(insertion.mismatches == "31");
}

namespace {

/// In the form that a device returns it.
std::vector<CigarElement> dp_cigar(const Codes& query, const Codes& genome, int score, const AlignOptions& options) {
  const auto rows = static_cast<std::int32_t>(genome.size()), columns = static_cast<std::int32_t>(query.size());
  const std::int32_t band = path_band(columns, rows, score, options);
  std::vector<PathCell> row(query.size() + 1);
  std::vector<std::uint8_t> steps(genome.size() * (2 * static_cast<std::size_t>(band) + 1));
  fill_path(query, columns, genome, rows, band, options.scoring,
            PathScratch<PathCell*, std::uint8_t*>{row.data(), steps.data()});
  std::vector<CigarElement> cigar;
  walk_path(steps, columns, rows, band, [&](int op) {
    const auto step = static_cast<CigarOp>(op);
    if (cigar.empty() || cigar_op(cigar.back()) != step) cigar.push_back(cigar_element(step, 0));
    cigar.back() += 1U << 4;
  });
  return {cigar.rbegin(), cigar.rend()};
}

/// Where a path that may begin and end with gaps differs from the genome, base by base.
std::vector<Difference> listed_differences(const std::vector<CigarElement>& cigar, const Codes& query,
                                           const Codes& genome) {
  std::vector<Difference> differences;
  std::size_t q = 0, g = 0;
  for (const CigarElement element : cigar) {
    for (std::uint32_t i = 0; i < cigar_length(element); ++i) {
      const bool in_query = cigar_op(element) != CigarOp::deletion, in_genome = cigar_op(element) != CigarOp::insertion;
      const bool same = in_query && in_genome && query[q] == genome[g] && query[q] != code_n;
      if (in_genome && !same) differences.push_back(difference(static_cast<std::uint32_t>(g), genome[g]));
      q += in_query, g += in_genome;
    }
  }
  return differences;
}

std::int32_t score_of_pairs(const Codes& query, const Codes& genome, const Scoring& scoring) {
  std::int32_t score = 0;
  for (std::size_t i = 0; i < query.size(); ++i) score += score_of(scoring, query[i], genome[i]);
  return score;
}

}  // namespace

TEST_CASE("a precomputed path equals the computed one", "[align][path]") {
  std::mt19937 rng(8201);
  const AlignOptions options;
  int gapped = 0;
  for (int round = 0; round < 400; ++round) {
    Codes stretch = test::random_codes(1 + rng() % 120, 4, rng);
    if (round % 5 == 0) stretch[rng() % stretch.size()] = code_n;
    Codes query = test::mutated(stretch, 10 + static_cast<unsigned>(rng() % 30), rng);
    if (query.empty()) query = {1};
    GenomeBuilder builder;
    builder.begin_contig("c");
    builder.add_codes(stretch);
    const Genome genome = builder.finish();
    const GenomeView view = genome.view();
    PackedRead read;
    read.assign("AC" + letters_of(query) + "G");
    Alignment alignment;
    alignment.genome_end = stretch.size();
    alignment.query_begin = 2, alignment.query_end = static_cast<std::uint32_t>(query.size()) + 2;
    alignment.path_score = test::FullMatrix(query, stretch, options.scoring).best.back().back();
    const Path found = PathTracer(view, options).trace(alignment, read);
    auto known = dp_cigar(query, stretch, alignment.path_score, options);
    if (query.size() == stretch.size() && score_of_pairs(query, stretch, options.scoring) == alignment.path_score)
      known = {cigar_element(CigarOp::match, static_cast<std::uint32_t>(query.size()))};
    const std::vector<Difference> differences = listed_differences(known, query, stretch);
    const Path path = PathTracer(view, options).trace(alignment, read, PrecomputedCigar{known, differences});
    CAPTURE(round, cigar_text(known));
    REQUIRE(std::tie(path.position, path.cigar, path.edit_distance, path.mismatches) ==
            std::tie(found.position, found.cigar, found.edit_distance, found.mismatches));
    gapped += found.cigar.size() > 3 ? 1 : 0;
  }
  CHECK(gapped > 100);
}

TEST_CASE("a path that begins with a deletion is reported from after it", "[align][path]") {
  std::mt19937 rng(8202);
  const Codes stretch = test::random_codes(200, 4, rng);
  GenomeBuilder builder;
  builder.begin_contig("before");
  builder.add_codes(test::random_codes(70, 4, rng));
  builder.begin_contig("c");
  builder.add_codes(stretch);
  const Genome genome = builder.finish();
  const Codes query(stretch.begin() + 45, stretch.begin() + 145);
  PackedRead read;
  read.assign(letters_of(query));
  LongAlignment alignment;
  alignment.contig = 1;
  alignment.genome_begin = 70 + 40, alignment.genome_end = 70 + 145;
  alignment.query_end = 100;
  alignment.cigar = {cigar_element(CigarOp::deletion, 5), cigar_element(CigarOp::match, 100)};
  alignment.differences = listed_differences(alignment.cigar, query, {stretch.begin() + 40, stretch.begin() + 145});
  const Path path = PathTracer(genome.view(), AlignOptions()).trace(alignment, read);
  CHECK(cigar_text(path.cigar) == "100M");
  CHECK(path.position == 45);
  CHECK(path.mismatches == "100");
  CHECK(path.edit_distance == 0);
}
