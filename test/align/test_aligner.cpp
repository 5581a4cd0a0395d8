// Whole reads against the genomes they were cut from: every one is aligned to its origin.
#include "align/pipeline/aligner.hpp"

#include <tbb/task_arena.h>

#include "align/pair/insert_size_distribution.hpp"
#include "alignment_oracle.hpp"
#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "text/genome.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::index;
using namespace warpseed::reads;
using namespace warpseed::records;
using namespace warpseed::text;
using test::Codes;
using test::letters_of;

std::string reverse_complement(const std::string& sequence) {
  std::string other;
  for (auto letter = sequence.rbegin(); letter != sequence.rend(); ++letter) {
    other += base_of_code(complement(code_of_base(*letter)));
  }
  return other;
}

/// Two contigs of random bases and a run of N, indexed on disk.
struct SmallWorld {
  test::TempFolder folder;
  std::vector<Codes> contigs;
  std::unique_ptr<Index> index;

  explicit SmallWorld(std::mt19937& rng) {
    GenomeBuilder builder;
    for (const std::size_t length : {30000, 20000}) {
      contigs.push_back(test::random_codes(length, 4, rng));
      if (length == 20000) std::fill_n(contigs.back().begin() + 9000, 500, code_n);
      builder.begin_contig("contig" + std::to_string(contigs.size()));
      builder.add_codes(contigs.back());
    }
    const Genome genome = builder.finish();
    const std::string path = folder.file("world.wsi");
    write_index(path, Index(genome, build_fm_index(genome.view(), Backend{})));
    index = std::make_unique<Index>(path);
  }
};

struct Origin {
  std::int32_t contig;
  std::int64_t position;
  bool reverse;
};

/// A read of `length` with a few substitutions, from a position without N.
std::string draw_read(const SmallWorld& world, std::size_t length, std::mt19937& rng, Origin& origin) {
  for (;;) {
    origin.contig = static_cast<std::int32_t>(rng() % world.contigs.size());
    const Codes& contig = world.contigs[static_cast<std::size_t>(origin.contig)];
    origin.position = static_cast<std::int64_t>(rng() % (contig.size() - length));
    Codes read(contig.begin() + origin.position, contig.begin() + origin.position + static_cast<long>(length));
    if (std::count(read.begin(), read.end(), code_n) > 0) continue;
    for (int error = 0; error < 2; ++error) {
      auto& code = read[10 + rng() % (length - 20)];
      code = static_cast<std::uint8_t>((code + 1) % 4);
    }
    origin.reverse = rng() % 2 == 1;
    return origin.reverse ? reverse_complement(letters_of(read)) : letters_of(read);
  }
}

}  // namespace

TEST_CASE("single reads are aligned to their origins", "[align][aligner]") {
  std::mt19937 rng(31);
  const SmallWorld world(rng);
  ReadBatch batch;
  std::vector<Origin> origins(300);
  for (Origin& origin : origins) batch.add("r", "", draw_read(world, 60 + rng() % 190, rng, origin), "");
  Aligner aligner(*world.index, AlignOptions{}, false);
  const auto records = aligner.align(batch);
  REQUIRE(records.size() == origins.size());
  for (std::size_t i = 0; i < origins.size(); ++i) {
    CAPTURE(i, batch[i].bases);
    REQUIRE(records[i].size() == 1);
    const AlignmentRecord& record = records[i].front();
    REQUIRE(record.contig == origins[i].contig);
    REQUIRE(record.position == origins[i].position);
    REQUIRE(((record.flag & records::sam_flag::reverse) != 0) == origins[i].reverse);
    REQUIRE(record.mapq >= 30);
    REQUIRE(record.edit_distance <= 2);
  }
}

TEST_CASE("a read whose score would leave 32 bits is refused", "[align][aligner]") {
  std::mt19937 rng(33);
  const SmallWorld world(rng);
  const auto said = [&](const Scoring& scoring, std::size_t bases) {
    AlignOptions options;
    options.scoring = scoring;
    const Aligner aligner(*world.index, options, false);
    ReadBatch batch;
    batch.add("usual", "", "ACGT", "");
    batch.add("giant", "", std::string(bases, 'A'), "");
    AlignmentBatch aligned;
    return test::message_of<InputError>([&] { aligner.prepare(batch, aligned); });
  };
  const Scoring matches = {.match = 1000}, mismatches = {.match = 1, .mismatch = 2000};
  for (const Scoring& scoring : {matches, mismatches}) {
    CHECK(said(scoring, 1'000'000).empty());
    CHECK(said(scoring, 1'000'001).starts_with("read \"giant\" has 1000001 bases, -A "));
  }
  CHECK(said(Scoring(), 5'000'000).empty());
}

TEST_CASE("of many reads that are too long the first one is named", "[align][aligner]") {
  std::mt19937 rng(33);
  const SmallWorld world(rng);
  AlignOptions options;
  options.scoring.match = 10'000'000;  // reads of 100 bases at most
  const Aligner aligner(*world.index, options, false);
  ReadBatch batch;
  for (int i = 0; i < 2000; ++i) batch.add("r" + std::to_string(i), "", std::string(i < 1234 ? 100 : 101, 'A'), "");
  AlignmentBatch aligned;
  for (int again = 0; again < 20; ++again) {
    const std::string message = test::message_of<InputError>([&] { aligner.prepare(batch, aligned); });
    CHECK(message.starts_with("read \"r1234\" has 101 bases, "));
  }
}

