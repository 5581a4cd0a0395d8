// Seeds compared with a scan of the text.
#include "align/seed/steps_ahead.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "align/pipeline/read_alignments.hpp"
#include "alignment_oracle.hpp"
#include "catch.hpp"
#include "index/fm_index.hpp"
#include "text/genome.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::index;
using namespace warpseed::text;
using test::Codes;

std::size_t count_in(const std::string& text, const std::string& pattern) {
  std::size_t count = 0;
  for (std::size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1)) ++count;
  return count;
}

PackedRead packed_read(const Codes& codes) {
  PackedRead read;
  read.assign(test::letters_of(codes));
  return read;
}

std::string as_string(const Codes& codes) {
  return {codes.begin(), codes.end()};
}

/// A seed of a read's reverse complement, or of the read.
struct StrandSeed {
  Seed seed;
  bool reverse = false;
};

/// A genome of one contig and its index.
struct IndexedText {
  Genome genome;
  FmIndex index;

  explicit IndexedText(const Codes& text) : genome(genome_of(text)), index(build_fm_index(genome.view(), Backend{})) {}

  /// Of both strands.
  std::vector<StrandSeed> all_seeds(const Codes& codes, const AlignOptions& options) const {
    const FmView fm = index.view();
    const GenomeView view = genome.view();
    const SeedText text = {fm, view};
    const SeedRules rules = seed_rules(fm, options);
    const PackedRead read = packed_read(codes);
    std::vector<StrandSeed> found;
    SetAside aside;
    SeedSearch search = start_seeds(text, rules, read.packed(false), &aside);
    while (search.step != SeedStep::done)
      step_seeds(text, rules, search, [&](const Seed& seed) { found.push_back({seed, search.reverse}); });
    return found;
  }

  /// All that a read has as sequenced: it is not settled.
  std::vector<Seed> seeds(const Codes& read, AlignOptions options) const {
    options.rival_edits = 0;
    std::vector<Seed> found;
    for (const auto& [seed, reverse] : all_seeds(read, options)) {
      if (!reverse) found.push_back(seed);
    }
    return found;
  }

  /// The text positions at which a seed occurs, in any order.
  std::vector<TextPos> positions(const Seed& seed) const {
    if (seed.position != no_text_pos) return {seed.position};
    const FmView fm = index.view();
    std::vector<TextPos> found;
    for (Row row = seed.rows.begin; row < seed.rows.end; ++row) {
      Walk walk = {row, 0};
      TextPos position = 0;
      while (!step_back(fm, walk, position)) {
      }
      found.push_back(position);
    }
    return found;
  }

  /// The same, by the steps of a device thread.
  std::vector<StrandSeed> seeds_by_steps_ahead(const Codes& codes, const AlignOptions& options) const {
    const FmView fm = index.view();
    const GenomeView view = genome.view();
    const SeedText text = {fm, view};
    const SeedRules rules = seed_rules(fm, options);
    const PackedRead read = packed_read(codes);
    std::vector<StrandSeed> found;
    SetAside aside;
    SeedSearch search = start_seeds(text, rules, read.packed(false), &aside);
    for (StepsAhead ahead; search.step != SeedStep::done;) {
      if (ahead.count > 0) {
        extend_ahead(fm, rules, search, ahead);
        continue;
      }
      decide_step(text, rules, search, [&](const Seed& seed) { found.push_back({seed, search.reverse}); });
      if (search.step != SeedStep::extend) continue;
      ahead = steps_ahead(search);
      REQUIRE(ahead.count > 0);
      REQUIRE(ahead.count <= 32);
    }
    return found;
  }

 private:
  static Genome genome_of(const Codes& text) {
    GenomeBuilder builder;
    builder.begin_contig("c");
    builder.add_codes(text);
    return builder.finish();
  }
};

}  // namespace

TEST_CASE("seeds have the stated number of occurrences and no long exact match is missed", "[align][seed]") {
  const int alphabet = GENERATE(2, 4);
  std::mt19937 rng(9100U + static_cast<unsigned>(alphabet));
  Codes text = test::random_codes(20000, alphabet, rng);
  std::copy_n(text.begin() + 1000, 3000, text.begin() + 9000);  // a repeat
  const IndexedText indexed(text);
  const std::string text_string = as_string(text);
  const AlignOptions options;
  const std::uint32_t surely_found = options.min_seed;

  for (int round = 0; round < 200; ++round) {
    const std::size_t from = rng() % (text.size() - 150);
    Codes read(text.begin() + static_cast<long>(from), text.begin() + static_cast<long>(from) + 150);
    for (int error = 0; error < round % 7; ++error) read[rng() % read.size()] = static_cast<std::uint8_t>(rng() % 5);
    const std::vector<Seed> seeds = indexed.seeds(read, options);
    const std::string read_string = as_string(read);
    for (const Seed& seed : seeds) {
      REQUIRE(seed.length() >= options.min_seed);
      const std::string match = read_string.substr(seed.begin, seed.length());
      REQUIRE(seed.rows.count() == count_in(text_string, match));
      if (seed.position != no_text_pos) REQUIRE(text_string.find(match) == seed.position);
    }
    for (std::uint32_t begin = 0; begin + surely_found <= 150; ++begin) {  // every window that occurs is touched
      if (count_in(text_string, read_string.substr(begin, surely_found)) == 0) continue;
      bool touched = false;
      for (const Seed& seed : seeds) {
        const std::uint32_t low = std::max(begin, seed.begin), high = std::min(begin + surely_found, seed.end);
        touched |= high >= low + options.min_seed;
      }
      REQUIRE(touched);
    }
  }
}

