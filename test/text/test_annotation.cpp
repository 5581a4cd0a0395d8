#include "text/annotation.hpp"

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/gzip_files.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace text;

using test::compress;
using test::message_of;
using test::TempFolder;

namespace {

using Lines = std::vector<std::string>;

Annotation read(const std::string& content, const std::string& name = "a") {
  const TempFolder folder;
  return read_annotation(folder.write(name, content));
}

/// "contig type begin-end strand gene" of every feature; "-" without a gene.
Lines summary(const Annotation& annotation) {
  Lines lines;
  for (const Feature& feature : annotation.features) {
    lines.push_back(fmt::format("{} {} {}-{} {} {}", annotation.contigs[feature.contig], annotation.types[feature.type],
                                feature.begin, feature.end, feature.strand,
                                feature.gene == Feature::no_gene ? "-" : annotation.gene_name(feature.gene)));
  }
  return lines;
}

/// The error message of reading, without the folder name.
std::string problem(const std::string& content) {
  const TempFolder folder;
  const std::string path = folder.write("a", content);
  const std::string message = message_of<InputError>([&] { read_annotation(path); });
  return message.starts_with(path) ? message.substr(path.size()) : message;
}

bool contains(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

/// Replaces bars by tabs; for readable lines.
std::string tabbed(std::string text) {
  for (char& letter : text) letter = letter == '|' ? '\t' : letter;
  return text;
}

const std::string gff3 = tabbed(
    "##gff-version 3\n##sequence-region c1 1 1000\n"
    "c1|x|region|1|1000|.|.|.|ID=c1;Is_circular=true;Name=whole\n"
    "c1|x|gene|101|400|.|+|.|ID=g1;Name=thrL;locus_tag=b1\n"
    "c1|x|mRNA|101|400|.|+|.|ID=t1;Parent=g1;Name=thrL-201\n"
    "c1|x|exon|101|400|.|+|.|Parent=t1,t2;Name=EXON1\n"
    "c1|x|CDS|150|300|.|+|0|ID=p1;Parent=t1;Name=NP_1\n"
    "###\n"
    "c2|x|CDS|5|5|.|-|0|ID=p2;gene=a%3Bb%25;Name=NP_2\n"
    "c2|x|CDS|1|3|.|?|0|.\n");

const std::string gtf = tabbed(
    "#!genome-build 1\n"
    "IV|sgd|gene|11|20|.|+|.|gene_id \"Y1\"; gene_name \"A;1\";\n"
    "IV|sgd|CDS|12|19|.|+|0|transcript_id \"T1\"; gene_id \"Y1\"; note \"gene_id = x\";\n"
    "IV|sgd|CDS|32|39|.|-|0|gene_id \"Y2\"; transcript_id \"T2\"\n"
    "IV|sgd|misc|50|60|.|-|.|transcript_id \"T2\";\n");

const Lines gtf_summary = {"IV gene 10-20 + A;1", "IV CDS 11-19 + A;1", "IV CDS 31-39 - Y2", "IV misc 49-60 - -"};

}  // namespace

TEST_CASE("GFF3: features, genes by Parent, names", "[text][annotation]") {
  const Annotation annotation = read(gff3);
  CHECK(annotation.format == AnnotationFormat::gff3);
  CHECK(summary(annotation) == Lines{"c1 region 0-1000 . -", "c1 gene 100-400 + thrL", "c1 mRNA 100-400 + thrL",
                                     "c1 exon 100-400 + thrL", "c1 CDS 149-300 + thrL", "c2 CDS 4-5 - a;b%",
                                     "c2 CDS 0-3 ? -"});
  CHECK(annotation.circular == std::vector<bool>{true, false});
  CHECK(annotation.features[1].line == 4);
  CHECK(annotation.features[5].line == 9);
  CHECK(annotation.gene_names.size() == 2);
}

TEST_CASE("GFF3: Parents that come later, are missing, or are not genes", "[text][annotation]") {
  const std::string line = "c|x|{}|1|9|.|+|.|{}\n";
  const auto add = [&](const char* type, const char* attributes) {
    return tabbed(fmt::format(fmt::runtime(line), type, attributes));
  };
  CHECK(summary(read(add("CDS", "ID=c1;Parent=t") + add("mRNA", "ID=t;Parent=g") + add("ncRNA_gene", "ID=g")))[0] ==
        "c CDS 0-9 + g");
  // A file with only CDS lines: the gene is named by the Parent or, better, by their own attributes.
  CHECK(summary(read(add("CDS", "ID=c1;Parent=gene-b1;Name=NP_1;locus_tag=b1"))) == Lines{"c CDS 0-9 + b1"});
  CHECK(summary(read(add("CDS", "ID=c1;Parent=t1;Name=NP_1"))) == Lines{"c CDS 0-9 + t1"});
  // Without genes, the highest part of a gene represents it; other features are not genes.
  const std::string no_genes = add("operon", "ID=o") + add("mRNA", "ID=t;Name=T;Parent=o") + add("exon", "Parent=t") +
                               add("match", "ID=m;Name=M") + add("match_part", "Parent=m") +
                               add("match_part", "Parent=m2") + add("CDS", "locus_tag=L");
  CHECK(summary(read(no_genes)) == Lines{"c operon 0-9 + -", "c mRNA 0-9 + T", "c exon 0-9 + T", "c match 0-9 + -",
                                         "c match_part 0-9 + -", "c match_part 0-9 + -", "c CDS 0-9 + L"});
}

TEST_CASE("GTF: gene_id identifies genes, gene_name names them", "[text][annotation]") {
  const Annotation annotation = read(gtf);
  CHECK(annotation.format == AnnotationFormat::gtf);
  CHECK(summary(annotation) == gtf_summary);
  const std::string later = tabbed("1|x|exon|1|2|.|+|.|gene_id G1;\n1|x|exon|4|5|.|+|.|gene_id G1; gene_name N;\n");
  CHECK(summary(read(later)) == Lines{"1 exon 0-2 + N", "1 exon 3-5 + N"});
}

TEST_CASE("BED: at least three columns, blocks, blanks for tabs", "[text][annotation]") {
  CHECK(summary(read("chr1\t0\t10\nchr2\t5\t5\n")) == Lines{"chr1 block 0-10 . .", "chr2 block 5-5 . ."});
  CHECK(summary(read("browser position chr1\ntrack name=x\nchr1  3 10  n1 7\n")) == Lines{"chr1 block 3-10 . n1"});
  CHECK(summary(read("1\t0\t10\ta\t0\t-\n1\t0\t10\ta\t0\t.\n")) == Lines{"1 block 0-10 - a", "1 block 0-10 . a"});
  const Annotation blocks = read(tabbed("c|100|200|t1|0|+|120|180|0|3|10,5,20,|0,30,80,\n"));
  CHECK(blocks.format == AnnotationFormat::bed);
  CHECK(summary(blocks) == Lines{"c block 100-110 + t1", "c block 130-135 + t1", "c block 180-200 + t1"});
  CHECK(blocks.gene_names.size() == 1);
}

TEST_CASE("the content determines the format, not the name", "[text][annotation]") {
  CHECK(summary(read(gtf, "a.gff3")) == gtf_summary);
  CHECK(read(gff3, "a.gtf").format == AnnotationFormat::gff3);
  CHECK(read("##gff-version 2\n" + gtf).format == AnnotationFormat::gtf);
  CHECK(read(tabbed("c|x|CDS|1|2|.|+|.|.\n") + gtf).format == AnnotationFormat::gtf);
  CHECK(
      contains(problem("##gff-version 3\n" + gtf), ":3: attributes of the kind key \"value\", as in GTF, but line 1"));
  CHECK(contains(problem(gtf + gff3), ":8: attributes of the kind key=value, as in GFF3, but line 2"));
  CHECK(contains(problem("##gff-version 3\nc\t0\t9\n"), ":2: a line of BED, but line 1 says GFF"));
}

TEST_CASE("gzip, BGZF, CRLF and a last line without a line end read the same", "[text][annotation]") {
  const Lines expected = summary(read(gff3));
  std::string crlf;
  for (const char letter : gff3) {
    if (letter == '\n') crlf += '\r';
    crlf += letter;
  }
  CHECK(summary(read(compress(gff3, "w"))) == expected);
  CHECK(summary(read(compress(gff3, "wg"))) == expected);
  CHECK(summary(read(crlf)) == expected);
  CHECK(summary(read(gff3.substr(0, gff3.size() - 1))) == expected);
  CHECK(summary(read(fmt::format("\n{}\n\n", gff3))) == expected);
  CHECK(summary(read(gff3 + "##FASTA\n>c1\nACGT\n")) == expected);
  CHECK(summary(read(gff3 + ">c1\nACGT\n")) == expected);
}

TEST_CASE("errors in a file are reported with their position", "[text][annotation]") {
  const std::string good = tabbed("c|x|CDS|1|9|.|+|0|ID=a\n");
  const std::string bed = "c\t1\t9\tn\n";
  const struct {
    std::string content, part;
  } cases[] = {
      {"", ": holds no features"},
      {"##gff-version 3\n# nothing\n", ": holds no features"},
      {">c\nACGT\n", ":1: neither GFF3 nor GTF"},
      {gtf + ">c\nACGT\n", ":6: 1 column,"},
      {"chrom\tstart\tend\n", ":1: neither GFF3 nor GTF"},
      {"c x CDS 1 9 . + 0 ID=a\n", "blanks where GFF has tabs"},
      {std::string("\x7f\x00\x01\n\x02", 5), ":1: byte 0x00"},
      {good + tabbed("c|x|CDS|1|9|.|+|0\n"), ":2: 8 columns, where GFF3 and GTF have 9"},
      {good + tabbed("c|x|CDS|1|9|.|+|0|ID=a|b\n"), ":2: 10 columns"},
      {good + "x\n", ":2: 1 column,"},
      {good + tabbed("c|x|CDS|9|8|.|+|0|ID=a\n"), ":2: the begin, 9, is after the end, 8"},
      {good + tabbed("c|x|CDS|0|8|.|+|0|ID=a\n"), ":2: the begin, column 4, is 0; GFF3 and GTF count from 1"},
      {good + tabbed("c|x|CDS|-4|8|.|+|0|ID=a\n"), ":2: the begin, column 4, is \"-4\", which is negative"},
      {good + tabbed("c|x|CDS|1e3|8|.|+|0|ID=a\n"), ":2: the begin, column 4, is \"1e3\", which is no whole number"},
      {good + tabbed("c|x|CDS||8|.|+|0|ID=a\n"), ":2: the begin, column 4, is \"\", which is no whole number"},
      {good + tabbed("c|x|CDS|1|99999999999999999999|.|+|0|ID=a\n"), "too large for a position"},
      {good + tabbed("c|x|CDS|1|8|.|*|0|ID=a\n"), ":2: the strand, column 7, is \"*\""},
      {good + tabbed("|x|CDS|1|8|.|+|0|ID=a\n"), ":2: column 1 is empty"},
      {good + tabbed("c|x||1|8|.|+|0|ID=a\n"), ":2: column 3 is empty"},
      {gtf + tabbed("c|x|CDS|1|8|.|+|0|gene_id \"a; x 1\n"), ":6: the quote after gene_id does not end"},
      {tabbed("c|x|mRNA|1|9|.|+|.|ID=a;Parent=b\nc|x|mRNA|1|9|.|+|.|ID=b;Parent=a\n"), "is its own ancestor"},
      {bed + "c\t1\t9\n", ":2: 3 columns, where line 1 has 4"},
      {bed + "c\t9\t8\tn\n", ":2: the begin, 9, is after the end, 8"},
      {bed + "c\t-1\t8\tn\n", ":2: the begin, column 2, is \"-1\", which is negative"},
      {"c\t-1\t8\tn\n", ":1: the begin, column 2, is \"-1\", which is negative"},
      {bed + "c\t1\tx\tn\n", ":2: the end, column 3, is \"x\", which is no whole number"},
      {bed + "\t1\t8\tn\n", ":2: column 1 is empty"},
      {tabbed("c|1|9|n|0|+|1|9|0|2|3,|0,\n"), ":1: block sizes, column 11, are fewer than column 10 says"},
      {tabbed("c|1|9|n|0|+|1|9|0|1|3,2|0,3\n"), ":1: more block sizes or starts than the 1"},
      {tabbed("c|1|9|n|0|+|1|9|0|1|3|6\n"), ":1: block 1 leaves the line's interval, which has 8 bases"},
      {tabbed("c|1|9|n|0|+|1|9|0|0||\n"), ":1: column 10 says that there are no blocks"},
  };
  for (const auto& [content, part] : cases) {
    CAPTURE(content, part, problem(content));
    CHECK(contains(problem(content), part));
  }
  CHECK(contains(message_of<InputError>([] { read_annotation("/no/such/file"); }), "/no/such/file"));
}

TEST_CASE("damage of a compressed annotation is reported, wherever it appears", "[text][annotation]") {
  std::string long_text = gff3;
  for (int i = 1; i < 20000; ++i) long_text += tabbed(fmt::format("c1|x|CDS|{}|{}|.|+|0|ID=i{}\n", i, i + 9, i * 7));
  const std::string whole = compress(long_text, "wg");
  CHECK(contains(problem(whole.substr(0, whole.size() / 2)), "cut short"));
  std::string flipped = whole;
  flipped[flipped.size() - 6] ^= 1;  // the checksum
  CHECK(contains(problem(flipped), "damaged"));
  std::string with_fasta = compress(long_text + "##FASTA\n>c\nACGT\n", "wg");
  with_fasta[with_fasta.size() - 6] ^= 1;
  CHECK(contains(problem(with_fasta), "damaged"));
}

TEST_CASE("arbitrary bytes give an annotation or an error, never a crash", "[text][annotation]") {
  const unsigned seed = GENERATE(range(0U, 400U));
  CAPTURE(seed);
  std::mt19937 rng(seed);
  const std::string bed = tabbed("c|100|200|t1|0|+|120|180|0|3|10,5,20,|0,30,80,\n");
  std::string content = seed % 3 == 0 ? gff3 : seed % 3 == 1 ? gtf : bed;
  const std::string odd = std::string("\t\n =;\"%,-#>0919\0\xff", 18);
  for (std::size_t i = 1 + rng() % 4; i > 0; --i) {
    const std::size_t at = rng() % content.size();
    const char letter = odd[rng() % odd.size()];
    switch (rng() % 3) {
      case 0: content[at] = letter; break;
      case 1: content.insert(at, 1, letter); break;
      default: content.erase(at, 1 + rng() % 9);
    }
    if (content.empty()) content.push_back('x');
  }
  try {
    const Annotation annotation = read(content);
    CHECK(!annotation.features.empty());
    for (const Feature& feature : annotation.features) {
      REQUIRE(feature.begin <= feature.end);
      REQUIRE((feature.gene == Feature::no_gene || feature.gene < annotation.gene_names.size()));
    }
  } catch (const InputError&) {
    SUCCEED();
  }
}

TEST_CASE("a long file: feature, gene and number of every line", "[text][annotation]") {
  const bool is_gtf = GENERATE(false, true);
  std::string content;
  Lines expected;
  for (unsigned i = 0; i < 40000; ++i) {
    const unsigned gene = i / 7, contig = i / 9000, begin = i * 37 % 9001;
    const std::string attributes = is_gtf ? fmt::format("gene_id \"G{}\"; note \"{}\"", gene, std::string(i % 90, 'x'))
                                          : fmt::format("Parent=G{}", gene);
    content += tabbed(fmt::format("c{}|x|CDS|{}|{}|.|+|0|{}\n", contig, begin + 1, begin + 50, attributes));
    expected.push_back(fmt::format("c{} CDS {}-{} + G{}", contig, begin, begin + 50, gene));
  }
  const Annotation annotation = read(content);
  CHECK(summary(annotation) == expected);
  CHECK(annotation.features.back().line == 40000);
}

}  // namespace warpseed
