#include "overlap/pairs/pair_table.hpp"

#include <map>
#include <random>
#include <sstream>

#include "catch.hpp"
#include "core/gzip_files.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "overlap/region_helpers.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::overlap;
using namespace warpseed::text;

namespace {

const text::SequenceList targets =
    test::sequences_of("chr", {1, 99'999'999, 12'345'678'901, 1000, 20'000, 100'000'000});
const text::SequenceList queries = test::sequences_of("q", {30'000'000'000, 7, 10, 10'000, 9'999'999'999'999'999});

StrandPosition random_position(const text::SequenceList& list, std::mt19937_64& rng) {
  const auto sequence = static_cast<std::uint32_t>(rng() % list.sequences.size());
  const std::uint64_t length = list.sequences[sequence].length;
  return {rng() % std::min(length, std::uint64_t{1} << rng() % 54), sequence, rng() % 2 == 0};
}

std::vector<StrandPositionPair> random_pairs(std::size_t count, std::mt19937_64& rng) {
  std::vector<StrandPositionPair> pairs(count);
  for (StrandPositionPair& pair : pairs) pair = {random_position(targets, rng), random_position(queries, rng)};
  return pairs;
}

std::string line_of(const StrandPositionPair& pair) {
  std::ostringstream out;
  out << targets.sequences[pair.target.sequence].name << '\t' << pair.target.position << '\t'
      << "+-"[pair.target.reverse] << '\t' << queries.sequences[pair.query.sequence].name << '\t' << pair.query.position
      << '\t' << "+-"[pair.query.reverse];
  return out.str();
}

std::vector<StrandPositionPair> read_all(PairTableReader& reader) {
  std::vector<StrandPositionPair> all;
  PairBlock block;
  while (reader.read(block)) {
    reader.parse(block);
    reader.accept(block);
    all.insert(all.end(), block.pairs.begin(), block.pairs.end());
  }
  CHECK_FALSE(reader.read(block));
  return all;
}

std::vector<StrandPositionPair> read_all(const std::string& path, std::uint64_t block = 1 << 20) {
  PairTableReader reader(path, targets, queries, Strands::both, block);
  return read_all(reader);
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("a written table of pairs reads back the same", "[overlap][pair_table]") {
  const std::size_t count = GENERATE(0U, 1U, 2U, 64U, 65U, 20'000U);
  const std::uint64_t block = GENERATE(1U, 37U, 4096U, 1U << 22);  // with the last one, blocks grow
  const bool crlf = GENERATE(false, true);
  std::mt19937_64 rng(count + block);
  CAPTURE(count, block, crlf);

  const std::vector<StrandPositionPair> pairs = random_pairs(count, rng);
  const std::string line_end = crlf ? "\r\n" : "\n";
  std::string table = "# made by hand" + line_end + line_end;
  if (count % 2 == 0) table += "target\tposition\tstrand\tquery\tposition\tstrand" + line_end;
  for (const StrandPositionPair& pair : pairs) {
    if (rng() % 16 == 0) table += std::string(rng() % 2, '#') + line_end;
    table += line_of(pair) + line_end;
  }
  if (rng() % 2 == 0 && count > 0) table.resize(table.size() - line_end.size());

  const test::TempFolder folder;
  CHECK(read_all(folder.write("pairs.tsv", table), block) == pairs);
}

TEST_CASE("a table may be compressed and longer than its blocks", "[overlap][pair_table]") {
  std::mt19937_64 rng(11);
  const std::vector<StrandPositionPair> pairs = random_pairs(60'000, rng);  // more than 2 MB
  std::string table;
  for (const StrandPositionPair& pair : pairs) table += line_of(pair) + "\n";
  const test::TempFolder folder;
  CHECK(read_all(folder.write("pairs.tsv.gz", test::compress(table, "w"))) == pairs);
}

TEST_CASE("names of any length are distinguished", "[overlap][pair_table]") {
  text::SequenceList many;
  for (std::size_t i = 0; i < 300; ++i) {  // many are prefixes of others or differ in one character
    std::string name(1 + i % 40, i % 3 == 0 ? 'a' : 'b');
    if (i >= 120) name[i % name.size()] = static_cast<char>('c' + i / 60);
    many.sequences.push_back({name, 1 + i, 0});
  }
  const SequenceNames names(many);
  std::map<std::string, std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 300; ++i) expected.emplace(many.sequences[i].name, i);
  for (const auto& [name, number] : expected) {
    CHECK(names.find(name) == number);
    CHECK((names.find(name + "z") == SequenceNames::unknown));
  }
  CHECK((names.find("") == SequenceNames::unknown));
  CHECK((SequenceNames(text::SequenceList{}).find("a") == SequenceNames::unknown));

  std::mt19937_64 rng(8);
  std::string table;
  std::vector<StrandPositionPair> pairs;
  StrandPosition target, query;
  for (int i = 0; i < 20'000; ++i) {
    if (rng() % 3 == 0) target.sequence = expected.at(many.sequences[rng() % 300].name);
    if (rng() % 3 == 0) query.sequence = expected.at(many.sequences[rng() % 300].name);
    target.position = rng() % many.sequences[target.sequence].length;
    query.position = rng() % many.sequences[query.sequence].length;
    pairs.push_back({target, query});
    table += many.sequences[target.sequence].name + '\t' + std::to_string(target.position) + "\t+\t" +
             many.sequences[query.sequence].name + '\t' + std::to_string(query.position) + "\t+\n";
  }
  const test::TempFolder folder;
  PairTableReader reader(folder.write("pairs.tsv", table), many, many);
  CHECK(read_all(reader) == pairs);
}

TEST_CASE("errors in a table are reported with their line", "[overlap][pair_table]") {
  struct Case {
    std::string line, says;
  };
  const Case bad = GENERATE(
      Case{"chr_1\t5\t+\tq_1\t5", "5 columns; six are needed"}, Case{"chr_1", "1 column; six"},
      Case{"chr_1\t5\t+\tq_1\t5\t+\t", "7 columns; six"}, Case{"chr9\t5\t+\tq_1\t5\t+", "targets is called \"chr9\""},
      Case{"chr_1\t5\t+\tchr_1\t5\t+", "queries is called \"chr_1\""}, Case{"\t5\t+\tq_1\t5\t+", "is called \"\""},
      Case{"chr___3\t1000\t+\tq_1\t5\t+", "position \"1000\" is beyond the end of \"chr___3\", which has 1000 bases"},
      Case{"chr_1\t5\t+\tq_1\t7\t+", "position \"7\" is beyond"},
      Case{"chr_1\t99999999999999999999999\t+\tq_1\t5\t+", "is beyond the end of \"chr_1\""},
      Case{"chr_1\t00000000000000005\t+\tq_1\t5\t+", "more than 16 digits"},
      Case{"chr_1\t-5\t+\tq_1\t5\t+", "position \"-5\" is not a whole number"},
      Case{"chr_1\t5.0\t+\tq_1\t5\t+", "position \"5.0\" is not"},
      Case{"chr_1\t\t+\tq_1\t5\t+", "position \"\" is not"},
      Case{"chr_1\t5\t.\tq_1\t5\t+", "strand \".\" is neither + nor -"},
      Case{"chr_1\t5\t+\tq_1\t5\t-x", "strand \"-x\" is neither"}, Case{"chr_1\t5\t+\tq_1\t5\t ", "strand \" \" is"},
      Case{std::string("chr_1\0\1\t5\t+\tq_1\t5\t+", 20), "is called \"chr_1??\""},
      Case{"a\tb\tc\td\te\tf", "is called \"a\""});  // only the first line can be a header
  const std::size_t before = GENERATE(1U, 400U);
  const std::uint64_t block = GENERATE(64U, 1U << 20);
  CAPTURE(bad.line, before, block);
  const std::string good = "chr_1\t5\t+\tq_1\t5\t+\n";
  std::string table;
  for (std::size_t i = 0; i < before; ++i) table += good;
  table += bad.line + "\n" + good + "worse\n";
  const test::TempFolder folder;
  const std::string path = folder.write("pairs.tsv", table);
  const std::string message = test::message_of<InputError>([&] { read_all(path, block); });
  CHECK(message.starts_with(path + ":" + std::to_string(before + 1) + ": "));
  CHECK(contains(message, bad.says));
}

TEST_CASE("the first of several wrong lines is reported", "[overlap][pair_table]") {
  std::string table;
  for (int i = 0; i < 100'000; ++i) table += i % 30'000 == 29'999 ? "bad\n" : "# c\nchr_1\t5\t+\tq_1\t5\t+\n";
  const test::TempFolder folder;
  const std::string path = folder.write("pairs.tsv", table);
  CHECK(test::message_of<InputError>([&] { read_all(path); }).starts_with(path + ":59999: 1 column"));
}

TEST_CASE("a strand that is not searched is rejected with its line", "[overlap][pair_table]") {
  const test::TempFolder folder;
  const std::string path = folder.write("pairs.tsv", "chr_1\t5\t+\tq_1\t5\t+\nchr_1\t5\t+\tq_1\t5\t-\n");
  CHECK(read_all(path).size() == 2);
  PairTableReader reader(path, targets, queries, Strands::forward);
  CHECK(test::message_of<InputError>([&] { read_all(reader); }).starts_with(path + ":2: a position on strand -"));
}

TEST_CASE("binary data and lines without end are rejected", "[overlap][pair_table]") {
  const test::TempFolder folder;
  const std::string path = folder.write("pairs.tsv", std::string(3 << 20, '\0'));
  CHECK(contains(test::message_of<InputError>([&] { read_all(path, 1000); }), ":1: the line has more than "));
  CHECK_THROWS_AS(PairTableReader(folder.file("none.tsv"), targets, queries), InputError);
}

TEST_CASE("answers are the table with a length column", "[overlap][pair_table]") {
  const std::size_t count = GENERATE(0U, 1U, 63U, 64U, 65U, 40'000U);
  std::mt19937_64 rng(count);
  const std::vector<StrandPositionPair> pairs = random_pairs(count, rng);
  std::vector<std::uint64_t> lengths(count);
  std::string expected, out;
  for (std::size_t i = 0; i < count; ++i) {
    lengths[i] = rng() >> rng() % 64;
    expected += line_of(pairs[i]) + '\t' + std::to_string(lengths[i]) + '\n';
  }
  const PairFormat format(targets, queries);
  format.append(pairs, lengths, out);
  CHECK(out == expected);
  CHECK(format.header() == "#target\ttarget_position\ttarget_strand\tquery\tquery_position\tquery_strand\tlength\n");
  lengths.push_back(1);
  CHECK_THROWS_AS(format.append(pairs, lengths, out), std::invalid_argument);
}
