// ALT contigs: they do not reduce the MAPQ of the primary assembly, and are reported as supplementary.
#include "align/select/alt_contigs.hpp"

#include <algorithm>
#include <fstream>

#include "align/select/rank_core.hpp"
#include "base_world.hpp"
#include "catch.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::index;
using namespace warpseed::records;

Alignment at(GenomePos begin, std::uint32_t query_begin, std::uint32_t query_end, std::int32_t score, bool alt) {
  Alignment alignment;
  alignment.genome_begin = begin, alignment.genome_end = begin + query_end - query_begin;
  alignment.query_begin = query_begin, alignment.query_end = query_end;
  alignment.score = alignment.path_score = score;
  alignment.alt = alt, alignment.contig = alt;
  return alignment;
}

/// The specification in two rounds over indices: by score over all alignments, then by score off ALT only.
struct Rounds {
  std::vector<int> over_all, off_alt;

  Rounds(const std::vector<Alignment>& list, std::uint32_t length) {
    over_all = round(list, length, [](const Alignment&) { return true; });
    off_alt = round(list, length, [](const Alignment& alignment) { return !alignment.alt; });
  }

  template <class Takes>
  static std::vector<int> round(const std::vector<Alignment>& list, std::uint32_t length, Takes takes) {
    std::vector<int> order, winner(list.size(), no_alignment);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (takes(list[i])) order.push_back(static_cast<int>(i));
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      const Alignment &x = list[static_cast<std::size_t>(a)], &y = list[static_cast<std::size_t>(b)];
      return std::tuple(-x.score, x.alt, x.tie, x.genome_begin) < std::tuple(-y.score, y.alt, y.tie, y.genome_begin);
    });
    const auto span = [&](const Alignment& a) {  // on the read as sequenced
      return a.reverse ? std::pair(length - a.query_end, length - a.query_begin)
                       : std::pair(a.query_begin, a.query_end);
    };
    std::vector<int> winners;
    for (const int i : order) {
      const auto [begin, end] = span(list[static_cast<std::size_t>(i)]);
      for (const int w : winners) {
        const auto [other_begin, other_end] = span(list[static_cast<std::size_t>(w)]);
        const double shared = std::max(0.0, double(std::min(end, other_end)) - double(std::max(begin, other_begin)));
        if (shared < 0.5 * double(std::min(end - begin, other_end - other_begin))) continue;
        winner[static_cast<std::size_t>(i)] = w;
        break;
      }
      if (winner[static_cast<std::size_t>(i)] == no_alignment) winners.push_back(i);
    }
    return winner;
  }
};

}  // namespace

TEST_CASE("competitors with ALT contigs: two rounds, over all and off ALT", "[align][alt]") {
  constexpr unsigned seed = 20241121;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  for (int round = 0; round < 3000; ++round) {
    const auto alt_in_ten = rng() % 11;
    std::vector<Alignment> list(rng() % 12);
    for (Alignment& alignment : list) {
      const auto begin = static_cast<std::uint32_t>(rng() % 100),
                 end = begin + 20 + static_cast<std::uint32_t>(rng() % 30);
      alignment =
          at(1000 * (rng() % 1000), begin, end, static_cast<std::int32_t>(30 + rng() % 8), rng() % 10 < alt_in_ten);
      alignment.reverse = rng() % 2 == 1;
      alignment.tie = rng();
    }
    std::sort(list.begin(), list.end(), ranks_before);
    mark_competitors(list.data(), static_cast<std::uint32_t>(list.size()), 150, Scoring{});
    const Rounds wanted(list, 150);

    for (std::size_t i = 0; i < list.size(); ++i) {
      REQUIRE(list[i].alternative_of == wanted.over_all[i]);
      REQUIRE(list[i].secondary_to == (list[i].alt ? wanted.over_all[i] : wanted.off_alt[i]));
      const int over = wanted.over_all[i];
      const bool beaten = !list[i].alt && over != no_alignment && list[static_cast<std::size_t>(over)].alt;
      REQUIRE(list[i].alt_score == (beaten ? list[static_cast<std::size_t>(over)].score : 0));
      std::int32_t second = 0;
      for (std::size_t j = 0; j < list.size(); ++j) {
        const auto& winner = list[i].alt ? wanted.over_all : wanted.off_alt;
        if (winner[j] == static_cast<int>(i)) second = std::max(second, list[j].score);
      }
      REQUIRE(list[i].second_score == second);
    }
  }
}

