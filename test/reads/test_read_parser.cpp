// FASTQ and FASTA against the reads written to the files, with all kinds of block boundaries.
#include <fmt/format.h>

#include "catch.hpp"
#include "reads/helpers.hpp"
#include "reads/read_parser.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::reads;
using test::Read;

namespace {

constexpr std::uint64_t one_piece = std::uint64_t{1} << 40;  // so that no record is looked for in pieces

std::vector<Read> parse(const std::string& text, std::uint64_t block_bytes, std::uint64_t piece_bytes = one_piece) {
  ReadParser parser(std::make_unique<test::MemorySource>(text), "reads", block_bytes, MateNumbers::cut, piece_bytes);
  ReadPortion portion;
  parser.fill(portion, {});
  REQUIRE(!portion.error);
  std::vector<Read> reads;
  for (std::uint64_t i = 0; i < portion.reads.size(); ++i) reads.emplace_back(portion.reads[i]);
  return reads;
}

std::string header_of(const Read& read, char mark, const std::string& suffix) {
  return mark + read.name + suffix + (read.comment.empty() ? "" : " " + read.comment);
}

std::string fastq(const std::vector<Read>& reads, const std::string& line_end, const std::string& suffix) {
  std::string text;
  for (const Read& read : reads) {
    text +=
        header_of(read, '@', suffix) + line_end + read.bases + line_end + "+" + line_end + read.qualities + line_end;
  }
  return text;
}

std::vector<Read> random_reads(std::uint64_t count, std::uint64_t longest, std::mt19937& rng) {
  std::vector<Read> reads;
  for (std::uint64_t i = 0; i < count; ++i) {
    reads.push_back(test::random_read("read:" + std::to_string(i), longest, rng));
  }
  return reads;
}

/// Records of four lines, now and then of more, with IUPAC codes, or with qualities that look like other lines.
std::string all_kinds_of_fastq(std::uint64_t count, std::mt19937& rng) {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) {
    Read read = test::random_read("read" + std::to_string(i), 120, rng);
    const auto line_end = [&] { return rng() % 30 == 0 ? "\r\n" : "\n"; };
    if (rng() % 4 == 0) read.qualities = test::random_text(read.bases.size(), "@+A", rng);
    if (rng() % 20 == 0 && !read.bases.empty()) read.bases[rng() % read.bases.size()] = 'R';
    const std::string middle = rng() % 30 == 0 ? line_end() : "";
    const auto add_line = [&](const std::string& line) {
      const std::size_t half = line.size() / 2;
      text += line.size() < 4 ? line : line.substr(0, half) + middle + line.substr(half);
      text += line_end();
    };
    text += header_of(read, '@', "/1") + line_end();
    add_line(read.bases);
    text += (rng() % 3 == 0 ? "+" + read.name : "+") + line_end();
    add_line(read.qualities);
  }
  return text;
}

/// Replaces a character, of each second text one at the begin of a name.
void damage(std::string& text, std::mt19937& rng) {
  std::size_t at = rng() % text.size();
  if (rng() % 2 == 0) at = std::min(text.find("\n@", at), text.size() - 3) + 2;
  text[at] = "\n\r@+A \tx!\x7f"[rng() % 10];
}

/// Everything that a parser returns, as text.
std::string parsed(const std::string& text, std::uint64_t block_bytes, std::uint64_t piece_bytes,
                   const PortionLimits& limits) {
  ReadParser parser(std::make_unique<test::MemorySource>(text), "reads", block_bytes, MateNumbers::cut, piece_bytes);
  ReadPortion portion;
  std::string all;
  do {
    parser.fill(portion, limits);
    REQUIRE((portion.lines.size() == portion.reads.size() && portion.offsets.size() == portion.reads.size()));
    for (std::uint64_t i = 0; i < portion.reads.size(); ++i) {
      const ReadView read = portion.reads[i];
      all += fmt::format("{} {} {} {} {} {}\n", portion.lines[i], portion.offsets[i], read.name, read.comment,
                         read.bases, read.qualities);
    }
    all += fmt::format("portion to line {} at {}\n", portion.end.lines, portion.end.bytes.offset);
  } while (!portion.reads.empty() && !portion.error);
  try {
    if (portion.error) std::rethrow_exception(portion.error);
  } catch (const InputError& error) {
    all += error.what();
  }
  return all;
}

}  // namespace

