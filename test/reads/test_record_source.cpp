// Reads from SAM, BAM and CRAM: records written by hand give back the reads that they were built from.
#include <fmt/format.h>

#include "catch.hpp"
#include "reads/helpers.hpp"
#include "reads/read_source.hpp"
#include "reads/record_reader.hpp"
#include "records/writer_helpers.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::reads;
using test::Read;
using namespace std::string_literals;

namespace {

const std::string header = "@HD\tVN:1.6\n@SQ\tSN:one\tLN:5000\n";

std::string reversed(const std::string& bases) {
  std::string other;
  for (auto at = bases.rbegin(); at != bases.rend(); ++at) {
    const char letter = *at;
    other += letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : letter == 'T' ? 'A' : letter;
  }
  return other;
}

/// The SAM line of a read, as an aligner writes it, or unaligned.
std::string line_of(const Read& read, unsigned flag, const std::string& tags = "", const std::string& cigar = "") {
  const bool reverse = (flag & 0x10) != 0, mapped = !cigar.empty();
  const std::string bases = reverse ? reversed(read.bases) : read.bases;
  std::string qualities = read.qualities;
  if (reverse) std::reverse(qualities.begin(), qualities.end());
  return read.name + "\t" + std::to_string(flag) + (mapped ? "\tone\t7\t60\t" + cigar : "\t*\t0\t0\t*") +
         "\t*\t0\t0\t" + (bases.empty() ? "*" : bases) + "\t" + (qualities.empty() ? "*" : qualities) +
         (tags.empty() ? "" : "\t" + tags) + "\n";
}

/// The file converted to another format by htslib.
std::string converted(const test::TempFolder& folder, const std::string& text, const std::string& mode) {
  const std::string from = folder.write("in.sam", text), to = folder.file("in." + mode);
  if (mode == "sam") return from;
  const std::unique_ptr<htsFile, int (*)(htsFile*)> in(hts_open(from.c_str(), "r"), hts_close);
  htsFile* out = hts_open(to.c_str(), mode == "bam" ? "wb" : mode == "cram" ? "wc" : "wz");
  if (mode == "cram") REQUIRE(hts_set_opt(out, CRAM_OPT_NO_REF, 1) == 0);
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> lines(sam_hdr_read(in.get()), sam_hdr_destroy);
  REQUIRE(sam_hdr_write(out, lines.get()) == 0);
  const std::unique_ptr<bam1_t, void (*)(bam1_t*)> record(bam_init1(), bam_destroy1);
  int got = 0;
  while ((got = sam_read1(in.get(), lines.get(), record.get())) >= 0) {
    REQUIRE(sam_write1(out, lines.get(), record.get()) >= 0);
  }
  REQUIRE(got == -1);
  REQUIRE(hts_close(out) == 0);
  return to;
}

struct Result {
  std::vector<Read> reads;
  std::vector<std::uint32_t> groups;
  std::vector<std::string> tags;
  std::vector<bool> failed;
  bool paired = false;
  ReadHeader header;
};

Result all_of(const ReadInput& input, std::uint64_t count = 1000) {
  const auto source = open_reads(input);
  Result result;
  for (ReadBatch batch; source->next(batch, count);) {
    for (std::uint64_t i = 0; i < batch.size(); ++i) {
      result.reads.emplace_back(batch[i]);
      result.groups.push_back(batch[i].read_group);
      result.tags.emplace_back(batch[i].tags);
      result.failed.push_back(batch[i].qc_fail);
    }
  }
  result.paired = source->paired();
  result.header = source->header();
  return result;
}

Result read_text(const test::TempFolder& folder, const std::string& text, bool interleaved = false) {
  ReadInput input;
  input.path1 = folder.write("in.sam", text);
  input.interleaved = interleaved;
  return all_of(input);
}

/// The message of the InputError thrown while reading.
std::string complaint_of(const std::string& text, bool interleaved = false) {
  const test::TempFolder folder;
  try {
    read_text(folder, text, interleaved);
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find("in.sam"));
  }
  return "none";
}

Read random_read(int number, std::mt19937& rng) {
  const std::uint64_t size = rng() % 90;
  return {fmt::format("r{}", number), "", test::random_text(size, "ACGTN", rng),
          size == 1 ? "I" : test::random_text(size, test::all_qualities(), rng)};  // "*" would mean no qualities
}

const Read a("a", "", "ACGTT", "ABCDE"), b("b", "", "GGTCA", "FGHIJ");

}  // namespace

