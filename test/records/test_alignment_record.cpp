// BAM records against htslib's own SAM parser: the line written by hand gives the same bytes.
#include <htslib/kstring.h>
#include <htslib/sam.h>

#include <memory>

#include "catch.hpp"
#include "reads/helpers.hpp"
#include "records/alignment_record.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::reads;
using namespace warpseed::records;
using test::Read;
using namespace std::string_literals;

namespace {

const std::string header_lines = "@SQ\tSN:one\tLN:100000\n@SQ\tSN:two\tLN:100000\n";

std::shared_ptr<sam_hdr_t> make_header() {
  return {sam_hdr_parse(header_lines.size(), header_lines.data()), sam_hdr_destroy};
}

std::string sam_line(const BamRecord& record) {
  kstring_t text = {0, 0, nullptr};
  REQUIRE(sam_format1(make_header().get(), record.get(), &text) >= 0);
  std::string line(text.s, text.l);
  free(text.s);
  return line;
}

/// The record as htslib parses it from a SAM line.
std::shared_ptr<bam1_t> parsed(std::string line) {
  std::shared_ptr<bam1_t> record(bam_init1(), bam_destroy1);
  kstring_t text = {line.size(), line.size() + 1, line.data()};
  REQUIRE(sam_parse1(&text, make_header().get(), record.get()) == 0);
  return record;
}

/// Formats the record and has htslib parse the text; every byte must be the same.
std::string checked_line(const BamRecord& made) {
  const std::string line = sam_line(made);
  const std::shared_ptr<bam1_t> wanted = parsed(line);
  const bam1_core_t &a = made.get()->core, &b = wanted->core;
  CHECK(a.bin == b.bin);
  CHECK(a.l_qname == b.l_qname);
  CHECK(a.l_extranul == b.l_extranul);
  CHECK(a.n_cigar == b.n_cigar);
  CHECK(a.l_qseq == b.l_qseq);
  CHECK(std::string(reinterpret_cast<char*>(made.get()->data), static_cast<std::size_t>(made.get()->l_data)) ==
        std::string(reinterpret_cast<char*>(wanted->data), static_cast<std::size_t>(wanted->l_data)));
  return line;
}

AlignmentRecord mapped(std::vector<CigarElement> cigar) {
  AlignmentRecord record;
  record.contig = 0;
  record.position = 99;
  record.mapq = 60;
  record.cigar = std::move(cigar);
  return record;
}

std::string line_of(const AlignmentRecord& record, const Read& read, const std::string& group = "",
                    bool with_comment = false) {
  return checked_line(BamRecord(record, read.view(), group, with_comment));
}

constexpr CigarElement m(std::uint32_t n) {
  return cigar_element(CigarOp::match, n);
}
constexpr CigarElement s(std::uint32_t n) {
  return cigar_element(CigarOp::soft_clip, n);
}
constexpr CigarElement h(std::uint32_t n) {
  return cigar_element(CigarOp::hard_clip, n);
}

const Read six("r", "", "ACGTNA", "!\"#$%&");

}  // namespace

TEST_CASE("CIGARs as text", "[records][record]") {
  CHECK(cigar_text({}) == "*");
  CHECK(cigar_text({h(3), s(2), m(76), cigar_element(CigarOp::insertion, 1), m(5),
                    cigar_element(CigarOp::deletion, 268435455), m(1), cigar_element(CigarOp::skip, 9), m(1)}) ==
        "3H2S76M1I5M268435455D1M9N1M");
  CHECK(cigar_op(s(7)) == CigarOp::soft_clip);
  CHECK(cigar_length(s(7)) == 7);
}

TEST_CASE("a record with every tag, in order", "[records][record]") {
  AlignmentRecord record = mapped({s(1), m(5)});
  record.flag = records::sam_flag::paired | records::sam_flag::proper_pair | records::sam_flag::first |
                records::sam_flag::mate_reverse;
  record.mate_contig = 1;
  record.mate_position = 299;
  record.template_length = -206;
  record.edit_distance = 0;
  record.mismatches = "5";
  record.score = 255;
  record.second_score = 256;
  record.mate_mapq = 65536;
  record.mate_cigar = "6M";
  record.split = "two,1,+,3S3M,0,0;";
  record.alternatives = "one,-7,6M,1;";
  CHECK(line_of(record, six, "grp") ==
        "r\t99\tone\t100\t60\t1S5M\ttwo\t300\t-206\tACGTNA\t!\"#$%&\tNM:i:0\tMD:Z:5\tMC:Z:6M\tMQ:i:65536\t"
        "AS:i:255\tXS:i:256\tRG:Z:grp\tSA:Z:two,1,+,3S3M,0,0;\tXA:Z:one,-7,6M,1;");
}