TEST_CASE("FASTQ reads equal those written", "[reads][parser]") {
  const std::uint64_t block_bytes = GENERATE(1, 2, 3, 7, 64, 1000, 1 << 20);
  const std::string line_end = GENERATE("\n", "\r\n");
  const std::string suffix = GENERATE("", "/1", "/2");
  const std::uint64_t piece_bytes =
      GENERATE(as<std::uint64_t>{}, 1, 100, 1000, PlainRecords::default_piece_bytes, one_piece);
  const unsigned seed = 11;
  CAPTURE(block_bytes, line_end, suffix, piece_bytes, seed);

  std::mt19937 rng(seed);
  const std::vector<Read> reads = random_reads(60, 120, rng);
  const std::string text = fastq(reads, line_end, suffix);
  CHECK(parse(text, block_bytes, piece_bytes) == reads);
  CHECK(parse(text + line_end + line_end, block_bytes, piece_bytes) == reads);
  CHECK(parse(text.substr(0, text.size() - line_end.size()), block_bytes, piece_bytes) == reads);
}

TEST_CASE("FASTA lines are joined", "[reads][parser]") {
  const std::uint64_t block_bytes = GENERATE(1, 2, 5, 64, 1 << 20);
  const std::string line_end = GENERATE("\n", "\r\n");
  const std::uint64_t width = GENERATE(1, 10, 1000);
  CAPTURE(block_bytes, line_end, width);

  std::mt19937 rng(12);
  std::vector<Read> reads = random_reads(40, 120, rng);
  std::string text;
  for (Read& read : reads) {
    read.qualities.clear();
    text += header_of(read, '>', "/1") + line_end;
    for (std::uint64_t at = 0; at < read.bases.size(); at += width) {
      text += read.bases.substr(at, width) + line_end;
    }
  }
  CHECK(parse(text, block_bytes) == reads);
  CHECK(parse(text + line_end, block_bytes) == reads);
}

TEST_CASE("FASTQ of several lines a record is joined, whatever its qualities begin with", "[reads][parser]") {
  const std::uint64_t block_bytes = GENERATE(1, 2, 5, 64, 1 << 20);
  const std::string line_end = GENERATE("\n", "\r\n");
  const std::uint64_t width = GENERATE(1, 3, 10, 70);
  const unsigned seed = 14;
  CAPTURE(block_bytes, line_end, width, seed);

  std::mt19937 rng(seed);
  std::vector<Read> reads = random_reads(40, 120, rng);
  std::string text;
  for (Read& read : reads) {
    for (std::uint64_t at = 0; at < read.qualities.size(); at += width) read.qualities[at] = at % 2 == 0 ? '@' : '+';
    text += header_of(read, '@', "/2") + line_end;
    const auto add_lines = [&](const std::string& line) {
      for (std::uint64_t at = 0; at == 0 || at < line.size(); at += width) text += line.substr(at, width) + line_end;
    };
    add_lines(read.bases);
    text += "+" + read.name + line_end;
    add_lines(read.qualities);
  }
  CHECK(parse(text, block_bytes) == reads);
}

TEST_CASE("pieces of any size have the same reads and errors", "[reads][parser]") {
  const std::uint64_t block_bytes = GENERATE(50, 1000, 1 << 20);
  const std::uint64_t piece_bytes = GENERATE(1, 20, 300, 5000);
  const PortionLimits limits = GENERATE(PortionLimits{}, PortionLimits{.reads = 7, .text = {}},
                                        PortionLimits{.reads = 100, .text = {.most_bytes = 3000}});
  const unsigned seed = 15;
  CAPTURE(block_bytes, piece_bytes, limits.reads, limits.text.most_bytes, seed);
  std::mt19937 rng(seed);
  for (int round = 0; round < 20; ++round) {
    std::string text = all_kinds_of_fastq(150, rng);
    CHECK(parsed(text, block_bytes, piece_bytes, limits) == parsed(text, block_bytes, one_piece, limits));
    damage(text, rng);
    CHECK(parsed(text, block_bytes, piece_bytes, limits) == parsed(text, block_bytes, one_piece, limits));
    text.resize(rng() % text.size());
    CHECK(parsed(text, block_bytes, piece_bytes, limits) == parsed(text, block_bytes, one_piece, limits));
  }
}

TEST_CASE("pieces follow one another up to the first record that is not plain", "[reads][parser]") {
  const std::uint64_t piece_bytes = GENERATE(1, 30, 64, 1000, 100000);
  const std::string line_end = GENERATE("\n", "\r\n");
  CAPTURE(piece_bytes, line_end);
  std::mt19937 rng(16);
  std::vector<Read> reads = random_reads(200, 100, rng);
  for (Read& read : reads) {
    if (read.bases.empty()) read.bases = "A", read.qualities = "@";
  }
  const std::string text = fastq(reads, line_end, ""),
                    rest = GENERATE("", "@cut\nAC\n+\nI", "\n", "@two\nA\nC\n+\nI\nI\n@x\nA\n+\nI\n");
  PlainRecords plain(piece_bytes);
  plain.find(text + rest, 0, MateNumbers::cut, 0);
  std::uint64_t end = 0, count = 0;
  for (const PlainRecords::Piece& piece : plain.pieces()) {
    CHECK(piece.begin == end);
    REQUIRE(piece.ends.size() == piece.reads.size());
    count += piece.ends.size(), end = piece.ends.back();
  }
  CHECK((count == reads.size() && end == text.size()));
}