TEST_CASE("records give back the reads in sequencing orientation", "[reads][records]") {
  const std::string mode = GENERATE("sam", "bam", "cram", "sam.gz");
  CAPTURE(mode);
  const test::TempFolder folder;
  std::mt19937 rng(51);
  std::vector<Read> wanted;
  std::string text = header;
  for (int i = 0; i < 400; ++i) {
    wanted.push_back(random_read(i, rng));
    const bool mapped = rng() % 2 == 0 && !wanted.back().bases.empty();
    const std::string cigar = mapped ? std::to_string(wanted.back().bases.size()) + "M" : "";
    text += line_of(wanted.back(), (mapped ? 0 : 4) | (rng() % 2 ? 0x10 : 0), "", cigar);
    if (rng() % 8 == 0)
      text += line_of(wanted.back(), rng() % 2 ? 0x900 : 0x100, "", cigar.empty() ? "" : cigar + "2H");
  }
  const Result result = all_of({converted(folder, text, mode)}, 1 + rng() % 100);
  CHECK(result.reads == wanted);
  CHECK_FALSE(result.paired);
}

TEST_CASE("pairs are recognised by their flags, and first mates come first", "[reads][records]") {
  const bool swapped = GENERATE(false, true);
  const test::TempFolder folder;
  std::mt19937 rng(52);
  std::vector<Read> wanted;
  std::string text = header;
  for (int i = 0; i < 100; ++i) {
    Read one = random_read(i, rng), two = random_read(i, rng);
    wanted.push_back(one), wanted.push_back(two);
    one.name += "/1", two.name += "/2";
    const std::string first = line_of(one, 0x4D), second = line_of(two, 0x8D);
    text += swapped ? second + first : first + second;
    text += line_of(two, 0x981);
  }
  const Result result = read_text(folder, text);
  CHECK(result.reads == wanted);
  CHECK(result.paired);
}

TEST_CASE("single records are pairs if the option says so", "[reads][records]") {
  const test::TempFolder folder;
  const std::string text = line_of(a, 4) + line_of({"a", "", b.bases, b.qualities}, 4);
  CHECK(read_text(folder, text, true).paired);
  CHECK(read_text(folder, text, true).reads == read_text(folder, text).reads);
  CHECK_FALSE(read_text(folder, text).paired);
}

TEST_CASE("header lines are kept, and read groups have numbers", "[reads][records]") {
  const test::TempFolder folder;
  const std::string lines = "@RG\tID:x\tSM:s\n@RG\tID:y\tSM:s\n@PG\tID:p\tPN:p\n@CO\ta comment\n";
  const std::string text = header + lines + line_of(a, 4, "RG:Z:y") + line_of(b, 0x204) + line_of(a, 4, "RG:Z:x");
  const Result result = read_text(folder, text);
  CHECK(result.groups == std::vector<std::uint32_t>{2, 0, 1});
  CHECK(result.failed == std::vector<bool>{false, true, false});
  CHECK(result.header.read_groups == std::vector<std::string>{"@RG\tID:x\tSM:s", "@RG\tID:y\tSM:s"});
  CHECK(result.header.programs == std::vector<std::string>{"@PG\tID:p\tPN:p"});
  CHECK(result.header.comments == std::vector<std::string>{"@CO\ta comment"});
  ReadInput input;
  input.path1 = folder.file("in.sam");
  input.with_read_groups = false;
  CHECK(all_of(input).groups == std::vector<std::uint32_t>{0, 0, 0});
}

TEST_CASE("tags are copied, except those of an alignment", "[reads][records]") {
  const test::TempFolder folder;
  const std::string tags =
      "BC:Z:ACGT\tNM:i:3\tXi:i:-5\tRG:Z:x\tMD:Z:5\tZB:B:s,1,-2\tAS:i:7\tOQ:Z:12345\tXA:Z:one,+1,5M,0;";
  const std::string text = header + "@RG\tID:x\n" + line_of(a, 0x10, tags, "5M");
  const Result result = read_text(folder, text);
  const std::string array = "ZBBs\2\0\0\0\1\0\xFE\xFF"s, number = "Xic\xFB"s;
  CHECK(result.tags.front() == "BCZACGT\0"s + number + array + "OQZ54321\0"s);
  ReadInput input;
  input.path1 = folder.file("in.sam");
  input.with_tags = false;
  CHECK(all_of(input).tags.front().empty());
}

