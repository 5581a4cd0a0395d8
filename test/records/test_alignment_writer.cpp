// SAM, BAM and CRAM in input order: content, bytes, and the files left after an error.
#include "catch.hpp"
#include "records/sam_header.hpp"
#include "records/writer_helpers.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::records;
using test::Read;
using test::RecordBuilder;

namespace {

constexpr AlignmentFormat formats[] = {AlignmentFormat::sam, AlignmentFormat::bam, AlignmentFormat::cram};

WriterOptions options_for(const std::string& path, AlignmentFormat format, int threads = 1) {
  WriterOptions options;
  options.path = path;
  options.format = format;
  options.threads = threads;
  return options;
}

void write_all(const WriterOptions& options, unsigned seed, std::uint64_t batches) {
  RecordBuilder builder(seed);
  const auto writer = open_alignments(test::small_header(), options);
  for (std::uint64_t i = 0; i < batches; ++i) writer->write(builder.batch(100));
  writer->finish();
}

std::vector<std::string> wanted_lines(unsigned seed, std::uint64_t count) {
  const std::string text = header_text(test::small_header(), false);
  const std::shared_ptr<sam_hdr_t> header(sam_hdr_parse(text.size(), text.data()), sam_hdr_destroy);
  RecordBuilder builder(seed);
  std::vector<std::string> lines;
  for (std::uint64_t i = 0; i < count; ++i) lines.push_back(test::line_of(header.get(), builder.next().get()));
  return lines;
}

}  // namespace

TEST_CASE("SAM equals a file written by hand", "[records][writer]") {
  const int threads = GENERATE(1, 2);
  const test::TempFolder folder;
  const std::string path = folder.file("x.sam");
  const SamHeader header = {{{"one", 5000}}, {}, "", {}, {}};
  const auto writer = open_alignments(header, options_for(path, AlignmentFormat::sam, threads));
  AlignmentRecord record;
  record.contig = 0;
  record.position = 9;
  record.mapq = 7;
  record.cigar = {cigar_element(CigarOp::match, 3)};
  record.edit_distance = 1;
  const Read read("r", "", "ACG", "I!~");
  std::vector<BamRecord> records;
  records.emplace_back(record, read.view(), "", false);
  writer->write(std::move(records));
  writer->write({});
  CHECK(folder.names().size() == 1);  // under its temporary name
  CHECK_FALSE(std::filesystem::exists(path));
  writer->finish();
  CHECK(folder.names() == std::vector<std::string>{"x.sam"});

  const std::string content = test::content_of(path);
  const std::string start = "@HD\tVN:1.6\tSO:unsorted\tGO:query\n@SQ\tSN:one\tLN:5000\n@PG\tID:warpseed\t";
  CHECK(content.starts_with(start));
  CHECK(content.ends_with("\nr\t0\tone\t10\t7\t3M\t*\t0\t0\tACG\tI!~\tNM:i:1\n"));
}

TEST_CASE("every format keeps every record in order", "[records][writer]") {
  const AlignmentFormat format = GENERATE(from_range(std::begin(formats), std::end(formats)));
  const int threads = GENERATE(1, 2);
  const int level = GENERATE(-1, 0, 1, 9);
  const std::uint64_t batches = GENERATE(0, 1, 30);
  CAPTURE(static_cast<int>(format), threads, level, batches);
  const test::TempFolder folder;
  WriterOptions options = options_for(folder.file("out"), format, threads);
  options.compression_level = level;
  write_all(options, 21, batches);
  std::string header;
  CHECK(test::lines_in(folder.file("out"), &header) == wanted_lines(21, 100 * batches));
  CHECK(header == header_text(test::small_header(), false));
  CHECK(folder.names() == std::vector<std::string>{"out"});
}

TEST_CASE("bytes do not depend on threads or on the file's name", "[records][writer]") {
  const AlignmentFormat format = GENERATE(from_range(std::begin(formats), std::end(formats)));
  CAPTURE(static_cast<int>(format));
  const test::TempFolder folder;
  write_all(options_for(folder.file("one"), format, 1), 22, 150);
  write_all(options_for(folder.file("another"), format, 3), 22, 150);
  const bool same = test::content_of(folder.file("one")) == test::content_of(folder.file("another"));
  CHECK(same);
}

