// Damaged reads: each gives a one-line message with file, line, read, cause and remedy.
#include "catch.hpp"
#include "message_of.hpp"
#include "reads/helpers.hpp"
#include "reads/read_name.hpp"
#include "reads/read_source.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::reads;

namespace {

std::string message_of(const ReadInput& input) {
  try {
    const auto reads = open_reads(input);
    ReadBatch batch;
    while (reads->next(batch, 2)) {
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The message for one file with this content, without the folder.
std::string message_for(const std::string& content, bool interleaved = false) {
  const test::TempFolder folder;
  const std::string path = folder.write("r.fq", content), prefix = path.substr(0, path.size() - 4);
  std::string message = message_of({path, "", interleaved});
  for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
    message.erase(at, prefix.size());
  }
  return message;
}

const std::string good = "@a\nACGT\n+\nIIII\n";
const std::string repair = "; repair or remove the record";

}  // namespace

TEST_CASE("a truncated last record is reported", "[reads][bad]") {
  CHECK(message_for(good + "@b") == "r.fq:5: read 'b': the file ends before the sequence" + repair);
  CHECK(message_for(good + "@b\nACGT") == "r.fq:6: read 'b': the file ends before the line with '+'" + repair);
  CHECK(message_for(good + "@b\nACGT\n+") == "r.fq:7: read 'b': the file ends before the quality line" + repair);
  CHECK(message_for(good + "@b\nACGT\n+\nII") ==
        "r.fq:8: read 'b': quality has 2 letters, sequence 4, and the file ends there" + repair);
  CHECK(message_for(good + "@b\nACGT\n+\n\n") ==
        "r.fq:8: read 'b': quality has 0 letters, sequence 4, and the file ends there" + repair);
}

TEST_CASE("quality and sequence differ in length", "[reads][bad]") {
  CHECK(message_for("@x/1 y\nACGT\n+\nIII\n" + good) == "r.fq:4: read 'x': quality has 3 letters, sequence 4" + repair);
  CHECK(message_for("@x\nACG\n+\nIIII\n") == "r.fq:4: read 'x': quality has 4 letters, sequence 3" + repair);
  CHECK(message_for("@x\n\n+\nI\n") == "r.fq:4: read 'x': quality has 1 letters, sequence 0" + repair);
}

TEST_CASE("invalid characters", "[reads][bad]") {
  const std::string not_iupac = " is not a nucleotide letter (IUPAC)" + repair;
  const std::string no_quality = " is not a quality ('!' to '~')" + repair;
  CHECK(message_for(good + "@b\nAC.T\n+\nIIII\n") == "r.fq:6: read 'b': '.'" + not_iupac);
  CHECK(message_for("@b\nAC T\n+\nIIII\n") == "r.fq:2: read 'b': byte 0x20" + not_iupac);
  CHECK(message_for(">b\nAC\nG*T\n") == "r.fq:3: read 'b': '*'" + not_iupac);
  CHECK(message_for("@b\nACGT\n+\nII I\n") == "r.fq:4: read 'b': byte 0x20" + no_quality);
  CHECK(message_for("@b\nACGT\n+\nII\xFFI\n") == "r.fq:4: read 'b': byte 0xff" + no_quality);
}

TEST_CASE("exactly the IUPAC characters in both cases are bases", "[reads][bad]") {
  const std::string iupac = "ACGTURYSWKMBDHVNacgturyswkmbdhvn";
  for (int byte = 0; byte < 256; ++byte) {
    const char letter = static_cast<char>(byte);
    if (letter == '\n' || letter == '\r') continue;
    CAPTURE(byte);
    const std::string content = std::string("@b\nAC") + letter + "T\n+\nIIII\n";
    CHECK((message_for(content) == "no error") == (iupac.find(letter) != std::string::npos));
  }
}

TEST_CASE("missing record markers", "[reads][bad]") {
  const std::string four = "not with '+'; a FASTQ record has a line with '+' between bases and qualities" + repair;
  CHECK(message_for("@x\nACGT\nIIII\n+\nIIII\n") ==
        "r.fq:3: read 'x': the line after the sequence begins with 'I', " + four);
  CHECK(message_for("@x\nACGT\nACGT\n+\nIIII\n") ==
        "r.fq:5: read 'x': quality has 4 letters, sequence 8, and the file ends there" + repair);
  CHECK(message_for("@x\nACGT\nACGT\n") == "r.fq:3: read 'x': the file ends before the line with '+'" + repair);
  CHECK(message_for("@x\nACGT\n\nIIII\n") == "r.fq:3: read 'x': the line after the sequence is empty, " + four);
  CHECK(message_for(good + "b\nACGT\n+\nIIII\n") ==
        "r.fq:5: a FASTQ record begins with '@', this line with 'b'" + repair);
  CHECK(message_for(good + "\n\n" + good) == "r.fq:5: a blank line where a record begins; remove it");
  CHECK(message_for("ACGT\n") ==
        "r.fq:1: reads begin with '@' (FASTQ) or '>' (FASTA), this file with 'A', and it is no SAM, BAM or "
        "CRAM; give reads in one of these formats");
  CHECK(message_for("BAM\1rest") == "r.fq: the header is cut short or damaged; make or copy the file again");
}

TEST_CASE("names that SAM does not allow", "[reads][bad]") {
  CHECK(message_for(good + "@\nACGT\n+\nIIII\n") == "r.fq:5: a read without a name; give it one");
  CHECK(message_for("@ x\nACGT\n+\nIIII\n") == "r.fq:1: a read without a name; give it one");
  CHECK(message_for("@a\x01z\nA\n+\nI\n") ==
        "r.fq:1: byte 0x01 in a read's name; names are made of the letters '!' to '~'");
  CHECK(message_for("@@a\nA\n+\nI\n") == "r.fq:1: read '@a': SAM takes no name that begins with '@'; rename it");
}

TEST_CASE("interleaved mates that do not match", "[reads][bad]") {
  CHECK(message_for(good + good + "@b/1\nA\n+\nI\n", true) ==
        "r.fq:9: read 'b' has no mate, the file ends after it; mates must follow each other, or give the file "
        "as single reads");
  CHECK(message_for(good + "@b\nA\n+\nI\n", true) ==
        "r.fq:1: mates differ in name: 'a' here, 'b' at r.fq:5; mates must follow each other");
}

TEST_CASE("two files that do not match", "[reads][bad]") {
  const test::TempFolder folder;
  const std::string b = "@b/2\nA\n+\nI\n";
  const std::string one = folder.write("1.fq", good), two = folder.write("2.fq", good + b);
  const std::string other = folder.write("3.fq", b), empty = folder.write("4.fq", "");
  const std::string same = "; give two files with the same reads in the same order";
  const std::string longer = two + ":5: read 'b' has no mate: " + one + " ends after 1 reads" + same;
  CHECK(message_of({one, two, false}) == longer);
  CHECK(message_of({two, one, false}) == longer);
  CHECK(message_of({one, other, false}) == one + ":1: mates differ in name: 'a' here, 'b' at " + other + ":1" + same);
  CHECK(message_of({one, empty, false}) == one + ":1: read 'a' has no mate: " + empty + " ends after 0 reads" + same);
}

TEST_CASE("incompatible inputs", "[reads][bad]") {
  CHECK(message_of({"-", "-", false}) ==
        "standard input: given for both mates; give two files, or one with interleaved mates");
  const test::TempFolder folder;
  const std::string one = folder.write("1.fq", good), again = folder.file("./1.fq");
  CHECK(message_of({one, again, false}) ==
        again + ": given for both mates, here and as " + one + "; give two files, or one with interleaved mates");
  CHECK(message_of({"a.fq", "b.fq", true}) == "b.fq: interleaved mates come from one file; leave the second out");
  CHECK_THROWS_AS(open_reads({"/nonexistent/a.fq", "", false}), InputError);
  CHECK_THROWS_AS(open_reads({"/", "", false}), InputError);
}

TEST_CASE("names of reads are made of the characters that SAM allows", "[reads]") {
  for (int c = 1; c < 256; ++c) {
    CAPTURE(c);
    const std::string name = std::string("read") + static_cast<char>(c);
    CHECK(name_problem(name).empty() == (c >= '!' && c <= '~'));
  }
}