TEST_CASE("a better ALT alignment does not reduce the MAPQ of the primary one", "[align][alt]") {
  Alignment list[] = {at(5000, 0, 150, 140, false), at(90000, 0, 150, 120, false), at(100, 0, 150, 150, true),
                      at(8000, 0, 150, 145, true)};
  mark_competitors(list, 4, 150, Scoring{});
  CHECK(list[0].secondary_to == no_alignment);
  CHECK(list[0].second_score == 120);
  CHECK(list[0].alternative_of == 2);
  CHECK(list[0].alt_score == 150);
  CHECK(list[1].secondary_to == 0);
  CHECK(list[2].secondary_to == no_alignment);
  CHECK(list[2].second_score == 145);
  CHECK(list[3].secondary_to == 2);
}

TEST_CASE("a chain on an ALT contig dominates none off it", "[align][alt]") {
  Chain weak, strong;
  weak.query_end = strong.query_end = 150;
  weak.query_cover = weak.genome_cover = 30, weak.score = 40;
  strong.query_cover = strong.genome_cover = 150, strong.score = 150;
  const AlignOptions options;
  CHECK(dominated(weak, strong, options));
  strong.alt = true;
  CHECK_FALSE(dominated(weak, strong, options));
  weak.alt = true;
  CHECK(dominated(weak, strong, options));
}

TEST_CASE("many ALT chains do not displace those off ALT", "[align][alt]") {
  AlignOptions options;
  options.max_chains = 4;
  std::vector<Chain> chains(20);
  for (std::size_t i = 0; i < chains.size(); ++i) {
    chains[i].query_end = chains[i].query_cover = chains[i].genome_cover = 100;
    chains[i].genome_begin = 1000 * i;
    chains[i].alt = i < 14;
  }
  const auto score_of = [](const Chain& chain) { return chain.alt ? 100 : 90; };  // the ALT ones are better
  const std::uint32_t kept = filter_chains(chains.data(), 20, 100, options, score_of, [](const Chain&) {});
  chains.resize(kept);
  CHECK(kept == 8);
  CHECK(std::count_if(chains.begin(), chains.end(), [](const Chain& chain) { return chain.alt; }) == 4);
}