TEST_CASE("an unmapped read, with and without qualities and bases", "[records][record]") {
  AlignmentRecord record;
  record.flag = records::sam_flag::unmapped;
  CHECK(line_of(record, six) == "r\t4\t*\t0\t0\t*\t*\t0\t0\tACGTNA\t!\"#$%&");
  CHECK(line_of(record, {"r", "", "ACG", ""}) == "r\t4\t*\t0\t0\t*\t*\t0\t0\tACG\t*");
  CHECK(line_of(record, {"r", "", "", ""}) == "r\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*");
  record.contig = record.mate_contig = 1;  // at its mate's position
  record.position = record.mate_position = 5;
  CHECK(line_of(record, six) == "r\t4\ttwo\t6\t0\t*\t=\t6\t0\tACGTNA\t!\"#$%&");
}

TEST_CASE("the reverse strand reverses qualities and reverse-complements bases", "[records][record]") {
  AlignmentRecord record = mapped({m(6)});
  record.flag = records::sam_flag::reverse;
  CHECK(line_of(record, six) == "r\t16\tone\t100\t60\t6M\t*\t0\t0\tTNACGT\t&%$#\"!");
  // Every IUPAC character and its complement; lower case becomes upper, U becomes T.
  const Read bases("r", "", "ACGTURYSWKMBDHVNacgtuy", "");
  record.cigar = {m(22)};
  CHECK(line_of(record, bases) == "r\t16\tone\t100\t60\t22M\t*\t0\t0\tRAACGTNBDHVKMWSRYAACGT\t*");
  record.flag = 0;
  CHECK(line_of(record, bases) == "r\t0\tone\t100\t60\t22M\t*\t0\t0\tACGTTRYSWKMBDHVNACGTTY\t*");
}

TEST_CASE("hard clips are cut off, soft clips kept", "[records][record]") {
  AlignmentRecord record = mapped({h(1), m(3), h(2)});
  CHECK(line_of(record, six) == "r\t0\tone\t100\t60\t1H3M2H\t*\t0\t0\tCGT\t\"#$");
  record.flag = records::sam_flag::reverse;
  CHECK(line_of(record, six) == "r\t16\tone\t100\t60\t1H3M2H\t*\t0\t0\tNAC\t%$#");
  record.cigar = {s(1), m(3), h(2)};
  CHECK(line_of(record, six) == "r\t16\tone\t100\t60\t1S3M2H\t*\t0\t0\tTNAC\t&%$#");
  record.omit_sequence = true;
  record.cigar = {s(1), m(5)};
  record.flag = records::sam_flag::secondary;
  CHECK(line_of(record, six) == "r\t256\tone\t100\t60\t1S5M\t*\t0\t0\t*\t*");
}

TEST_CASE("random records equal those that htslib parses", "[records][record]") {
  const unsigned seed = 15;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  for (int i = 0; i < 500; ++i) {
    const Read read = test::random_read(test::random_text(1 + rng() % 254, "abc:123", rng), 300, rng);
    const auto size = static_cast<std::uint32_t>(read.bases.size());
    AlignmentRecord record = mapped({});
    record.flag = static_cast<std::uint16_t>(rng() % 2 ? records::sam_flag::reverse : 0);
    const std::uint32_t left = size ? static_cast<std::uint32_t>(rng() % size) : 0;
    record.position = rng() % 90000;
    if (size > 0 && left > 0) record.cigar = {s(left), m(size - left)};
    if (size > 0 && left == 0) record.cigar = {m(size)};
    if (size == 0) record.flag |= records::sam_flag::unmapped;
    record.edit_distance = static_cast<std::int32_t>(rng() >> (rng() % 32)) & 0x7FFFFFFF;
    record.mismatches = test::random_text(rng() % 50, "ACGT^0123", rng);
    record.second_score = static_cast<std::int32_t>(rng() % 300) - 1;
    line_of(record, read, rng() % 2 ? "g" : "");
  }
}

TEST_CASE("more CIGAR elements than BAM's 16 bits", "[records][record]") {
  AlignmentRecord record = mapped({});
  for (int i = 0; i < 35000; ++i) {
    record.cigar.push_back(m(1));
    record.cigar.push_back(cigar_element(CigarOp::insertion, 1));
  }
  const Read read("long", "", std::string(70000, 'A'), std::string(70000, 'I'));
  const BamRecord made(record, read.view(), "", false);
  CHECK(made.get()->core.n_cigar == 70000);
  CHECK(bam_cigar2rlen(70000, bam_get_cigar(made.get())) == 35000);
}