TEST_CASE("steps ahead find the seeds that single steps find", "[align][seed]") {
  const std::uint32_t length = GENERATE(18, 19, 31, 32, 33, 64, 150, 400);
  AlignOptions options;
  options.min_seed = GENERATE(7, 19);
  std::mt19937 rng(9150U + length + options.min_seed);
  const Codes element = test::random_codes(500, 4, rng);
  Codes text = test::random_codes(3000, 4, rng);
  for (int copy = 0; copy < 60; ++copy) {  // a family of diverged repeats
    const Codes worn = test::mutated(element, 30, rng);
    text.insert(text.end(), worn.begin(), worn.end());
  }
  const IndexedText indexed(text);
  options.rival_edits = GENERATE(0, 2);
  const auto of = [](const StrandSeed& found) {
    const Seed& seed = found.seed;
    return std::tuple(seed.begin, seed.end, seed.rows.begin, seed.rows.end, seed.position, found.reverse);
  };
  for (int round = 0; round < 60; ++round) {
    CAPTURE(length, options.min_seed, round);
    const std::size_t from = rng() % (text.size() - length);
    Codes read(text.begin() + static_cast<long>(from), text.begin() + static_cast<long>(from + length));
    for (int error = 0; error < round % 6; ++error) read[rng() % length] = static_cast<std::uint8_t>(rng() % 5);
    const std::vector<StrandSeed> wanted = indexed.all_seeds(read, options);
    const std::vector<StrandSeed> found = indexed.seeds_by_steps_ahead(read, options);
    REQUIRE(std::equal(wanted.begin(), wanted.end(), found.begin(), found.end(),
                       [&](const StrandSeed& a, const StrandSeed& b) { return of(a) == of(b); }));
  }
}

TEST_CASE("every super-maximal match is a seed, or has a seed with few occurrences in its place", "[align][seed]") {
  // A family of diverged repeats: pieces of a read match many members, and a long, rare match only one.
  std::mt19937 rng(9200);
  const Codes element = test::random_codes(300, 4, rng);
  Codes text = test::random_codes(3000, 4, rng);
  for (int copy = 0; copy < 120; ++copy) {
    const Codes worn = test::mutated(element, 40, rng), between = test::random_codes(20, 4, rng);
    text.insert(text.end(), worn.begin(), worn.end());
    text.insert(text.end(), between.begin(), between.end());
  }
  const IndexedText indexed(text);
  const std::string text_string = as_string(text);
  AlignOptions options;
  options.rare_rows = 0;  // the round for rare matches would hide misses
  const std::uint64_t few = SeedRules{}.few_rows;

  for (int round = 0; round < 40; ++round) {
    constexpr std::uint32_t length = 120;
    const std::size_t from = 3000 + rng() % (text.size() - 3000 - length);
    Codes read(text.begin() + static_cast<long>(from), text.begin() + static_cast<long>(from + length));
    for (int error = 0; error < round % 4; ++error) read[rng() % length] = static_cast<std::uint8_t>(rng() % 4);
    const std::vector<Seed> seeds = indexed.seeds(read, options);
    const std::string read_string = as_string(read);
    const auto occurs = [&](std::uint32_t begin, std::uint32_t end) {
      return text_string.find(read_string.substr(begin, end - begin)) != std::string::npos;
    };
    std::uint32_t last_end = 0;
    for (std::uint32_t begin = 0; begin + options.min_seed <= length; ++begin) {
      std::uint32_t end = begin;
      while (end < length && occurs(begin, end + 1)) ++end;
      if (end == last_end || end - begin < options.min_seed) continue;  // inside the previous one, or short
      last_end = end;
      CAPTURE(round, begin, end);
      bool found = false;
      for (const Seed& seed : seeds) {
        const bool same = seed.begin == begin && seed.end == end;
        const bool part = seed.begin >= begin && seed.end <= end;
        const bool hidden = seed.begin < begin && seed.end >= begin + options.min_seed;  // in one further left
        found |= same || ((part || hidden) && seed.rows.count() <= few);
      }
      REQUIRE(found);
    }
  }
}