TEST_CASE("CRAM against a reference", "[records][writer]") {
  const test::TempFolder folder;
  std::mt19937 rng(23);
  std::string fasta;
  for (const auto& [name, length] : test::small_header().contigs) {
    fasta += ">" + name + "\n" + test::random_text(length, "ACGT", rng) + "\n";
  }
  WriterOptions options = options_for(folder.file("x.cram"), AlignmentFormat::cram);
  options.reference_path = folder.write("ref.fa", fasta);
  write_all(options, 24, 5);
  CHECK(test::lines_in(folder.file("x.cram")).size() == 500);

  options.path = folder.file("y.cram");
  options.reference_path = folder.write("other.fa", ">one\nACGT\n");
  CHECK_THROWS_WITH(open_alignments(test::small_header(), options),
                    options.reference_path +
                        ": contig one has 4 bases, the index has it with 5000 bases; give the FASTA that was "
                        "indexed");
  options.reference_path = folder.write("other2.fa", ">three\nACGT\n");
  CHECK_THROWS_AS(open_alignments(test::small_header(), options), InputError);
  options.reference_path = folder.file("missing.fa");
  CHECK_THROWS_AS(open_alignments(test::small_header(), options), InputError);
  CHECK_FALSE(std::filesystem::exists(options.path));
}

TEST_CASE("without finish() no file is left, and an older file stays", "[records][writer]") {
  const AlignmentFormat format = GENERATE(from_range(std::begin(formats), std::end(formats)));
  const bool sort = GENERATE(false, true);
  CAPTURE(static_cast<int>(format), sort);
  const test::TempFolder folder;
  WriterOptions options = options_for(folder.file("x"), format, 2);
  options.sort = sort;
  options.sort_memory_bytes = 20000;
  folder.write("x", "older");
  {
    RecordBuilder builder(25);
    const auto writer = open_alignments(test::small_header(), options);
    for (int i = 0; i < 5; ++i) writer->write(builder.batch(100));
  }
  CHECK(folder.names() == std::vector<std::string>{"x"});
  CHECK(test::content_of(options.path) == "older");
}

TEST_CASE("a full disk is reported", "[records][writer]") {
  if (!std::filesystem::exists("/dev/full")) {
    WARN("skipped: this machine has no /dev/full");
    return;
  }
  const AlignmentFormat format = GENERATE(from_range(std::begin(formats), std::end(formats)));
  const int threads = GENERATE(1, 2);
  const bool sort = GENERATE(false, true);
  const std::uint64_t batches = GENERATE(0, 1, 50);
  CAPTURE(static_cast<int>(format), threads, sort, batches);
  WriterOptions options = options_for("/dev/full", format, threads);
  options.sort = sort;
  CHECK_THROWS_WITH(write_all(options, 26, batches), "cannot write /dev/full: No space left on device");
}

TEST_CASE("outputs that cannot be opened", "[records][writer]") {
  const test::TempFolder folder;
  const SamHeader header = test::small_header();
  const std::string nowhere = folder.file("none") + "/x.bam";
  CHECK_THROWS_AS(open_alignments(header, options_for(nowhere, AlignmentFormat::bam)), IoError);
  CHECK_THROWS_AS(open_alignments(header, options_for(folder.file(""), AlignmentFormat::bam)), IoError);
  WriterOptions options = options_for(folder.file("x.bam"), AlignmentFormat::bam);
  options.compression_level = 10;
  CHECK_THROWS_AS(open_alignments(header, options), InputError);
  const SamHeader huge = {{{"one", 1ULL << 31}}, {}, "", {}, {}};
  CHECK_THROWS_AS(open_alignments(huge, options_for(folder.file("x.bam"), AlignmentFormat::bam)), InputError);
  CHECK(folder.names().empty());
  open_alignments(huge, options_for(folder.file("x.sam"), AlignmentFormat::sam))->finish();
  CHECK(folder.names() == std::vector<std::string>{"x.sam"});
}
