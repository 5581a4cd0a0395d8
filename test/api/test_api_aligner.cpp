#include <algorithm>
#include <thread>

#include "align/pipeline/aligner.hpp"
#include "api_backends.hpp"
#include "catch.hpp"
#include "index/fm_index.hpp"
#include "message_of.hpp"
#include "oracle.hpp"
#include "warpseed/aligner.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

/// A genome with repeats, and reads and pairs of it with some substitutions.
struct World {
  std::mt19937 rng{31};
  std::string one, two;
  std::vector<std::string> reads;

  World() {
    const std::string repeat = test::random_bases(400, 4, rng);
    one = test::random_bases(20000, 4, rng) + repeat + test::random_bases(3000, 4, rng) + repeat;
    two = repeat + test::random_bases(9000, 4, rng) + "NNNNN" + test::reverse_complement(repeat) + "ACGTA";
    for (int i = 0; i < 800; ++i) {
      const std::string& contig = rng() % 3 == 0 ? two : one;
      const std::size_t length = 250 + rng() % 150, begin = rng() % (contig.size() - length);
      const std::string fragment = contig.substr(begin, length);
      std::string first = fragment.substr(0, 100), second = test::reverse_complement(fragment.substr(length - 100));
      for (std::string* mate : {&first, &second}) (*mate)[rng() % 100] = "ACGTN"[rng() % 5];
      if (rng() % 50 == 0) second = test::random_bases(100, 4, rng);
      if (rng() % 2 == 0) std::swap(first, second);
      reads.push_back(first), reads.push_back(second);
    }
  }

  std::vector<std::string_view> views() const { return {reads.begin(), reads.end()}; }
  Index index(const Context& context) const { return Index::build({{"one", one}, {"two", two}}, context); }

  /// The records of the same reads by the modules themselves, on the CPU.
  std::vector<align::ReadRecords> records(bool paired) const {
    text::GenomeBuilder builder;
    builder.begin_contig("one"), builder.add(one), builder.begin_contig("two"), builder.add(two);
    text::Genome genome = builder.finish();
    index::FmIndex fm = index::build_fm_index(genome.view(), Backend{});
    const index::Index index(std::move(genome), std::move(fm));
    reads::ReadBatch batch;
    for (const std::string& read : reads) batch.add("r", "", read, "");
    return align::Aligner(index, align::AlignOptions{}, paired).align(batch);
  }
};

const World& world() {
  static const World one;
  return one;
}

void check_same(const std::vector<Alignments>& found, const std::vector<align::ReadRecords>& records) {
  REQUIRE(found.size() == records.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    std::vector<records::AlignmentRecord> mapped;
    std::copy_if(records[i].begin(), records[i].end(), std::back_inserter(mapped), records::is_mapped);
    REQUIRE(found[i].size() == mapped.size());
    for (std::size_t k = 0; k < mapped.size(); ++k) {
      const Alignment& a = found[i][k];
      REQUIRE(a.contig == static_cast<std::size_t>(mapped[k].contig));
      REQUIRE(a.position == static_cast<std::uint64_t>(mapped[k].position));
      REQUIRE(a.flag == mapped[k].flag);
      REQUIRE(a.mapq == mapped[k].mapq);
      REQUIRE(a.cigar == records::cigar_text(mapped[k].cigar));
      REQUIRE(a.score == mapped[k].score);
      REQUIRE(a.alternatives == mapped[k].alternatives);
      REQUIRE(a.template_length == mapped[k].template_length);
      REQUIRE(a.mate.has_value() == (mapped[k].mate_mapq >= 0));
    }
  }
}

bool same(const std::vector<Alignments>& a, const std::vector<Alignments>& b) {
  const auto text = [](const std::vector<Alignments>& all) {
    std::string joined;
    for (const Alignments& read : all) {
      for (const Alignment& one : read)
        joined += std::to_string(one.contig) + ':' + std::to_string(one.position) + ' ' + one.cigar + ' ' +
                  std::to_string(one.flag) + ' ' + std::to_string(one.mapq) + ' ' + sam_tags(one) + '\n';
      joined += '\n';
    }
    return joined;
  };
  return text(a) == text(b);
}

}  // namespace