TEST_CASE("edge cases of FASTQ and FASTA", "[reads][parser]") {
  const std::uint64_t block_bytes = GENERATE(1, 4, 1 << 20);
  CAPTURE(block_bytes);
  const auto one = [&](const std::string& text) {
    const std::vector<Read> reads = parse(text, block_bytes);
    REQUIRE(reads.size() == 1);
    return reads[0];
  };
  CHECK(parse("", block_bytes).empty());
  CHECK(parse("\n\n", block_bytes).empty());
  CHECK(parse("\r\n", block_bytes).empty());
  CHECK(one("@x\n\n+\n\n") == Read("x", "", "", ""));
  CHECK(one("@x\n\n+\n") == Read("x", "", "", ""));
  CHECK(one("@x\n\n+") == Read("x", "", "", ""));
  CHECK(one("@x\r\n\r\n+\r\n\r\n") == Read("x", "", "", ""));
  CHECK(one("@x\nA\n+x again\n@\n") == Read("x", "", "A", "@"));
  CHECK(one("@x\nA\nCG\n+\n@+!\n") == Read("x", "", "ACG", "@+!"));
  CHECK(one("@x\tBC:Z:AC\tRX:Z:G T\nA\n+\n!\n") == Read("x", "BC:Z:AC\tRX:Z:G T", "A", "!"));
  CHECK(one("@x  spaced \nA\n+\n~\n") == Read("x", "spaced ", "A", "~"));
  CHECK(one("@/1\nA\n+\nI\n") == Read("/1", "", "A", "I"));
  CHECK(one("@x/3\nA\n+\nI\n") == Read("x/3", "", "A", "I"));
  CHECK(one("@x/1/2\nA\n+\nI\n") == Read("x/1", "", "A", "I"));
  CHECK(one(">x") == Read("x", "", "", ""));
  CHECK(one(">x\n\nAC\n\nGT") == Read("x", "", "ACGT", ""));
}

TEST_CASE("a read of a million bases", "[reads][parser]") {
  std::mt19937 rng(13);
  const Read read("long", "", test::random_text(1000001, "ACGT", rng),
                  test::random_text(1000001, test::all_qualities(), rng));
  const bool same = parse(fastq({read, read}, "\n", ""), 4096) == std::vector<Read>{read, read};
  CHECK(same);
}

TEST_CASE("a batch keeps reads apart and can be reused", "[reads]") {
  ReadBatch batch;
  CHECK(batch.empty());
  batch.add("a", "b", "ACG", "III");
  batch.add("", "", "", "");
  batch.add("c", "", "T", "");
  CHECK(batch.size() == 3);
  CHECK(Read(batch[0]) == Read("a", "b", "ACG", "III"));
  CHECK(Read(batch[1]) == Read());
  CHECK(Read(batch[2]) == Read("c", "", "T", ""));
  batch.clear();
  CHECK(batch.empty());
  batch.add("d", "", "A", "I");
  CHECK(Read(batch[0]) == Read("d", "", "A", "I"));
}

TEST_CASE("interleaving two batches alternates their reads", "[reads]") {
  ReadBatch batch, first, second;
  batch.add("old", "", "A", "I");
  for (int round = 0; round < 3; ++round) {
    first.add("a", "b", "ACG", "III");
    first.add({});
    const std::string record = "@e  f g\nAC\n+more\nHI\n";
    const std::string_view view = record;
    second.text().assign(record.begin(), record.end());
    second.add_in_text(0, view, {view.substr(1, 1), view.substr(4, 3), view.substr(8, 2), view.substr(17, 2)});
    second.add({"h", "", "", "", "tags", 3, true});
    batch.interleave(first, second);
    CHECK((first.empty() && second.empty()));
    REQUIRE(batch.size() == 4);
    CHECK(Read(batch[0]) == Read("a", "b", "ACG", "III"));
    CHECK(Read(batch[1]) == Read("e", "f g", "AC", "HI"));
    CHECK(Read(batch[2]) == Read());
    CHECK(Read(batch[3]) == Read("h", "", "", ""));
    CHECK((batch[3].tags == "tags" && batch[3].read_group == 3 && batch[3].qc_fail));
  }
  batch.interleave(first, second);
  CHECK(batch.empty());
}
