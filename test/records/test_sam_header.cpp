// Formats by name, read groups, the header's text.
#include <cctype>

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "records/alignment_writer.hpp"
#include "records/sam_header.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::records;

TEST_CASE("the format is chosen by name, then by extension", "[records][header]") {
  CHECK(choose_format("bam", "x.sam") == AlignmentFormat::bam);
  CHECK(choose_format("sam", "x.bam") == AlignmentFormat::sam);
  CHECK(choose_format("cram", "-") == AlignmentFormat::cram);
  CHECK(choose_format("", "x.y.bam") == AlignmentFormat::bam);
  CHECK(choose_format("", "x.cram") == AlignmentFormat::cram);
  CHECK(choose_format("", "x.sam") == AlignmentFormat::sam);
  CHECK(choose_format("", "-") == AlignmentFormat::sam);
  CHECK(choose_format("", "bam") == AlignmentFormat::sam);
  CHECK_THROWS_WITH(choose_format("bed", "x"), "unknown output format \"bed\" (choose sam, bam, cram or paf)");
}

TEST_CASE("read groups with tabs or the two characters \\t", "[records][header]") {
  const std::string line = "@RG\tID:x\tSM:y z";
  CHECK(parse_read_group("@RG\\tID:x\\tSM:y z") == line);
  CHECK(parse_read_group(line) == line);
  CHECK(parse_read_group("@RG\\tID:a\\\\t") == "@RG\tID:a\\t");
  CHECK(read_group_id(line) == "x");
  CHECK(read_group_id(parse_read_group("@RG\\tSM:ID:no\\tID:yes")) == "yes");
  CHECK(read_group_id("") == "");
}

TEST_CASE("invalid read groups", "[records][header]") {
  const std::string text =
      GENERATE("", "ID:x", "@RG", "@RG\\tSM:y", "@RGx\\tID:x", "@RG ID:x", "@RG\\tID:", "@RG\\tID:x\\t",
               "@RG\\tID:x\\tID:y", "@RG\\tID:x\\tSM", "@RG\\tID:x\n", "@PG\\tID:x");
  CAPTURE(text);
  CHECK_THROWS_AS(parse_read_group(text), InputError);
}

TEST_CASE("a key of a header field is a letter, then a letter or a digit", "[records][header]") {
  for (int c = ' '; c < 127; ++c) {
    CAPTURE(c);
    const auto key = static_cast<char>(c);
    const bool is_letter = std::isalpha(c) != 0;
    CHECK(field_problem(std::string("@RG\tID:a\tX") + key + ":value").empty() == (is_letter || std::isdigit(c) != 0));
    CHECK(field_problem(std::string("@RG\tID:a\t") + key + "X:value").empty() == is_letter);
  }
}

TEST_CASE("a read group's message shows how to write one", "[records][header]") {
  CHECK_THROWS_WITH(parse_read_group("@RG\\tSM:y"),
                    "read group \"@RG\\tSM:y\" has no ID; write it as '@RG\\tID:x\\tSM:y'");
}

TEST_CASE("header lines in order", "[records][header]") {
  const SamHeader header = {{{"z", 5}, {"a", 70}}, {"@RG\tID:x"}, "warpseed align\t-o 'x\n'", {}, {}};
  const std::string rest = "@SQ\tSN:z\tLN:5\n@SQ\tSN:a\tLN:70\n@RG\tID:x\n@PG\tID:warpseed\tPN:warpseed\tVN:";
  const std::string plain = header_text(header, false), sorted = header_text(header, true);
  CHECK(plain.starts_with("@HD\tVN:1.6\tSO:unsorted\tGO:query\n" + rest));
  CHECK(sorted.starts_with("@HD\tVN:1.6\tSO:coordinate\n" + rest));
  CHECK(plain.ends_with("\tCL:warpseed align\\t-o 'x\\n'\n"));
  CHECK(header_text({}, false).find("@RG") == std::string::npos);
  CHECK(header_text({}, false).find("CL:") == std::string::npos);
}

TEST_CASE("contig names that SAM does not allow", "[records][header]") {
  for (const std::string name : {"a,b", "a(b)", "a\"b", "a<b>", "a[1]", "a\\b", "a{b", "caf\xc3\xa9", "x'y"}) {
    SamHeader header;
    header.contigs = {{"chr1", 10}, {name, 10}};
    CHECK(test::message_of<InputError>([&] { header_text(header, false); }).find(name) != std::string::npos);
  }
  SamHeader header;
  header.contigs = {{"HLA-A*01:01:01:02N", 10}, {"gi|1234|ref=x;y/z", 10}};
  CHECK(!header_text(header, false).empty());
}

TEST_CASE("ALT contigs are marked in the header", "[records][header]") {
  SamHeader header;
  header.contigs = {{"chr1", 100}, {"chr1_alt", 50}};
  CHECK(header_text(header, false).find("AH:") == std::string::npos);
  header.alt_contigs = {0, 1};
  const std::string text = header_text(header, false);
  CHECK(text.find("@SQ\tSN:chr1\tLN:100\n@SQ\tSN:chr1_alt\tLN:50\tAH:*\n") != std::string::npos);
}

TEST_CASE("the last earlier programs are followed, comments kept", "[records][header]") {
  SamHeader header;
  header.read_group_lines = {"@RG\tID:x", "@RG\tID:y"};
  header.comment_lines = {"@CO\tone", "@CO\ttwo"};
  const auto programs = [&](const std::vector<std::string>& before) {
    header.program_lines = before;
    const std::string text = header_text(header, false);
    const std::string start = "@HD\tVN:1.6\tSO:unsorted\tGO:query\n@RG\tID:x\n@RG\tID:y\n",
                      end = "@CO\tone\n@CO\ttwo\n";
    CHECK(text.starts_with(start));
    CHECK(text.ends_with(end));
    std::string middle = text.substr(start.size(), text.size() - start.size() - end.size());
    for (std::size_t at; (at = middle.find("\tVN:")) != std::string::npos;)
      middle.erase(at, middle.find('\n', at) - at);
    return middle;
  };
  const std::string own = "\tPN:warpseed";
  CHECK(programs({}) == "@PG\tID:warpseed" + own + "\n");
  CHECK(programs({"@PG\tID:a", "@PG\tID:b\tPP:a"}) ==
        "@PG\tID:a\n@PG\tID:b\tPP:a\n@PG\tID:warpseed" + own + "\tPP:b\n");
  CHECK(programs({"@PG\tID:warpseed\tPN:warpseed"}) ==
        "@PG\tID:warpseed\tPN:warpseed\n@PG\tID:warpseed.1" + own + "\tPP:warpseed\n");
  CHECK(programs({"@PG\tID:a", "@PG\tID:b"}) ==
        "@PG\tID:a\n@PG\tID:b\n@PG\tID:warpseed" + own + "\tPP:a\n@PG\tID:warpseed.1" + own + "\tPP:b\n");
}
