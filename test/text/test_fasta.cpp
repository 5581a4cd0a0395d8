#include "text/fasta.hpp"

#include <fmt/format.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "core/gzip_files.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace text;

using test::compress;
using test::TempFolder;

namespace {

/// Names and sequences, as in a FASTA file.
using Records = std::vector<std::pair<std::string, std::string>>;

Genome read(const std::vector<std::string>& paths) {
  return read_fasta(paths);
}

Records records_of(const Genome& genome) {
  Records records;
  for (std::size_t i = 0; i < genome.names.size(); ++i) {
    const GenomePos begin = genome.contig_begins[i], end = genome.contig_begins[i + 1];
    std::vector<std::uint8_t> codes(end - begin);
    fetch_codes(genome.view(), begin, end, codes.data());
    std::string bases;
    for (const std::uint8_t code : codes) bases += base_of_code(code);
    records.emplace_back(genome.names[i], bases);
  }
  return records;
}

Records read_text(const TempFolder& folder, std::string_view content) {
  return records_of(read({folder.write("in.fa", content)}));
}

Records random_records(std::size_t count, std::size_t longest, std::mt19937& rng) {
  Records records;
  for (std::size_t i = 0; i < count; ++i) {
    std::string bases;
    for (std::size_t size = 1 + rng() % longest; bases.size() < size;)
      bases += rng() % 30 == 0 ? std::string(1 + rng() % 200, 'N') : std::string(1, "ACGT"[rng() % 4]);
    records.emplace_back(fmt::format("contig{}", i), bases);
  }
  return records;
}

std::string fasta_of(const Records& records, std::size_t line_bases, const std::string& line_end) {
  std::string file;
  for (const auto& [name, bases] : records) {
    file += ">" + name + " some description" + line_end;
    for (std::size_t at = 0; at < bases.size(); at += line_bases) file += bases.substr(at, line_bases) + line_end;
  }
  return file;
}

/// The message for a file with this content, without the path: ":LINE: problem".
std::string problem_of(std::string_view content) {
  const TempFolder folder;
  const std::string path = folder.write("in.fa", content);
  const std::string message = test::message_of<InputError>([&] { read({path}); });
  CAPTURE(message);
  REQUIRE(message.starts_with(path));
  return message.substr(path.size());
}

bool contains(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("records read back the same with any line length and compression", "[text][fasta]") {
  const std::size_t line_bases = GENERATE(as<std::size_t>{}, 1, 7, 60, 61, 64, 70, 100000000);
  const std::string line_end = GENERATE("\n", "\r\n");
  const char* mode = GENERATE(static_cast<const char*>(nullptr), "w", "wg");
  CAPTURE(line_bases, line_end.size(), mode ? mode : "plain");
  std::mt19937 rng(static_cast<unsigned>(line_bases));
  const Records records = random_records(20, 3000, rng);
  const std::string file = fasta_of(records, line_bases, line_end);
  const TempFolder folder;
  CHECK(read_text(folder, mode ? compress(file, mode) : file) == records);
  const std::string unended = file.substr(0, file.size() - line_end.size());
  CHECK(read_text(folder, mode ? compress(unended, mode) : unended) == records);
}

TEST_CASE("records longer than the reader's blocks", "[text][fasta]") {
  const std::size_t line_bases = GENERATE(as<std::size_t>{}, 60, 100000000);
  const std::string line_end = GENERATE("\n", "\r\n");
  std::mt19937 rng(4);
  Records records = random_records(3, fasta_block_bytes, rng);
  records.emplace_back("long", std::string(2 * fasta_block_bytes + 1000, 'C'));
  records.emplace_back(std::string(fasta_block_bytes, 'x'), "ACGT");  // a header across blocks
  const TempFolder folder;
  CHECK((read_text(folder, fasta_of(records, line_bases, line_end)) == records));
}

TEST_CASE("a block may end at any byte of a record", "[text][fasta]") {
  const TempFolder folder;
  const std::size_t block = fasta_block_bytes;
  const std::string tail = "ACGT\r\n\r\n>second name\r\nGGNNAC\r\nT\r\n>third\nC";
  for (std::size_t shift = 0; shift <= tail.size(); ++shift) {
    const std::string head = ">f\n" + std::string(block - 3 - shift, 'A');
    CAPTURE(shift);
    const Records records = read_text(folder, head + tail);
    REQUIRE(records.size() == 3);
    REQUIRE((records[0].second == head.substr(3) + "ACGT"));
    REQUIRE((records[1] == std::pair<std::string, std::string>{"second", "GGNNACT"}));
    REQUIRE((records[2] == std::pair<std::string, std::string>{"third", "C"}));
  }
}

TEST_CASE("lower case, IUPAC and U", "[text][fasta]") {
  const TempFolder folder;
  CHECK(read_text(folder, ">a\nacgtACGTuU\nRYSWKMBDHVNryswkmbdhvn\n") ==
        Records{{"a", "ACGTACGTTTNNNNNNNNNNNNNNNNNNNNNN"}});
}

TEST_CASE("a name ends at the first white space", "[text][fasta]") {
  const TempFolder folder;
  CHECK(read_text(folder, ">a|b.1 c\nA\n>b\tc\nC\n>c\r\nG\n>d > e\nT\n") ==
        Records{{"a|b.1", "A"}, {"b", "C"}, {"c", "G"}, {"d", "T"}});
}

TEST_CASE("empty lines are skipped", "[text][fasta]") {
  const TempFolder folder;
  CHECK(read_text(folder, "\n\r\n>a\n\nAC\n\nGT\n\n\n>b\nT\n\n\r\n") == Records{{"a", "ACGT"}, {"b", "T"}});
}

TEST_CASE("several files make one genome in their order", "[text][fasta]") {
  const TempFolder folder;
  const std::string first = folder.write("1.fa", ">a\nAC\n>b\nNN");
  const std::string second = folder.write("2.fa.gz", compress(">c\nGT\n", "w"));
  const std::string third = folder.write("3.fa", ">d\nT\n");
  CHECK(records_of(read({first, second, third})) == Records{{"a", "AC"}, {"b", "NN"}, {"c", "GT"}, {"d", "T"}});
  CHECK(records_of(read({third, first})) == Records{{"d", "T"}, {"a", "AC"}, {"b", "NN"}});
}

TEST_CASE("very many short contigs", "[text][fasta]") {
  std::string file;
  Records records;
  for (int i = 0; i < 100000; ++i) {
    records.emplace_back(fmt::format("c{}", i), std::string(1, "ACGTN"[i % 5]));
    file += ">" + records.back().first + "\n" + records.back().second + "\n";
  }
  const TempFolder folder;
  CHECK((read_text(folder, file) == records));
}

TEST_CASE("progress ends at the total size of all files", "[text][fasta]") {
  const TempFolder folder;
  const std::string first = folder.write("1.fa", ">a\n" + std::string(3000000, 'A'));
  const std::string second = folder.write("2.fa.gz", compress(">b\nGT\n", "w"));
  const std::uint64_t size = std::filesystem::file_size(first) + std::filesystem::file_size(second);
  std::uint64_t done = 0;
  const std::vector<std::string> paths = {first, second};
  read_fasta(paths, [&](const Progress& progress) {
    CHECK(progress.done >= done);
    CHECK(progress.total == size);
    done = progress.done;
  });
  CHECK(done == size);
}

TEST_CASE("calling without any file is a programming error", "[text][fasta]") {
  CHECK_THROWS_AS(read({}), std::invalid_argument);
}

TEST_CASE("files without a record", "[text][fasta]") {
  for (const char* content : {"", "\n", "\r\n\n"}) CHECK(contains(problem_of(content), "holds no FASTA record"));
  CHECK(contains(problem_of(compress("", "w")), "holds no FASTA record"));
}

TEST_CASE("files other than FASTA are recognised by their first character", "[text][fasta]") {
  CHECK(problem_of("@read1\nACGT\n+\nIIII\n").starts_with(":1: this is FASTQ, not FASTA"));
  CHECK(problem_of("\n\nACGT\n").starts_with(":3: this is not FASTA"));
  CHECK(problem_of(" >a\nACGT\n").starts_with(":1: this is not FASTA"));
  CHECK(problem_of(compress("@read1\nACGT\n+\nIIII\n", "wg")).starts_with(":1: this is FASTQ"));
}

TEST_CASE("records without name or sequence", "[text][fasta]") {
  CHECK(problem_of(">a\nA\n>\nC\n").starts_with(":3: a record without a name"));
  CHECK(problem_of(">a\nA\n> b\nC\n").starts_with(":3: a record without a name"));
  CHECK(problem_of(">a\nA\n>").starts_with(":3: a record without a name"));
  CHECK(problem_of(">a\n>b\nC\n").starts_with(":1: record \"a\" has no sequence"));
  CHECK(problem_of(">a\nA\n\n>b\n\n\n").starts_with(":4: record \"b\" has no sequence"));
  CHECK(problem_of(">a\nA\n>b").starts_with(":3: record \"b\" has no sequence"));
  CHECK(problem_of(">a\nA\n>*\nC\n").starts_with(":3: the name \"*\""));
  CHECK(problem_of(">=a\nA\n").starts_with(":1: the name \"=a\""));
}

TEST_CASE("letters outside IUPAC are reported with line and column", "[text][fasta]") {
  CHECK(problem_of(">a\nACGT\nACXT\n").starts_with(":3: column 3: letter 'X' is no nucleotide"));
  CHECK(problem_of(">a\r\nACGT\r\nACGTACGTACGTJ\r\n").starts_with(":3: column 13: letter 'J'"));
  CHECK(problem_of(">a\nAC-T\n").starts_with(":2: column 3: '-' is a gap"));
  CHECK(problem_of(">a\n.ACT\n").starts_with(":2: column 1: '.' is a gap"));
  CHECK(problem_of(">a\nACT*\n").starts_with(":2: column 4: '*' is no nucleotide"));
  CHECK(problem_of(">a\nAC GT\n").starts_with(":2: column 3: white space"));
  CHECK(problem_of(">a\nAC\rGT\n").starts_with(":2: column 3: a carriage return"));
  CHECK(problem_of(">a\nAC>b\n").starts_with(":2: column 3: letter '>'"));
  CHECK(problem_of(">a\nACGT\n+\nIIII\n").starts_with(":3: column 1: '+' is no nucleotide; if this is FASTQ"));
  CHECK(problem_of(std::string(">a\nAC\0GT\n", 9)).starts_with(":2: column 3: byte 0x00"));
  CHECK(problem_of(">a\nAC\xC3\xA4\n").starts_with(":2: column 3: byte 0xc3"));
}

TEST_CASE("line and column are correct far into a file", "[text][fasta]") {
  const std::size_t bad = GENERATE(as<std::size_t>{}, 0, 1, 59, 60, 1048575, 1048576, 1048577, 2999999);
  std::string bases(3000000, 'G');
  bases[bad] = '!';
  const std::string file = fasta_of({{"a", bases}}, 60, "\n");
  const std::string place = fmt::format(":{}: column {}:", 2 + bad / 60, 1 + bad % 60);
  CHECK(problem_of(file).starts_with(place));
  const std::string one_line = problem_of(">a\n" + bases);
  CHECK(one_line.starts_with(fmt::format(":2: column {}:", 1 + bad)));
}

TEST_CASE("two contigs of the same name are reported with both positions", "[text][fasta]") {
  const TempFolder folder;
  CHECK(problem_of(">a\nA\n>b\nC\n>c\nC\n>b x\nC\n>a\nT\n").starts_with(":7: a second contig is called \"b\""));
  const std::string first = folder.write("1.fa", ">a\nAC\n>b\nNN"), second = folder.write("2.fa", "\n>c\nG\n>b\nA\n");
  CHECK(test::message_of<InputError>([&] {
          read({first, second});
        }) == second + ":4: a second contig is called \"b\", as at " + first + ":3; rename one of them");
  CHECK(contains(test::message_of<InputError>([&] { read({first, first}); }), "\"a\", as at " + first + ":1"));
}

TEST_CASE("damage in a compressed file is reported before the invalid data that it causes", "[text][fasta]") {
  std::mt19937 rng(9);
  const std::string file = compress(fasta_of(random_records(1, 5000, rng), 60, "\n"), "wg");
  for (std::size_t at = 20; at + 8 < file.size(); at += 13) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    const std::string problem = problem_of(damaged);
    CAPTURE(at, problem);
    REQUIRE((contains(problem, "damaged near byte") || contains(problem, "cut short")));
  }
  CHECK(contains(problem_of(file.substr(0, file.size() / 2)), "cut short"));
}

TEST_CASE("written FASTA has lines of 60 and reads back the same", "[text][fasta]") {
  const std::size_t size = GENERATE(as<std::size_t>{}, 1, 59, 60, 61, 120, 983040, 983041, 2500000);
  CAPTURE(size);
  std::mt19937 rng(static_cast<unsigned>(size));
  Records records = random_records(3, 200, rng);
  records.emplace_back("long", std::string(size, 'N'));
  for (std::size_t i = 0; i < size; ++i) {
    if (i % 1000 < 700) records.back().second[i] = "ACGT"[rng() % 4];
  }
  const TempFolder folder;
  const Genome genome = read({folder.write("in.fa", fasta_of(records, 50, "\r\n"))});
  const std::vector<std::string_view> names(genome.names.begin(), genome.names.end());
  std::string written;
  write_fasta(genome.view(), names, [&](std::string_view text) { written += text; });
  std::string expected;
  for (const auto& [name, bases] : records) {
    expected += ">" + name + "\n";
    for (std::size_t at = 0; at < bases.size(); at += 60) expected += bases.substr(at, 60) + "\n";
  }
  CHECK((written == expected));
}

TEST_CASE("writing nothing, and too few names", "[text][fasta]") {
  int calls = 0;
  write_fasta(Genome{}.view(), {}, [&](std::string_view) { ++calls; });
  CHECK(calls == 0);
  GenomeBuilder builder;
  builder.begin_contig("a");
  builder.add("A");
  const Genome genome = builder.finish();
  CHECK_THROWS_AS(write_fasta(genome.view(), {}, [](std::string_view) {}), std::invalid_argument);
}

}  // namespace warpseed
