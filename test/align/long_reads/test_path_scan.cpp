// Scores along paths, trimmed ends, gaps shifted to the left, and the tags made of paths.
#include <string>

#include "align/base_world.hpp"
#include "align/long_reads/path_scan.hpp"
#include "align/long_reads/two_piece_dp.hpp"
#include "align/record/difference_tags.hpp"
#include "catch.hpp"
#include "two_piece_oracle.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using records::cigar_element;
using records::CigarOp;
using test::Codes;

Codes codes_of(const std::string& bases) {
  Codes codes;
  for (const char base : bases) codes.push_back(text::code_of_base(base));
  return codes;
}

Cigar cigar_of(const std::string& text) {
  Cigar cigar;
  std::uint32_t length = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      length = 10 * length + static_cast<std::uint32_t>(c - '0');
    } else {
      cigar.push_back(cigar_element(c == 'M'   ? CigarOp::match
                                    : c == 'I' ? CigarOp::insertion
                                               : CigarOp::deletion,
                                    length));
      length = 0;
    }
  }
  return cigar;
}

/// The read that cs describes, from the genome.
std::string query_of(const std::string& cs, const std::string& genome) {
  std::string query;
  std::size_t at = 0;
  for (std::size_t i = 0; i < cs.size();) {
    const char kind = cs[i++];
    std::size_t end = i;
    while (end < cs.size() && std::string(":*+-=").find(cs[end]) == std::string::npos) ++end;
    const std::string rest = cs.substr(i, end - i);
    if (kind == ':') {
      query += genome.substr(at, std::stoul(rest)), at += std::stoul(rest);
    } else if (kind == '=') {
      query += rest, at += rest.size();
    } else if (kind == '*') {
      query += static_cast<char>(std::toupper(rest[1])), ++at;
    } else if (kind == '+') {
      for (const char base : rest) query += static_cast<char>(std::toupper(base));
    } else {
      at += rest.size();
    }
    i = end;
  }
  return query;
}

}  // namespace

TEST_CASE("gaps move to the left as far as bases allow", "[align][long]") {
  const Codes genome = codes_of("GATTTTTCA"), query = codes_of("GATTTTCA");
  Cigar cigar = cigar_of("6M1D2M");
  shift_gaps_left(cigar, query.data(), genome.data());
  CHECK(records::cigar_text(cigar) == "2M1D6M");
  Cigar insertion = cigar_of("7M1I1M");
  shift_gaps_left(insertion, genome.data(), codes_of("GATTTTTA").data());  // C inserted: nothing to shift by
  CHECK(records::cigar_text(insertion) == "7M1I1M");
}

