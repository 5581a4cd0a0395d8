#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "text/annotation.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace text;

using test::message_of;
using test::TempFolder;

namespace {

using Names = std::vector<std::string>;
using Lengths = std::vector<std::uint64_t>;

Annotation read(const std::string& content) {
  const TempFolder folder;
  return read_annotation(folder.write("a", content));
}

std::string bind_problem(const std::string& content, const Names& names, const Lengths& lengths) {
  return message_of<InputError>([&] { bind_annotation(read(content), names, lengths, false); });
}

bool contains(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

std::string gff_line(const std::string& contig, const std::string& type, std::uint64_t begin, std::uint64_t end,
                     const std::string& attributes = ".") {
  return fmt::format("{}\tx\t{}\t{}\t{}\t.\t+\t.\t{}\n", contig, type, begin, end, attributes);
}

}  // namespace

TEST_CASE("binding puts features on contigs, in order", "[text][annotation]") {
  const Annotation annotation = read("b\t5\t9\nb\t5\t7\na\t0\t10\nb\t1\t3\n");
  const BoundAnnotation bound = bind_annotation(annotation, Names{"x", "a", "b"}, Lengths{4, 10, 9}, false);
  CHECK(bound.first_features == Lengths{0, 0, 1, 4});
  CHECK(bound.on(0).empty());
  REQUIRE(bound.on(2).size() == 3);
  CHECK(bound.on(1)[0].line == 3);
  CHECK(bound.on(2)[0].line == 4);
  CHECK(bound.on(2)[1].line == 2);
  CHECK(bound.on(2)[2].line == 1);
  CHECK(bound.contigs_without_features == 1);
  CHECK(bound.unknown_names == 0);
}

TEST_CASE("a name that is not found where all sequences are annotated", "[text][annotation]") {
  const std::string message = bind_problem("chr1\t0\t5\nchrM\t0\t5\n", Names{"chr1"}, Lengths{10});
  CAPTURE(message);
  CHECK(contains(message, "a:2: no sequence is called \"chrM\"; 1 of the annotation's 2 names are not found;"));
  CHECK(!contains(message, "are not annotated"));
  CHECK(contains(message, "--allow-missing"));
}

TEST_CASE("names of annotation and contigs that differ", "[text][annotation]") {
  const std::string content = "chr1\t0\t5\nchr1\t6\t7\nchrM\t0\t5\nplasmid\t0\t1\n";
  const Names names = {"1", "2", "plasmid"};
  const Lengths lengths = {10, 10, 10};
  const std::string message = bind_problem(content, names, lengths);
  CAPTURE(message);
  CHECK(contains(message, "a:1: no sequence is called \"chr1\"; 2 of the annotation's 3 names are not found"));
  CHECK(contains(message, "2 of the 3 sequences are not annotated: \"1\" there against \"chr1\" here"));
  CHECK(contains(message, "look like one"));
  const BoundAnnotation bound = bind_annotation(read(content), names, lengths, true);
  CHECK(bound.unknown_names == 2);
  CHECK(bound.unknown_features == 3);
  CHECK(bound.contigs_without_features == 2);
  CHECK(bound.features.size() == 1);
  CHECK(contains(bind_problem("NC_1\t0\t5\n", {"NC_1.2"}, {9}), "\"NC_1.2\" there against \"NC_1\" here; these two"));
  CHECK(contains(bind_problem("x\t0\t5\n", {"a", "b"}, {9, 9}), "\"a\" there against \"x\" here; give the annotation"));
  CHECK(contains(bind_problem("a\t0\t5\n", {"a", "a"}, {9, 9}), "a:1: two sequences are called \"a\""));
  CHECK(bind_annotation(read("a\t0\t5\n"), Names{}, Lengths{}, true).features.empty());
}

TEST_CASE("features past the end of their contig, and across the origin of a circular one", "[text][annotation]") {
  CHECK(contains(bind_problem("a\t0\t5\na\t5\t11\n", {"a"}, {10}), "a:2: the feature ends at 11, but \"a\" has 10"));
  const std::string through = gff_line("a", "CDS", 8, 13, "ID=x");
  CHECK(contains(bind_problem(through, {"a"}, {10}), "a:1: the feature ends at 13"));
  const std::string circle = gff_line("a", "region", 1, 10, "ID=a;Is_circular=true");
  const BoundAnnotation bound = bind_annotation(read(circle + through), Names{"a"}, Lengths{10}, false);
  CHECK(feature_intervals(bound, {})[0] == std::vector<Interval>{{0, 3}, {7, 10}});
  CHECK(contains(bind_problem(circle + gff_line("a", "CDS", 11, 13), {"a"}, {10}), "a:2: the feature ends at 13"));
  CHECK(contains(bind_problem(circle + gff_line("a", "CDS", 2, 12), {"a"}, {10}), "a:2: the feature ends at 12"));
}

TEST_CASE("requested types must occur", "[text][annotation]") {
  const std::string content = gff_line("a", "exon", 1, 4) + gff_line("a", "tRNA", 3, 6);
  const BoundAnnotation bound = bind_annotation(read(content), Names{"a"}, Lengths{10}, false);
  CHECK(feature_intervals(bound, Names{"exon"})[0] == std::vector<Interval>{{0, 4}});
  CHECK(feature_intervals(bound, Names{"exon", "tRNA", "exon"})[0] == std::vector<Interval>{{0, 6}});
  CHECK(contains(message_of<InputError>([&] { feature_intervals(bound, {}); }), "\"CDS\""));
  CHECK(contains(message_of<InputError>([&] { feature_intervals(bound, Names{"exon", "cds"}); }), "occur: exon, tRNA"));
  const BoundAnnotation bed = bind_annotation(read("a\t0\t5\n"), Names{"a"}, Lengths{10}, false);
  CHECK(feature_intervals(bed, {})[0] == std::vector<Interval>{{0, 5}});
  CHECK(contains(message_of<InputError>([&] { feature_intervals(bed, Names{"exon"}); }), "no feature types"));
}

TEST_CASE("intervals equal the bases that features cover", "[text][annotation]") {
  const unsigned seed = GENERATE(range(0U, 50U));
  CAPTURE(seed);
  std::mt19937 rng(seed);
  const Names names = {"a", "b", "c"};
  const Lengths lengths = {1, 50, 1 + rng() % 500};
  std::vector<std::vector<bool>> covered;
  for (const std::uint64_t length : lengths) covered.emplace_back(length);
  std::string content = gff_line("a", "CDS", 1, 1);
  covered[0][0] = true;
  for (std::size_t i = 1 + rng() % 40; i > 0; --i) {
    const std::size_t contig = rng() % 3;
    const std::uint64_t begin = rng() % lengths[contig];
    const std::uint64_t end = begin + 1 + rng() % std::min<std::uint64_t>(30, lengths[contig] - begin);
    const bool counts = rng() % 3 != 0;
    content += gff_line(names[contig], counts ? "CDS" : "gene", begin + 1, end);
    for (std::uint64_t at = begin; at < end && counts; ++at) covered[contig][at] = true;
  }
  const auto found = feature_intervals(bind_annotation(read(content), names, lengths, false), {});
  for (std::size_t contig = 0; contig < names.size(); ++contig) {
    std::vector<Interval> expected;
    for (std::uint64_t at = 0; at < lengths[contig]; ++at) {
      if (!covered[contig][at]) continue;
      if (!expected.empty() && expected.back().end == at) {
        ++expected.back().end;
      } else {
        expected.push_back({at, at + 1});
      }
    }
    CHECK(found[contig] == expected);
  }
}

}  // namespace warpseed