TEST_CASE("a read is found where it was taken from", "[api][backend]") {
  std::mt19937 rng(32);
  const std::string genome = test::random_bases(5000, 4, rng);
  const Context context({GENERATE(from_range(test::backend_names())), 2});
  Aligner aligner(Index::build({{"g", genome}}, context), context);

  std::string read = genome.substr(1000, 100);
  read[40] = read[40] == 'A' ? 'C' : 'A';
  const Alignments forward = aligner.align(read);
  REQUIRE(forward.size() == 1);
  CHECK(forward[0].contig == 0);
  CHECK(forward[0].position == 1000);
  CHECK(forward[0].end == 1100);
  CHECK_FALSE(forward[0].reverse);
  CHECK(forward[0].mapq == 60);
  CHECK(forward[0].cigar == "100M");
  CHECK(forward[0].edit_distance == 1);
  CHECK(forward[0].mismatches == "40" + genome.substr(1040, 1) + "59");
  CHECK(forward[0].score == 95);
  CHECK_FALSE(forward[0].mate);
  CHECK(sam_tags(forward[0]) == "NM:i:1\tMD:Z:" + forward[0].mismatches + "\tAS:i:95\tXS:i:0");

  const std::string deletion = genome.substr(2000, 60) + genome.substr(2063, 60);
  const Alignments reverse = aligner.align(test::reverse_complement(deletion));
  REQUIRE(reverse.size() == 1);
  CHECK(reverse[0].reverse);
  CHECK(reverse[0].position == 2000);
  CHECK(reverse[0].end == 2123);
  CHECK(reverse[0].edit_distance == 3);
  CHECK(test::contains(reverse[0].cigar, "3D"));
  CHECK(aligner.align(test::random_bases(100, 4, rng)).empty());
  CHECK(aligner.align("").empty());
  CHECK(aligner.align_batch({}).empty());

  const Alignments split = aligner.align(genome.substr(300, 80) + genome.substr(4000, 60));
  REQUIRE(split.size() == 2);
  CHECK_FALSE(split[0].is_supplementary());
  CHECK(split[1].is_supplementary());
  CHECK(split[0].split == "g,4001,+,80S60M,60,0;");
}

TEST_CASE("the library's alignments are the records of the program", "[api][backend]") {
  const Context context({GENERATE(from_range(test::backend_names())), 2});
  CAPTURE(context.backend());
  Aligner aligner(world().index(context), context);
  check_same(aligner.align_batch(world().views()), world().records(false));
  check_same(aligner.align_pairs(world().views()), world().records(true));
}

TEST_CASE("the tags cs and ds are in the alignment", "[api]") {
  const Context context({"cpu", 1});
  std::mt19937 rng(34);
  const std::string genome = test::random_bases(3000, 4, rng);
  std::string read = genome.substr(1000, 100);
  read[40] = genome[1040] == 'A' ? 'C' : 'A';
  const Index index = Index::build({{"g", genome}}, context);
  CHECK(Aligner(index, context).align(read).front().differences.empty());
  AlignOptions options;
  options.cs = CsTag::short_form;
  options.ds = true;
  const Alignment found = Aligner(index, context, options).align(read).front();
  const auto lower = [](char base) { return static_cast<char>(base | 0x20); };
  CHECK(found.differences == std::string(":40*") + lower(genome[1040]) + lower(read[40]) + ":59");
  CHECK(found.ambiguous_differences == found.differences);  // without gaps the two are alike
  CHECK(test::contains(sam_tags(found), "\tcs:Z:" + found.differences + "\tds:Z:" + found.differences));
}