TEST_CASE("a path's ends that lose score are cut off, what is between good stretches stays", "[align][long]") {
  std::mt19937 rng(3);
  const Codes good = test::random_codes(200, 4, rng);
  const auto differing = [](Codes codes) {
    for (auto& code : codes) code = static_cast<std::uint8_t>(code ^ 1);
    return codes;
  };
  const auto join = [](std::initializer_list<Codes> parts) {
    Codes all;
    for (const Codes& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  const Codes bad(good.begin(), good.begin() + 60);
  const Codes genome = join({bad, good, bad, bad, good, bad});
  const Codes query = join({differing(bad), good, differing(bad), differing(bad), good, differing(bad)});
  const Cigar cigar = cigar_of(std::to_string(query.size()) + "M");
  const LongScoring scoring;
  const auto part = trim_path({cigar, query.data(), genome.data()}, scoring, 80);
  REQUIRE(part.has_value());
  CHECK(part->query_begin == 60);
  CHECK(part->query_length == 520);
  CHECK(part->genome_length == 520);
  CHECK(part->columns == 520);
  CHECK(part->score == 400);  // of the better stretch
  CHECK(largest_drop({cigar, query.data(), genome.data()}, scoring) == 480);
  CHECK_FALSE(trim_path({cigar, query.data(), genome.data()}, scoring, 401).has_value());
}

TEST_CASE("the differences of a trimmed path are those along what remains of it", "[align][long]") {
  std::mt19937 rng(12);
  TwoPieceScratch scratch;
  const LongScoring scoring;
  int trimmed = 0;
  for (int round = 0; round < 300; ++round) {
    Codes genome = test::random_codes(600, 4, rng);
    Codes query = test::mutated(genome, 20 + static_cast<unsigned>(rng() % 60), rng);
    for (auto at = query.begin(); at < query.begin() + 40; ++at) *at = static_cast<std::uint8_t>(rng() % 4);
    genome[300] = query[query.size() / 2] = text::code_n;
    const auto rows = static_cast<std::int32_t>(query.size()), columns = static_cast<std::int32_t>(genome.size());
    Cigar cigar;
    align_between(query, genome, DiagonalBand::around(rows, columns, 200), scoring, scratch, cigar);
    const auto part = trim_path({cigar, query.data(), genome.data()}, scoring, 60);
    if (!part) continue;
    trimmed += part->genome_begin > 0 ? 1 : 0;
    std::vector<Difference> expected;
    for_each_difference(
        static_cast<std::uint32_t>(part->cigar.size()), [&](std::uint32_t i) { return part->cigar[i]; },
        query.data() + part->query_begin, genome.data() + part->genome_begin,
        [&](Difference one) { expected.push_back(one); });
    REQUIRE(part->differences == expected);
    REQUIRE(records::reference_span(part->cigar) == part->genome_length);
  }
  CHECK(trimmed > 50);
}

TEST_CASE("cs, ds and = and X describe the same path", "[align][records]") {
  const std::string genome = "ACGTTTTACGGATTACA", query = "ACGTTTACCGGATTTACA";
  const Codes q = codes_of(query), g = codes_of(genome);
  const Cigar cigar = cigar_of("3M1D4M1I1M1D3M2I4M");
  const AlignedCodes codes = {q, g};
  const std::string brief = cs_text(cigar, codes, CsTag::short_form);
  CHECK(query_of(brief, genome) == query);
  CHECK(query_of(cs_text(cigar, codes, CsTag::long_form), genome) == query);
  std::mt19937 rng(8);
  TwoPieceScratch scratch;
  for (int round = 0; round < 200; ++round) {
    const Codes one = test::random_codes(rng() % 300 + 1, 4, rng),
                other = test::mutated(one, 5 + static_cast<unsigned>(rng() % 30), rng);
    Cigar path;
    align_between(other, one, DiagonalBand::around(static_cast<int>(other.size()), static_cast<int>(one.size()), 200),
                  {}, scratch, path);
    const AlignedCodes both = {other, one};
    REQUIRE(query_of(cs_text(path, both, CsTag::short_form), test::letters_of(one)) == test::letters_of(other));
    std::string plain = ds_text(path, both);
    std::erase(plain, '['), std::erase(plain, ']');
    REQUIRE(plain == cs_text(path, both, CsTag::short_form));
    std::uint32_t at_query = 0, at_genome = 0;
    for (const records::CigarElement element : with_mismatches(path, both)) {
      const std::uint32_t length = records::cigar_length(element);
      const CigarOp op = records::cigar_op(element);
      REQUIRE(op != CigarOp::match);
      for (std::uint32_t i = 0; records::is_aligned_pair(op) && i < length; ++i) {
        REQUIRE((other[at_query + i] == one[at_genome + i]) == (op == CigarOp::equal));
      }
      if (op != CigarOp::deletion) at_query += length;
      if (op != CigarOp::insertion) at_genome += length;
    }
    REQUIRE(at_query == other.size());
    REQUIRE(at_genome == one.size());
  }
  CHECK(ds_text(cigar_of("1M1D6M"), {codes_of("GTTTTCA"), codes_of("GTTTTTCA")}) == ":1-[t]:6");
}

TEST_CASE("bases in runs of equal pairs are those between differences and gaps", "[align][long]") {
  const unsigned seed = 41;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  const LongScoring scoring;
  for (int round = 0; round < 100; ++round) {
    const Codes genome = test::random_codes(300 + rng() % 300, 4, rng);
    const Codes query = test::mutated(genome, 6 + static_cast<unsigned>(rng() % 30), rng);
    const auto queries = static_cast<int>(query.size()), bases = static_cast<int>(genome.size());
    TwoPieceScratch scratch;
    Cigar cigar;
    align_between(query, genome, DiagonalBand::around(queries, bases, 100), scoring, scratch, cigar);
    const auto path = trim_path({cigar, query.data(), genome.data()}, scoring, 40);
    REQUIRE(path);
    LongAlignment alignment;
    alignment.cigar = path->cigar, alignment.differences = path->differences;
    const auto shortest = 1 + static_cast<std::uint32_t>(rng() % 25);
    CAPTURE(round, records::cigar_text(path->cigar), shortest);

    std::string pairs;  // '=' for equal ones, one character a column
    std::size_t at = path->query_begin, from = path->genome_begin;
    for (const auto element : path->cigar) {
      const CigarOp op = records::cigar_op(element);
      for (std::uint32_t i = 0; i < records::cigar_length(element); ++i) {
        pairs += op == CigarOp::match && query[at] == genome[from] ? '=' : 'x';
        at += op == CigarOp::deletion ? 0 : 1, from += op == CigarOp::insertion ? 0 : 1;
      }
    }
    std::uint32_t expected = 0;
    for (std::size_t begin = 0; begin < pairs.size();) {
      const std::size_t end = std::min(pairs.find('x', begin), pairs.size());
      if (end - begin >= shortest) expected += static_cast<std::uint32_t>(end - begin);
      begin = end + 1;
    }
    CHECK(bases_in_runs(alignment, shortest) == expected);
  }
}