TEST_CASE("records that are not reads, or not pairs", "[reads][records]") {
  const std::string mates =
      "; samtools collate puts mates together, samtools fastq -s after it keeps reads without a mate apart, and align "
      "-p takes them as single reads";
  CHECK(complaint_of(header + line_of(a, 0, "", "2H5M")) ==
        "in.sam:3: read 'a': hard-clipped, so that bases are missing; give the file from before they were cut off");
  CHECK(complaint_of(header + "a\t0\tone\t1\t9\t5M\t*\t0\t0\t*\t*\n") ==
        "in.sam:3: read 'a': aligned, but without its bases; give a file that has them");
  CHECK(complaint_of(header + line_of({"a", "", "AC=", "III"}, 4)).starts_with("in.sam:3: read 'a': a base is '='"));
  CHECK(complaint_of(line_of(a, 4, "RG:Z:q")) ==
        "in.sam:1: read 'a': the header has no read group 'q'; add it, or give all reads one with -R");
  CHECK(complaint_of(line_of(a, 0x4D)) ==
        "in.sam:1: read 'a' is paired, but without its mate next to it (the file ends after it)" + mates);
  CHECK(complaint_of(line_of(a, 0x4D) + line_of(b, 0x8D)) ==
        "in.sam:1: read 'a' is paired, but without its mate next to it (read 'b' follows it)" + mates);
  CHECK(complaint_of(line_of(a, 0x4D) + line_of(a, 0x4D)).find("same flag") != std::string::npos);
  CHECK(complaint_of(line_of(a, 4) + line_of(b, 0x4D))
            .starts_with("in.sam:2: read 'b': a paired read among single ones"));
  CHECK(complaint_of(line_of(a, 0x4D) + line_of(a, 0x8D) + line_of(b, 4))
            .starts_with("in.sam:3: read 'b': a single read among pairs"));
  CHECK(complaint_of(line_of(a, 4) + line_of(b, 4), true).find("read 'b' follows it") != std::string::npos);
  CHECK(complaint_of(line_of(a, 4) + "b\t4\t*\t0\n") ==
        "in.sam:2: cut short or malformed; repair the record, or make or copy the file again");
  CHECK(complaint_of(header + "@RG\tSM:x\n" + line_of(a, 4)).find("read group without ID") != std::string::npos);
}

TEST_CASE("a header line that is not valid SAM is reported with its position", "[reads][records]") {
  const std::string good = "@PG\tID:p\tPP:elsewhere\n@CO\tany\tthing\n";
  const std::string bad = GENERATE("@PG\tID:x\tbad", "@PG\tPN:x", "@RG\tID:a\tSM", "@PG\tID:x\t\tVN:1");
  const std::string said = complaint_of(header + good + bad + "\n" + line_of(a, 4));
  CHECK(said.starts_with("in.sam: line 5 of the header, \"" + bad.substr(0, 3)));
  CHECK(said.find("KEY:VALUE") != std::string::npos);
  CHECK(complaint_of(header + good + line_of(a, 4)) == "none");
}

TEST_CASE("a file of records is a single input", "[reads][records]") {
  const test::TempFolder folder;
  const std::string sam = folder.write("a.sam", line_of(a, 4)), fastq = folder.write("a.fq", "@a\nA\n+\nI\n");
  CHECK_THROWS_AS(open_reads({sam, fastq}), InputError);
  CHECK_THROWS_AS(open_reads({fastq, sam}), InputError);
}

TEST_CASE("a truncated file of records is an error", "[reads][records]") {
  const std::string mode = GENERATE("bam", "cram");
  const std::uint64_t missing = GENERATE(1U, 28U, 38U, 2000U);  // 28 and 38: the end-of-file markers of BAM and CRAM
  CAPTURE(mode, missing);
  const test::TempFolder folder;
  std::mt19937 rng(53);
  std::string text = header;
  for (int i = 0; i < 2000; ++i) text += line_of(random_read(i, rng), 4);
  const std::string path = converted(folder, text, mode);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - missing);
  CHECK_THROWS_AS(all_of({path}), InputError);
}

TEST_CASE("a source can be destroyed before its end, with data in the pipe", "[reads][records]") {
  const test::TempFolder folder;
  std::mt19937 rng(54);
  std::string text = header;
  for (int i = 0; i < 40000; ++i) text += line_of(random_read(i, rng), 4);  // more than a pipe holds
  const auto source = open_reads({folder.write("in.sam", text)});
  ReadBatch batch;
  CHECK(source->next(batch, 10));
}

TEST_CASE("files without reads", "[reads][records]") {
  const std::string mode = GENERATE("sam", "bam", "cram");
  const test::TempFolder folder;
  CHECK(all_of({converted(folder, header, mode)}).reads.empty());
}

TEST_CASE("content distinguishes records from FASTQ and FASTA", "[reads][records]") {
  for (const char* start : {"BAM\1", "CRAM\3", "@HD\tVN:1.6", "@SQ\tSN:a\tLN:5", "@CO\tx", "@PG\tID:x",
                            "r\t4\t*\t0\t0\t*", "r\t16\tchr1\t100\t60\t5M"}) {
    CAPTURE(start);
    CHECK(begins_records(start));
  }
  for (const char* start : {"", "@r\nACGT", "@SQ\nACGT", "@HD comment\nA", ">r\nACGT", "@r\tRG:Z:x\tBC:Z:y\nACGT",
                            ">r\t4\t*\t0\t0\t", "r\tx\t*\t0\t0\t", "r\t4\n*\t0\t0\t0\t", "ACGT", "BAM"}) {
    CAPTURE(start);
    CHECK_FALSE(begins_records(start));
  }
}
