// Pairs and single reads in one file: names decide which are mates, wherever batches and lanes end.
#include <fmt/format.h>

#include <functional>

#include "catch.hpp"
#include "message_of.hpp"
#include "reads/helpers.hpp"
#include "reads/lanes.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::reads;

namespace {

/// Reads with the names of random pairs and singles, some of them in runs of one name.
std::vector<std::string> random_names(std::uint64_t units, unsigned singles_in_ten, std::mt19937& rng) {
  std::vector<std::string> names;
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    const bool again = rng() % 9 == 0 && !names.empty();
    const std::string name = again ? names.back() : fmt::format("r{}", unit);
    names.insert(names.end(), rng() % 10 < singles_in_ten ? 1 : 2, name);
  }
  return names;
}

/// By the rule: of the reads of one name in a row, an odd number's last one is single.
std::vector<bool> single_by_rule(const std::vector<std::string>& names) {
  std::vector<bool> single;
  for (std::size_t begin = 0, end = 0; begin < names.size(); begin = end) {
    while (end < names.size() && names[end] == names[begin]) ++end;
    single.insert(single.end(), (end - begin) / 2 * 2, false);
    if ((end - begin) % 2 != 0) single.push_back(true);
  }
  return single;
}

std::string fastq(const std::vector<std::string>& names, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i)
    text += fmt::format("@{}{}\nACGTN\n+\nIIIII\n", names[i], i % 2 ? "/2" : "");
  return text;
}

std::string sam(const std::vector<std::string>& names) {
  std::string text = "@HD\tVN:1.6\tSO:unsorted\n";
  for (const std::string& name : names) text += name + "\t4\t*\t0\t0\t*\t*\t0\t0\tACGTN\tIIIII\n";
  return text;
}

ReadInput mixed(const std::string& path) {
  ReadInput input;
  input.path1 = path;
  input.interleaved = input.with_singles = true;
  return input;
}

struct Result {
  std::vector<std::string> names;
  std::vector<bool> single;
  std::vector<std::uint64_t> ends;  // of batches
};

/// Asks for `count` reads, or one less where the batch before has one more, as a run of `align` does.
Result all_of(ReadSource& source, const std::function<std::uint64_t()>& next_count) {
  Result result;
  ReadBatch batch;
  CHECK(source.paired());
  for (std::uint64_t one_more = 0, count = next_count(); source.next(batch, count - one_more); count = next_count()) {
    one_more = batch.size() > count - one_more ? 1 : 0;
    const std::size_t first = result.names.size();
    for (std::uint64_t i = 0; i < batch.size(); ++i) result.names.emplace_back(batch[i].name);
    result.single.resize(result.names.size());
    for (const std::uint64_t i : batch.singles()) result.single[first + i] = true;
    result.ends.push_back(result.names.size());
  }
  CHECK(batch.empty());
  CHECK_FALSE(source.next(batch, 10));
  return result;
}

}  // namespace

TEST_CASE("adjacent reads of one name are mates, all others are single", "[reads][mixed]") {
  const bool records = GENERATE(false, true);
  const std::uint64_t count = GENERATE(2, 3, 8, 64, 1000000);
  const unsigned singles_in_ten = GENERATE(0U, 1U, 9U, 10U), seed = 71 + singles_in_ten;
  CAPTURE(records, count, singles_in_ten, seed);
  std::mt19937 rng(seed);
  const std::vector<std::string> names = random_names(500, singles_in_ten, rng);
  const test::TempFolder folder;
  const std::string path = folder.write("in", records ? sam(names) : fastq(names, 0, names.size()));
  const std::vector<bool> single = single_by_rule(names);
  const Result result = all_of(*open_reads(mixed(path)), [&] { return count; });
  CHECK(result.names == names);
  CHECK(result.single == single);
  // Batches end at multiples, or one read later after a pair.
  REQUIRE(result.ends.size() >= (names.size() + count - 1) / count - 1);
  for (std::size_t i = 0; i + 1 < result.ends.size(); ++i) {
    const std::uint64_t end = (i + 1) * count;
    const bool parts_mates = std::count(single.begin(), single.begin() + static_cast<long>(end), false) % 2 != 0;
    REQUIRE(result.ends[i] == end + (parts_mates ? 1 : 0));
  }
}