TEST_CASE("reads of an ALT contig: primary record off it, a supplementary one on it", "[align][alt]") {
  std::mt19937 rng(7);
  const std::string chromosome = test::random_bases(20000, rng);
  const std::string only_alt = test::random_bases(1000, rng);
  std::vector<std::size_t> differences;
  for (std::size_t i = 50; i < 6000; i += 100) differences.push_back(i);
  const std::string alt = test::changed(chromosome.substr(8000, 6000), differences) + only_alt;
  const test::BaseWorld world({{"chr", chromosome}, {"chr_alt", alt}});
  const std::vector<std::uint8_t> flags = {0, 1};
  AlignOptions options;
  options.alt_contigs = std::span(flags);

  SECTION("from the ALT contig, two differences from the primary assembly") {
    const ReadRecords records = world.align({alt.substr(1000, 200)}, false, options).front();
    REQUIRE(records.size() == 2);
    CHECK(records[0].contig == 0);
    CHECK(records[0].position == 9000);
    CHECK(records[0].flag == 0);
    CHECK(records[0].mapq == 60);
    CHECK(records[0].score == 190);
    CHECK(records[0].second_score == 0);
    CHECK(records[0].share_of_alt == 0.95F);
    CHECK(records[0].alternatives.empty());
    CHECK(records[0].split.starts_with("chr_alt,1001,+,200M,"));
    CHECK(records[1].flag == records::sam_flag::supplementary);
    CHECK(records[1].contig == 1);
    CHECK(records[1].position == 1000);
    CHECK(records[1].second_score == 190);
    CHECK(records[1].share_of_alt < 0);
    CHECK(records[1].split == "chr,9001,+,200M,60,2;");
    CHECK(records[1].alternatives == "chr,+9001,200M,2;");
  }
  SECTION("from the primary assembly: the ALT place is an alternative") {
    const ReadRecords records =
        world.align({test::reverse_complement(chromosome.substr(9000, 200))}, false, options).front();
    REQUIRE(records.size() == 1);
    CHECK(records[0].mapq == 60);
    CHECK(records[0].alternatives == "chr_alt,-1001,200M,2;");
    CHECK(records[0].share_of_alt < 0);
  }
  SECTION("equal on both: the primary assembly's, and sure") {
    const ReadRecords records = world.align({chromosome.substr(9055, 90)}, false, options).front();
    REQUIRE(records.size() == 1);
    CHECK(records[0].contig == 0);
    CHECK(records[0].mapq == 60);
    CHECK(records[0].alternatives == "chr_alt,+1056,90M,0;");
  }
  SECTION("what only the ALT contig has lies there, as the primary record") {
    const ReadRecords records = world.align({only_alt.substr(300, 150)}, false, options).front();
    REQUIRE(records.size() == 1);
    CHECK(records[0].contig == 1);
    CHECK(records[0].flag == 0);
    CHECK(records[0].mapq == 60);
  }
  SECTION("an ALT record keeps its bases: soft clips") {
    const std::string other = alt[999] == 'A' ? "C" : "A";
    const ReadRecords records =
        world.align({std::string(39, 'A') + other + alt.substr(1000, 200)}, false, options).front();
    REQUIRE(records.size() == 2);
    CHECK(cigar_text(records[1].cigar) == "40S200M");
  }
  SECTION("pairs are made off the ALT contig") {
    std::vector<std::string> reads;
    for (std::size_t i = 0; i < 60; ++i) {
      const std::size_t from = 300 + 50 * i;
      reads.push_back(alt.substr(from, 120)),
          reads.push_back(test::reverse_complement(alt.substr(from + 180 + i % 9, 120)));
    }
    const auto all = world.align(reads, true, options);
    for (std::size_t i = 0; i < all.size(); ++i) {
      CAPTURE(i);
      REQUIRE(all[i].size() == 2);
      CHECK(all[i][0].contig == 0);
      CHECK((all[i][0].flag & records::sam_flag::proper_pair) != 0);
      CHECK(all[i][0].mapq >= 50);
      CHECK(all[i][0].mate_contig == 0);
      CHECK(all[i][1].contig == 1);
      CHECK((all[i][1].flag & records::sam_flag::supplementary) != 0);
      CHECK(all[i][1].mate_contig == 0);
    }
  }
  SECTION("without the list both are places like others") {
    const ReadRecords records = world.align({chromosome.substr(9055, 90)}).front();
    CHECK(records[0].mapq == 0);
  }
}

TEST_CASE("a list of ALT contigs is read in bwa-kit's format", "[align][alt]") {
  const test::BaseWorld world({{"chr1", std::string(200, 'A')}, {"x_alt", std::string(200, 'C')}, {"y", "ACGTACGT"}});
  const auto read = [&](const std::string& text) {
    const std::string path = world.folder.file("list.alt");
    std::ofstream(path) << text;
    return read_alt_contigs(path, *world.index);
  };
  const AltContigs alt =
      read("@SQ\tSN:chr1\nx_alt\t0\tchr1\t1\t60\t200M\n\nx_alt\t2048\tchr1\r\nnot_there\t4\nnot_there\ny");
  CHECK(alt.flags == std::vector<std::uint8_t>{0, 1, 1});
  CHECK(alt.count == 2);
  CHECK(alt.unknown == 1);
  CHECK(read("").flags == std::vector<std::uint8_t>{0, 0, 0});
  const auto message = [&](const std::string& text) -> std::string {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message("@HD\n>chr1\nACGT\n").find("list.alt:2: no list of ALT contigs") != std::string::npos);
  CHECK(message("x_alt\n\tchr1\n").find("list.alt:2: ") != std::string::npos);
  CHECK(message("x_alt and more\n").find("list.alt:1: ") != std::string::npos);
  CHECK_THROWS_AS(read_alt_contigs(world.folder.file("none.alt"), *world.index), InputError);
}

TEST_CASE("the default name of an index's ALT list", "[align][alt]") {
  CHECK(default_alt_list_path("a/ref.fa.wsi") == "a/ref.fa.alt");
  CHECK(default_alt_list_path("index") == "index.alt");
}