TEST_CASE("the read group is in every alignment", "[api]") {
  const Context context({"cpu", 2});
  AlignOptions options;
  options.report_all = true;
  Aligner without(world().index(context), context, options);
  options.read_group = R"(@RG\tID:a b\tSM:s)";
  Aligner with(world().index(context), context, options);
  CHECK(without.read_group_line().empty());
  CHECK(with.read_group_line() == "@RG\tID:a b\tSM:s");
  for (const bool paired : {false, true}) {
    const auto all = [&](Aligner& aligner) {
      return paired ? aligner.align_pairs(world().views()) : aligner.align_batch(world().views());
    };
    std::vector<Alignments> found = all(with);
    std::size_t count = 0;
    for (Alignments& read : found) {
      for (Alignment& one : read) {
        REQUIRE(one.read_group == "a b");
        const std::string tags = sam_tags(one);
        const std::size_t at = tags.find("\tRG:Z:a b");
        REQUIRE(at != tags.npos);
        REQUIRE(tags.rfind("\tXS:i:", at) != tags.npos);
        one.read_group.clear();
        ++count;
      }
    }
    CHECK(count > 1000);
    CHECK(same(found, all(without)));
  }
}

TEST_CASE("presets have names", "[api]") {
  const auto of = [](std::string_view name) {
    AlignParameters parameters;
    apply_preset(name, parameters);
    return parameters;
  };
  CHECK(of("auto").long_reads);
  CHECK_FALSE(of("sr").long_reads);
  CHECK(of("ont").long_scoring.match == 2);
  CHECK(of("map-hifi").long_scoring.match == 1);
  CHECK(of("hifi").min_long_score == 100);
  CHECK(of("intractg").scoring.mismatch == 9);
  CHECK(of("intractg").long_scoring.gap_open == 16);
  CHECK(test::contains(test::message_of<InputError>([&] { of("longest"); }), "\"longest\""));
}

TEST_CASE("reads are numbered on from call to call", "[api]") {
  const Context context({"cpu", 2});
  const std::vector<std::string_view> reads = world().views();
  Aligner aligner(world().index(context), context);
  std::vector<Alignments> found;
  for (const std::string_view read : reads) found.push_back(aligner.align(read));
  check_same(found, world().records(false));
}

TEST_CASE("pairs in calls of the learning size are aligned as in one call", "[api][slow]") {
  const Context context({"cpu", 2});
  const Index index = world().index(context);
  std::mt19937 rng(33);
  std::vector<std::string> reads;
  while (reads.size() < 2 * Aligner::reads_to_learn_from + 600) {
    const std::size_t length = 200 + rng() % 60, begin = rng() % (world().one.size() - length);
    const std::string fragment = world().one.substr(begin, length);
    reads.push_back(fragment.substr(0, 60)), reads.push_back(test::reverse_complement(fragment.substr(length - 60)));
  }
  const std::vector<std::string_view> views(reads.begin(), reads.end());
  const std::vector<Alignments> whole = Aligner(index, context).align_pairs(views);
  Aligner aligner(index, context);
  std::vector<Alignments> parts;
  for (std::size_t begin = 0; begin < views.size(); begin += Aligner::reads_to_learn_from) {
    const std::size_t end = std::min(begin + Aligner::reads_to_learn_from, views.size());
    const auto at = [&](std::size_t i) { return views.begin() + static_cast<std::ptrdiff_t>(i); };
    for (Alignments& read : aligner.align_pairs({at(begin), at(end)})) parts.push_back(std::move(read));
  }
  CHECK(whole.size() == reads.size());
  CHECK(std::count_if(whole.begin(), whole.end(), [](const Alignments& read) { return read.empty(); }) < 100);
  CHECK(same(parts, whole));
}

