// Sources that go on where another one has stopped.
#include "catch.hpp"
#include "core/gzip_files.hpp"
#include "message_of.hpp"
#include "reads/helpers.hpp"
#include "reads/lanes.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::reads;
using test::compress;
using test::Read;

namespace {

struct Taken {
  std::vector<Read> reads;
  std::vector<std::uint64_t> singles;
  bool operator==(const Taken&) const = default;
};

void take(ReadSource& source, std::uint64_t count, ReadBatch& batch, Taken& taken) {
  if (!source.next(batch, count)) return;
  for (const std::uint64_t single : batch.singles()) taken.singles.push_back(taken.reads.size() + single);
  for (std::uint64_t i = 0; i < batch.size(); ++i) taken.reads.emplace_back(batch[i]);
}

Taken rest_of(ReadSource& source, std::uint64_t count) {
  Taken taken;
  ReadBatch batch;
  std::size_t before = 0;
  do {
    before = taken.reads.size();
    take(source, count, batch, taken);
  } while (taken.reads.size() > before);
  return taken;
}

/// Reads `count` at a time; at every border, what a second source reads from there on must be what the first one does.
void check_borders(const std::vector<Lane>& lanes, std::uint64_t count) {
  const auto source = open_lanes(lanes);
  ReadBatch batch;
  std::size_t borders = 0;
  for (Taken taken;; taken = {}, ++borders) {
    take(*source, count, batch, taken);
    if (taken.reads.empty()) break;
    const std::optional<SourcePosition> position = source->position();
    if (!position) {
      CHECK(rest_of(*source, count).reads.empty());
      break;
    }
    const auto again = open_lanes_at(lanes, *position), reference = open_lanes(lanes);
    Taken before;
    for (std::size_t i = 0; i <= borders; ++i) take(*reference, count, batch, before);
    CAPTURE(borders, position->lane, position->files.size());
    CHECK(again->paired() == source->paired());
    CHECK(rest_of(*again, count) == rest_of(*reference, count));
  }
  CHECK(borders >= 3);
}

std::string text_of(const std::vector<Read>& reads, std::uint64_t first, std::uint64_t step, bool fasta) {
  std::string text;
  for (std::uint64_t i = first; i < reads.size(); i += step) {
    if (fasta) {
      const std::size_t half = reads[i].bases.size() / 2;
      text += ">" + reads[i].name + "\r\n" + reads[i].bases.substr(0, half) + "\n" + reads[i].bases.substr(half) + "\n";
    } else {
      text += "@" + reads[i].name + "\n" + reads[i].bases + "\n+\n" + reads[i].qualities + "\n";
    }
  }
  return text;
}

std::vector<Read> some_reads(std::uint64_t count, std::uint64_t of_a_name) {
  std::mt19937 rng(8);
  std::vector<Read> reads;
  for (std::uint64_t i = 0; i < count; ++i) {
    reads.push_back(test::random_read("read" + std::to_string(i / of_a_name), 150, rng));
    reads.back().comment.clear();
  }
  return reads;
}

}  // namespace

TEST_CASE("a source goes on where another one has stopped", "[reads][source]") {
  const test::TempFolder folder;
  const char* const mode = GENERATE("wu", "w", "wg");
  const bool fasta = GENERATE(false, true);
  const std::uint64_t count = GENERATE(20, 58);
  CAPTURE(mode, fasta, count);
  const std::vector<Read> reads = some_reads(240, 2);
  const auto write = [&](const std::string& name, const std::string& text) {
    return folder.write(name, std::string_view(mode) == "wu" ? text : compress(text, mode));
  };
  const std::string all = write("all", text_of(reads, 0, 1, fasta));
  SECTION("single reads") {
    check_borders({{{all, ""}, ""}}, count);
  }
  SECTION("interleaved") {
    check_borders({{{all, "", true}, ""}}, count);
  }
  const std::string one = write("one", text_of(reads, 0, 2, fasta)), two = write("two", text_of(reads, 1, 2, fasta));
  SECTION("two files") {
    check_borders({{{one, two}, ""}}, count);
  }
  SECTION("lanes") {
    const std::vector<Read> others = some_reads(50, 2);
    const std::string three = write("three", text_of(others, 0, 2, fasta)),
                      four = write("four", text_of(others, 1, 2, fasta));
    const std::string none = write("none", "");
    check_borders({{{three, four}, "@RG\tID:a"}, {{none, write("no mates", "")}, ""}, {{one, two}, "@RG\tID:b"}},
                  count);
  }
  SECTION("pairs and single reads") {
    std::vector<Read> mixed;
    std::mt19937 rng(3);
    for (const Read& read : reads) {
      if (rng() % 4 != 0) mixed.push_back(read);
    }
    ReadInput input = {write("mixed", text_of(mixed, 0, 1, fasta)), "", true};
    input.with_singles = true;
    check_borders({{input, ""}}, count);
  }
}

TEST_CASE("lines are counted from the beginning of the file", "[reads][source]") {
  const test::TempFolder folder;
  const std::string text = text_of(some_reads(30, 1), 0, 1, false);
  const std::vector<Lane> lanes = {{{folder.write("reads", text + "@last\nAC\n+\nI\n"), ""}, ""}};
  const auto source = open_lanes(lanes);
  ReadBatch batch;
  REQUIRE(source->next(batch, 20));
  const auto again = open_lanes_at(lanes, *source->position());
  CHECK(test::message_of<InputError>([&] { rest_of(*again, 5); }).find(":124: read 'last'") != std::string::npos);
}