TEST_CASE("a long, rare match is found although a restart cuts it into a frequent one", "[align][seed]") {
  std::mt19937 rng(9300);
  const Codes read = test::random_codes(120, 4, rng);
  Codes text = test::random_codes(500, 4, rng);
  const auto add = [&](std::size_t begin, std::size_t end) {  // read [begin, end) among other bases
    text.push_back(static_cast<std::uint8_t>(3 - (begin > 0 ? read[begin - 1] : 0)));
    text.insert(text.end(), read.begin() + static_cast<long>(begin), read.begin() + static_cast<long>(end));
    text.push_back(static_cast<std::uint8_t>(3 - (end < read.size() ? read[end] : 0)));
    const Codes between = test::random_codes(15, 4, rng);
    text.insert(text.end(), between.begin(), between.end());
  };
  add(60, 120);  // the first match; the next start is at 60 - 1 + 19
  add(10, 100);  // the match to be found
  for (int copy = 0; copy < 60; ++copy) add(10, 80);
  const IndexedText indexed(text);
  AlignOptions options;
  options.rare_rows = 0;
  bool found = false;
  for (const Seed& seed : indexed.seeds(read, options))
    found |= seed.begin == 10 && seed.end == 100 && seed.rows.count() == 1;
  CHECK(found);
}

TEST_CASE("a settled read has seeds on the diagonals of its best alignments, and of those nearly as good",
          "[slow][align][seed]") {
  // Elements in two to five copies that differ: a read of one has few edits there and as many or some more on the
  // others, on either strand. Half of the copies are near enough that some reads match several without a difference.
  constexpr std::size_t elements = 40, element = 400;
  const std::uint32_t length = GENERATE(60, 100, 150, 250);
  std::mt19937 rng(9400U + length);
  const auto differing = [&](Codes codes) {
    for (std::size_t i = rng() % 100; i < codes.size(); i += 1 + rng() % 300)
      codes[i] = static_cast<std::uint8_t>((codes[i] + 1 + rng() % 3) % 4);
    return codes;
  };
  Codes text = test::random_codes(5000, 4, rng);
  for (std::size_t i = 0; i < elements; ++i) {
    const Codes original = test::random_codes(element, 4, rng);
    text.insert(text.end(), original.begin(), original.end());
    for (std::size_t copies = 0; copies <= i % 4; ++copies) {
      const Codes copy = differing(original);
      if ((i + copies) % 2 == 0) {
        text.insert(text.end(), copy.begin(), copy.end());
      } else {
        for (std::size_t at = copy.size(); at-- > 0;) text.push_back(static_cast<std::uint8_t>(3 - copy[at]));
      }
    }
  }
  const IndexedText indexed(text);
  const AlignOptions options;
  std::size_t settled_reads = 0, best = 0, rivals = 0, hidden = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t from = 5000 + rng() % (text.size() - 5000 - length);
    Codes read(text.begin() + static_cast<long>(from), text.begin() + static_cast<long>(from + length));
    for (int error = 0; error < round % 3; ++error) read[rng() % length] = static_cast<std::uint8_t>(rng() % 4);
    Codes reversed(read.rbegin(), read.rend());
    for (std::uint8_t& code : reversed) code = static_cast<std::uint8_t>(3 - code);
    const auto edits = [&](const Codes& strand, std::size_t at) {
      std::uint32_t count = 0;
      for (std::size_t i = 0; i < length; ++i) count += strand[i] != text[at + i] ? 1 : 0;
      return count;
    };
    std::uint32_t least = length;
    for (std::size_t at = 0; at + length <= text.size(); ++at)
      least = std::min({least, edits(read, at), edits(reversed, at)});
    const std::vector<StrandSeed> seeds = indexed.all_seeds(read, options);
    if (length / (least + options.rival_edits) <= options.min_seed) continue;
    ++settled_reads;
    for (const bool reverse : {false, true}) {
      for (std::size_t at = 0; at + length <= text.size(); ++at) {
        const std::uint32_t more = edits(reverse ? reversed : read, at) - least;
        if (more >= options.rival_edits) continue;
        const bool found = std::any_of(seeds.begin(), seeds.end(), [&](const StrandSeed& mine) {
          const std::vector<TextPos> positions = indexed.positions(mine.seed);
          return mine.reverse == reverse &&
                 std::find(positions.begin(), positions.end(), at + mine.seed.begin) != positions.end();
        });
        CAPTURE(length, round, from, least, at, reverse);
        REQUIRE((found || more > 0));
        ++(more == 0 ? best : rivals), hidden += found ? 0 : 1;
      }
    }
  }
  CHECK(settled_reads >= 100);
  CHECK(best > settled_reads);  // some tie
  CHECK(rivals > 50);
  CHECK(hidden == 0);
}