TEST_CASE("two aligners in one process do not change each other", "[api][backend]") {
  const std::string backend = GENERATE(from_range(test::backend_names()));
  CAPTURE(backend);
  AlignOptions other;
  other.min_seed = 25;
  other.scoring.mismatch = 2;
  other.min_score = 20;
  other.device_memory = backend == "cpu" ? 0 : std::uint64_t{2} << 30;
  const auto alone = [&](const AlignOptions& options) {
    const Context context({backend, 2});
    return Aligner(world().index(context), context, options).align_pairs(world().views());
  };
  const std::vector<Alignments> expected_usual = alone({}), expected_other = alone(other);
  REQUIRE_FALSE(same(expected_usual, expected_other));

  const Context shared({backend, 2}), own({backend, 1});
  const Index index = world().index(shared);
  Aligner usual(index, shared), changed(index, shared, other), apart(index, own, other);
  std::vector<Alignments> found_usual, found_changed, found_apart;
  std::thread first([&] { found_usual = usual.align_pairs(world().views()); });
  std::thread second([&] { found_changed = changed.align_pairs(world().views()); });
  found_apart = apart.align_pairs(world().views());
  first.join(), second.join();
  CHECK(same(found_usual, expected_usual));
  CHECK(same(found_changed, expected_other));
  CHECK(same(found_apart, expected_other));
}

TEST_CASE("given fragment lengths and ALT contigs decide", "[api]") {
  const Context context({"cpu", 1});
  const Index index = world().index(context);
  const auto proper_pairs = [&](const FragmentLength& length) {
    Aligner aligner(index, context);
    aligner.set_fragment_length(length);
    std::uint64_t count = 0;
    for (const Alignments& read : aligner.align_pairs(world().views()))
      count += !read.empty() && read.front().is_proper_pair() ? 1 : 0;
    return count;
  };
  CHECK(proper_pairs({325, 50}) > 1400);
  CHECK(proper_pairs({2000, 10}) < 20);
  Aligner aligner(index, context);
  CHECK_THROWS_AS(aligner.set_fragment_length({}), InputError);
  CHECK_THROWS_AS(aligner.set_fragment_length({300, 30, 400, 200}), InputError);
  CHECK_THROWS_AS(aligner.set_fragment_length({2e6, 30}), InputError);
  CHECK_THROWS_AS(aligner.align_pairs({"ACGT"}), std::invalid_argument);

  AlignOptions options;
  options.alt_contigs = {"two"};
  const std::string repeat = world().two.substr(0, 400);  // occurs in both contigs
  const auto contig_of = [&](const AlignOptions& wanted) {
    return Aligner(index, context, wanted).align(std::string_view(repeat).substr(100, 150)).front().contig;
  };
  CHECK(contig_of(options) == 0);
  options.alt_contigs = {"one"};
  CHECK(contig_of(options) == 1);
}

TEST_CASE("bad options and reads are reported", "[api]") {
  const Context context({"cpu", 1});
  const Index index = Index::build({{"g", "ACGTACGTAGCTAGCTAGCATCGATCGATCAGCTAC"}}, context);
  const auto problem = [&](auto change) {
    AlignOptions options;
    change(options);
    return test::message_of<InputError>([&] { Aligner(index, context, options); });
  };
  CHECK(problem([](AlignOptions& options) { options.min_seed = 5; }) == "min_seed is 5; give a number from 10 to 255");
  CHECK(test::contains(problem([](AlignOptions& o) { o.scoring.deletion_extend = 0; }), "deletion_extend is 0"));
  CHECK(test::contains(problem([](AlignOptions& o) { o.chain_drop = NAN; }), "chain_drop is nan"));
  CHECK(test::contains(problem([](AlignOptions& o) { o.alt_contigs = {"h"}; }), "ALT contig \"h\""));
  CHECK(test::contains(problem([](AlignOptions& o) { o.read_group = "@RG\tSM:s"; }), "has no ID"));
  CHECK(test::contains(problem([](AlignOptions& o) { o.read_group = "a"; }), "does not begin with @RG"));
  Aligner aligner(index, context);
  CHECK(test::message_of<InputError>([&] {
          aligner.align_batch({"ACGT", "AC!T"});
        }).starts_with("read 1: position 2: letter '!' is no nucleotide"));
}

}  // namespace warpseed