TEST_CASE("pairs are proper, and results do not depend on the number of threads", "[align][aligner]") {
  std::mt19937 rng(32);
  const SmallWorld world(rng);
  ReadBatch batch;
  for (int i = 0; i < 400; ++i) {
    Origin origin{};
    const std::string fragment = draw_read(world, 300 + rng() % 60, rng, origin);
    batch.add("p", "", fragment.substr(0, 100), "");
    batch.add("p", "", reverse_complement(fragment.substr(fragment.size() - 100)), "");
  }
  std::vector<std::vector<ReadRecords>> runs;
  for (const int threads : {1, 2}) {
    tbb::task_arena arena(threads);
    arena.execute([&] { runs.push_back(Aligner(*world.index, AlignOptions{}, true).align(batch)); });
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const AlignmentRecord &one = runs[0][i].front(), &two = runs[1][i].front();
    REQUIRE((one.flag & records::sam_flag::proper_pair) != 0);
    REQUIRE(one.flag == two.flag);
    REQUIRE(one.position == two.position);
    REQUIRE(one.mapq == two.mapq);
    REQUIRE(one.cigar == two.cigar);
    REQUIRE(one.mate_cigar == cigar_text(runs[0][i ^ 1].front().cigar));
    REQUIRE(one.template_length == -runs[0][i ^ 1].front().template_length);
  }
}

TEST_CASE("reads that cannot be aligned are unmapped, not lost", "[align][aligner]") {
  std::mt19937 rng(33);
  const SmallWorld world(rng);
  ReadBatch batch;
  batch.add("empty", "", "", "");
  batch.add("short", "", "ACGTACGT", "");
  batch.add("n", "", std::string(100, 'N'), "");
  batch.add("elsewhere", "", letters_of(test::random_codes(100, 4, rng)), "");
  batch.add("long", "", letters_of(test::random_codes(50000, 4, rng)), "");
  Aligner aligner(*world.index, AlignOptions{}, false);
  const auto records = aligner.align(batch);
  REQUIRE(records.size() == batch.size());
  for (const ReadRecords& read : records) {
    REQUIRE(read.size() == 1);
    CHECK(read.front().flag == records::sam_flag::unmapped);
  }
}

TEST_CASE("a chimeric read is split between its two origins", "[align][aligner]") {
  std::mt19937 rng(34);
  const SmallWorld world(rng);
  const std::string a = letters_of(world.contigs[0]).substr(1000, 80);
  const std::string b = letters_of(world.contigs[1]).substr(15000, 70);
  ReadBatch batch;
  batch.add("split", "", a + b, "");
  Aligner aligner(*world.index, AlignOptions{}, false);
  const ReadRecords records = aligner.align(batch).front();
  REQUIRE(records.size() == 2);
  CHECK(records[0].position == 1000);
  CHECK((records[1].flag & records::sam_flag::supplementary) != 0);
  CHECK(records[1].contig == 1);
  CHECK(cigar_op(records[1].cigar.front()) == CigarOp::hard_clip);
  CHECK(records[0].split.starts_with("contig2,"));
  CHECK(records[1].split.starts_with("contig1,1001,+,"));
}

TEST_CASE("each read group has its own insert size, learnt from its first reads", "[align][aligner]") {
  std::mt19937 rng(35);
  const SmallWorld world(rng);
  const auto add_pair = [&](ReadBatch& batch, std::size_t insert, std::uint32_t group) {
    Origin origin{};
    const std::string fragment = draw_read(world, insert, rng, origin);
    const std::string first = fragment.substr(0, 80),
                      second = reverse_complement(fragment.substr(fragment.size() - 80));
    batch.add({"p", {}, first, {}, {}, group});
    batch.add({"p", {}, second, {}, {}, group});
  };
  Aligner aligner(*world.index, AlignOptions{}, true);
  ReadBatch one, two;
  for (int i = 0; i < 100; ++i) add_pair(one, 300 + rng() % 20, 1);
  for (int i = 0; i < 10; ++i) add_pair(one, 600 + rng() % 20, 3);  // too few to learn from
  for (int i = 0; i < 40; ++i) add_pair(two, 600 + rng() % 20, 3);
  for (int i = 0; i < 10; ++i) add_pair(two, 310, 1);
  aligner.align(one);
  const auto fr = [&](std::uint32_t group) { return aligner.insert_sizes().of(group)[Orientation::fr]; };
  CHECK(fr(1).mean == Approx(310).margin(5));
  CHECK_FALSE(fr(3).known);
  CHECK_FALSE(aligner.insert_sizes().seen(2));
  CHECK_FALSE(fr(2).known);
  CHECK_FALSE(fr(7).known);
  const auto records = aligner.align(two);
  CHECK(fr(1).mean == Approx(310).margin(5));
  CHECK(fr(3).mean == Approx(610).margin(5));
  for (const ReadRecords& read : records) CHECK((read.front().flag & records::sam_flag::proper_pair) != 0);

  Aligner told(*world.index, AlignOptions{}, true);
  told.set_insert_sizes(given_insert_sizes(310, 20, 0, 0, Scoring{}));
  const auto others = told.align(two);
  CHECK((others.front().front().flag & records::sam_flag::proper_pair) == 0);
  CHECK((others.back().front().flag & records::sam_flag::proper_pair) != 0);
  CHECK(told.insert_sizes().of(3)[Orientation::fr].mean == 310);
}