TEST_CASE("comments become tags when asked for", "[records][record]") {
  AlignmentRecord record;
  record.flag = records::sam_flag::unmapped;
  const std::string start = "r\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI";
  const auto with = [&](const std::string& comment) { return line_of(record, {"r", comment, "A", "I"}, "g", true); };
  CHECK(line_of(record, {"r", "1:N:0", "A", "I"}, "g") == start + "\tRG:Z:g");
  CHECK(with("") == start + "\tRG:Z:g");
  CHECK(with("BC:Z:AC GT") == start + "\tRG:Z:g\tBC:Z:AC GT");
  CHECK(with("Xa:A:c\tXi:i:-5\tXj:i:4294967295\tXk:i:300\tXf:f:1.5\tXh:H:1AF0\tXz:Z:") ==
        start + "\tRG:Z:g\tXa:A:c\tXi:i:-5\tXj:i:4294967295\tXk:i:300\tXf:f:1.5\tXh:H:1AF0\tXz:Z:");
  CHECK(with("Xc:B:c,-128,127\tXC:B:C,255\tXs:B:s,-32768\tXu:B:S,65535,0\tXI:B:I,4294967295\tXf:B:f,0.5,2") ==
        start +
            "\tRG:Z:g\tXc:B:c,-128,127\tXC:B:C,255\tXs:B:s,-32768\tXu:B:S,65535,0\tXI:B:I,4294967295\t"
            "Xf:B:f,0.5,2");
}

TEST_CASE("comments that are not valid tags", "[records][record]") {
  AlignmentRecord record;
  record.flag = records::sam_flag::unmapped;
  const std::string comment = GENERATE("1:N:0:ACGT", "BC:Z", "BC:Q:x", "1C:Z:x", "BC:i:", "BC:i:1x", "BC:i:4294967296",
                                       "BC:i:-2147483649", "BC:A:xy", "BC:f:one", "BC:H:ABC", "BC:B:", "BC:B:c,128",
                                       "BC:B:z,1", "BC:B:c;1", "BC:Z:a\tBC:Z:b", "BC:Z:a\t\tBD:Z:b", "BC:Z:\x01");
  CAPTURE(comment);
  const Read read("r", comment, "A", "I");
  CHECK_THROWS_AS(BamRecord(record, read.view(), "g", true), InputError);
}

TEST_CASE("tags of an earlier alignment and of a read group are not taken from comments", "[records][record]") {
  AlignmentRecord record;
  record.flag = records::sam_flag::unmapped;
  const Read read("r", "NM:i:5\tBC:Z:a\tRG:Z:other\tXA:Z:chr1,+5,3M,0;\tMD:Z:5", "A", "I");
  const std::string start = "r\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI";
  CHECK(line_of(record, read, "g", true) == start + "\tRG:Z:g\tBC:Z:a");
  CHECK(line_of(record, read, "", true) == start + "\tBC:Z:a\tRG:Z:other");
}

TEST_CASE("a read's own tags and its QC flag are on every record", "[records][record]") {
  AlignmentRecord record = mapped({m(6)});
  ReadView read = six.view();
  const std::string tags = "BCZAC\0OQZ123456\0"s;
  read.tags = tags;
  read.qc_fail = true;
  CHECK(checked_line(BamRecord(record, read, "g", false)) ==
        "r\t512\tone\t100\t60\t6M\t*\t0\t0\tACGTNA\t!\"#$%&\tRG:Z:g\tBC:Z:AC\tOQ:Z:123456");
  record.flag = records::sam_flag::reverse | records::sam_flag::secondary;
  record.omit_sequence = true;
  CHECK(checked_line(BamRecord(record, read, "", false)) == "r\t784\tone\t100\t60\t6M\t*\t0\t0\t*\t*\tBC:Z:AC");
  record.omit_sequence = false;
  record.cigar = {h(1), m(3), h(2)};
  CHECK(checked_line(BamRecord(record, read, "", false)) ==
        "r\t784\tone\t100\t60\t1H3M2H\t*\t0\t0\tNAC\t%$#\tBC:Z:AC\tOQ:Z:543");
  read.tags = {};
  read.comment = "OQ:Z:123456";
  CHECK(checked_line(BamRecord(record, read, "", true)) == "r\t784\tone\t100\t60\t1H3M2H\t*\t0\t0\tNAC\t%$#\tOQ:Z:543");
}

TEST_CASE("names of up to 254 characters", "[records][record]") {
  AlignmentRecord record;
  record.flag = records::sam_flag::unmapped;
  CHECK(line_of(record, {std::string(254, 'n'), "", "A", "I"}).starts_with(std::string(254, 'n') + "\t4"));
  const Read longer(std::string(255, 'n'), "", "A", "I");
  CHECK_THROWS_WITH(BamRecord(record, longer.view(), "", false),
                    "read '" + std::string(255, 'n') + "': a name of 255 letters, SAM takes 254; shorten it");
}

TEST_CASE("a CIGAR that does not fit the read is the caller's mistake", "[records][record]") {
  CHECK_THROWS_AS(BamRecord(mapped({m(5)}), six.view(), "", false), std::invalid_argument);
  CHECK_THROWS_AS(BamRecord(mapped({h(4), m(1), h(4)}), six.view(), "", false), std::invalid_argument);
}