TEST_CASE("the number of reads asked for may change among pairs and single reads", "[reads][mixed]") {
  const unsigned seed = GENERATE(1U, 2U, 3U);
  CAPTURE(seed);
  std::mt19937 rng(seed);
  const std::vector<std::string> names = random_names(800, 2, rng);
  const test::TempFolder folder;
  const auto source = open_reads(mixed(folder.write("in.fq", fastq(names, 0, names.size()))));
  const Result result = all_of(*source, [&] { return 2 + rng() % 80; });
  CHECK(result.names == names);
  CHECK(result.single == single_by_rule(names));
}

TEST_CASE("mates are in one lane, and batches go on across lanes", "[reads][mixed]") {
  const std::uint64_t count = GENERATE(4, 7, 100);
  CAPTURE(count);
  std::mt19937 rng(74);
  std::vector<std::string> names, wanted_names;
  std::vector<bool> wanted;
  const test::TempFolder folder;
  std::vector<Lane> lanes;
  for (const std::uint64_t units : {30, 0, 1, 40}) {
    names = random_names(units, 3, rng);
    if (!wanted_names.empty() && units > 0) names.insert(names.begin(), wanted_names.back());  // no mate of that one
    const std::vector<bool> single = single_by_rule(names);
    wanted_names.insert(wanted_names.end(), names.begin(), names.end());
    wanted.insert(wanted.end(), single.begin(), single.end());
    const std::string path = folder.write(fmt::format("{}.fq", lanes.size()), fastq(names, 0, names.size()));
    lanes.push_back({mixed(path), {}});
  }
  const Result result = all_of(*open_lanes(lanes), [&] { return count; });
  CHECK(result.names == wanted_names);
  CHECK(result.single == wanted);
  for (std::size_t i = 0; i + 1 < result.ends.size(); ++i) {
    REQUIRE(result.ends[i] >= (i + 1) * count);
    REQUIRE(result.ends[i] <= (i + 1) * count + 1);
  }
}

TEST_CASE("an error among pairs and single reads is reported", "[reads][mixed]") {
  const test::TempFolder folder;
  const std::string path = folder.write("in.fq", "@a\nA\n+\nI\n@a\nA\n+\nI\n@b\nA\n+\nI\n@b\nA\n-\n");
  const std::uint64_t count = GENERATE(2, 3, 100);
  const auto read = [&] {
    const auto source = open_reads(mixed(path));
    ReadBatch batch;
    while (source->next(batch, count)) {
    }
  };
  CHECK(test::message_of<InputError>(read).starts_with(path + ":15: read 'b'"));
}

TEST_CASE("records: flags give the order of mates, and a sorted file's reads have their mates elsewhere",
          "[reads][mixed]") {
  const auto line = [](const std::string& name, unsigned flag, const std::string& bases) {
    return fmt::format("{}\t{}\t*\t0\t0\t*\t*\t0\t0\t{}\t{}\n", name, flag, bases, std::string(bases.size(), 'I'));
  };
  const test::TempFolder folder;
  const auto bases_in = [&](const std::string& text) {
    std::string bases;
    ReadBatch batch;
    open_reads(mixed(folder.write("in.sam", text)))->next(batch, 100);
    for (std::uint64_t i = 0; i < batch.size(); ++i) bases += std::string(batch[i].bases) + " ";
    for (const std::uint64_t i : batch.singles()) bases += std::to_string(i) + " ";
    return bases;
  };
  // An orphan, a pair with its second mate first, a supplementary record between two mates, a single read.
  const std::string reads = line("o", 77, "AAAA") + line("p/2", 141, "CC") + line("p/1", 77, "GG") +
                            line("q", 77, "TT") + line("q", 0x881, "T") + line("q", 141, "AC") + line("s", 4, "GT");
  CHECK(bases_in(reads) == "AAAA GG CC TT AC GT 0 5 ");
  CHECK(bases_in("@HD\tVN:1.6\tSO:queryname\n" + reads) == "AAAA GG CC TT AC GT 0 5 ");
  const auto message = [&](const std::string& text) { return test::message_of<InputError>([&] { bases_in(text); }); };
  CHECK(message("@HD\tVN:1.6\tSO:coordinate\n" + reads).find("the file is sorted by coordinate") != std::string::npos);
  CHECK(bases_in("@HD\tVN:1.6\tSO:coordinate\n" + line("s", 4, "GT") + line("t", 4, "AC")) == "GT AC 0 1 ");
  CHECK(message(line("p", 77, "CC") + line("p", 77, "CC")).find("the same flag") != std::string::npos);
}
