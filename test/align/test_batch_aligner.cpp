// Hits and alignments of reads in batches, on every backend, compared with one read at a time on the CPU.
#include <algorithm>
#include <set>
#include <tuple>

#include "align/pair/insert_size_distribution.hpp"
#include "align/pair/pairing.hpp"
#include "align/pipeline/batch_aligner.hpp"
#include "align/pipeline/read_aligner.hpp"
#include "align/select/rank_core.hpp"
#include "base_world.hpp"
#include "catch.hpp"
#include "core/error.hpp"
#include "devices.hpp"
#include "message_of.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::index;
using namespace warpseed::reads;
using namespace warpseed::records;
using namespace warpseed::text;

/// Contigs with a family of repeats, a tandem repeat, and N.
test::BaseWorld repeat_world(std::mt19937& rng) {
  const std::string element = test::random_bases(300, rng), unit = test::random_bases(23, rng);
  std::vector<std::pair<std::string, std::string>> contigs;
  for (int contig = 0; contig < 4; ++contig) {
    std::string bases = test::random_bases(2000, rng);
    for (int copy = 0; copy < 200; ++copy) {
      std::string worn = element;
      for (int change = 0; change < 8; ++change) worn = test::changed(worn, {rng() % worn.size()});
      bases += copy % 2 == 0 ? worn : test::reverse_complement(worn);
      bases += test::random_bases(30, rng);
    }
    for (int copy = 0; copy < 300; ++copy) bases += unit;
    bases.append(50, 'N');
    bases += test::random_bases(500, rng);
    contigs.emplace_back(std::string(1, static_cast<char>('a' + contig)), bases);
  }
  return test::BaseWorld(contigs);
}

/// A mutated piece of any range of the genome, on either strand, of 0 to 1,000 bases; some with many N.
std::string draw_read(const GenomeView& genome, std::mt19937& rng) {
  const GenomePos size = genome.contig_begins[genome.contig_count()];
  const std::size_t length = rng() % 8 == 0 ? rng() % 1001 : rng() % 200;
  const GenomePos begin = rng() % (size - length);
  std::vector<std::uint8_t> codes(length);
  fetch_codes(genome, begin, begin + length, codes.data());
  const unsigned wear = rng() % 4 == 0 ? 3 : 60, unknown = rng() % 6 == 0 ? 10 : 1000;
  std::string bases;
  for (std::uint8_t code : codes) {
    if (rng() % wear == 0) code = static_cast<std::uint8_t>(rng() % 4);
    bases += rng() % unknown == 0 ? 'N' : base_of_code(code);
  }
  return rng() % 2 == 0 ? bases : test::reverse_complement(bases);
}

auto fields_of(const Alignment& a) {
  return std::make_tuple(a.genome_begin, a.genome_end, a.query_begin, a.query_end, a.score, a.path_score,
                         a.clip_penalty, a.second_score, a.second_count, a.secondary_to, a.alternative_of, a.alt_score,
                         a.contig, a.tie, a.reverse, a.alt);
}

void require_same(const ReadAlignments& got, const ReadAlignments& wanted) {
  REQUIRE(got.traits.length == wanted.traits.length);
  REQUIRE(got.traits.repetitive == wanted.traits.repetitive);
  REQUIRE(got.alignments.size() == wanted.alignments.size());
  for (std::size_t a = 0; a < wanted.alignments.size(); ++a)
    REQUIRE(fields_of(got.alignments[a]) == fields_of(wanted.alignments[a]));
}

/// Computes all alignments of a batch.
void align_all(BatchAligner& read_aligner, std::span<ReadAlignments> reads, std::uint64_t first_number) {
  const auto job = read_aligner.begin(reads, first_number, nullptr);
  job->wait();
  job->fetch(0, reads.size(), FetchScope::all);
}

/// The mate of a fragment that begins at `begin`, or a read from anywhere.
std::string draw_mate(const GenomeView& genome, GenomePos begin, std::mt19937& rng) {
  if (rng() % 12 == 0) return draw_read(genome, rng);
  const GenomePos size = genome.contig_begins[genome.contig_count()];
  const std::size_t length = 40 + rng() % 120;
  const GenomePos end = std::min<GenomePos>(begin + 200 + rng() % 200, size);
  std::vector<std::uint8_t> codes(std::min<GenomePos>(length, end));
  fetch_codes(genome, end - codes.size(), end, codes.data());
  std::string bases;
  const unsigned wear = rng() % 3 == 0 ? 12 : 100;
  for (const std::uint8_t code : codes) bases += rng() % wear == 0 ? 'T' : base_of_code(code);
  if (rng() % 8 == 0) {  // aligned by mate rescue only: its known bases score less than the minimum
    const std::size_t known = std::min<std::size_t>(19 + rng() % 11, bases.size());
    std::fill(bases.begin(), bases.end() - static_cast<std::ptrdiff_t>(known), 'N');
  }
  return test::reverse_complement(bases);
}

/// Pairs of fragments from anywhere; some mates have few seeds.
ReadBatch draw_pairs(const GenomeView& genome, std::size_t count, std::mt19937& rng) {
  ReadBatch batch;
  const GenomePos size = genome.contig_begins[genome.contig_count()];
  for (std::size_t i = 0; i < count; ++i) {
    const GenomePos begin = rng() % (size - 200);
    std::vector<std::uint8_t> codes(60 + rng() % 100);
    fetch_codes(genome, begin, begin + codes.size(), codes.data());
    std::string bases;
    for (const std::uint8_t code : codes) bases += rng() % 50 == 0 ? 'A' : base_of_code(code);
    const std::string mate = draw_mate(genome, begin, rng);
    ReadView first, second;
    first.name = second.name = "p";
    first.bases = bases, second.bases = mate;
    first.read_group = second.read_group = static_cast<std::uint32_t>(rng() % 3);
    if (rng() % 2 == 0) std::swap(first.bases, second.bases);
    batch.add(first), batch.add(second);
  }
  return batch;
}

}  // namespace

TEST_CASE("a batch of reads gets the alignments that its reads get alone", "[align][backend][places]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(53);
  const test::BaseWorld world = repeat_world(rng);
  const GenomeView& genome = world.index->genome();
  const std::vector<std::uint8_t> alt = {0, 0, 0, 1};
  AlignOptions options;
  options.max_diagonals = GENERATE(1024U, 64U);
  if (options.max_diagonals == 64) options.alt_contigs = std::span(alt), options.scoring.mismatch = 3;
  ReadBatch reads;
  for (int i = 0; i < 2500; ++i)
    reads.add("r", "", i == 7 ? test::random_bases(40000, rng) : draw_read(genome, rng), "");
  const auto read_aligner = make_batch_aligner(world.index->fm(), genome, options, backend);
  ReadAligner alone(world.index->fm(), genome, options);
  std::size_t alignments = 0, second = 0, chosen = 0;
  for (const std::size_t size : {reads.size(), std::size_t{1}, std::size_t{0}, std::size_t{600}}) {
    std::vector<ReadAlignments> aligned(size);
    for (std::size_t i = 0; i < size; ++i) aligned[i].read.assign(reads[i].bases);
    align_all(*read_aligner, aligned, 1000);
    for (std::size_t i = 0; i < size; ++i) {
      CAPTURE(size, i, reads[i].bases.size());
      std::vector<ReadAlignments> one(1);
      one[0].read.assign(reads[i].bases);
      alone.align(one, 1000 + i);
      require_same(aligned[i], one[0]);
      for (const Alignment& alignment : one[0].alignments) second += alignment.second_score > 0 ? 1 : 0;
      alignments += one[0].alignments.size();
    }
    const std::vector<std::uint32_t> groups(size);
    std::vector<Choice> choices(size);
    const SelectionRequest selection = {false, groups, nullptr, choices};
    read_aligner->begin(aligned, 1000, &selection)->wait();
    for (std::size_t i = 0; i < size; ++i) {
      const ReadAlignments& read = aligned[i];
      const Choice wanted = choose_single(std::span(read.alignments), read.traits, options);
      REQUIRE(std::tie(choices[i].primary, choices[i].mapq) == std::tie(wanted.primary, wanted.mapq));
      chosen += wanted.mapq > 0 ? 1 : 0;
    }
  }
  CHECK(chosen > 1000);
  CHECK(alignments > 10000);
  CHECK(second > 1000);
}

TEST_CASE("with any seed options, a batch gets the alignments that its reads get alone", "[align][backend][places]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(51);
  const test::BaseWorld world = repeat_world(rng);
  AlignOptions options;
  options.max_occurrences = GENERATE(500U, 20U);
  options.min_seed = GENERATE(19U, 10U);  // short ones exceed a device's initial allocation
  const std::uint64_t narrow_rows = GENERATE(narrow_limit, std::uint64_t{1000});  // 1000: simulates a longer text
  CAPTURE(options.max_occurrences, options.min_seed, narrow_rows);
  std::vector<ReadAlignments> aligned(600);
  for (ReadAlignments& read : aligned) read.read.assign(draw_read(world.index->genome(), rng));
  std::vector<ReadAlignments> alone = aligned;
  const auto read_aligner =
      make_batch_aligner(world.index->fm(), world.index->genome(), options, backend, AlignerLimits{0, narrow_rows});
  align_all(*read_aligner, aligned, 0);
  ReadAligner one_by_one(world.index->fm(), world.index->genome(), options);
  std::size_t repetitive = 0;
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    CAPTURE(i, aligned[i].read.length());
    one_by_one.align(std::span(alone).subspan(i, 1), i);
    require_same(aligned[i], alone[i]);
    repetitive += alone[i].traits.repetitive;
  }
  CHECK(repetitive > 200);
}

TEST_CASE("where a device's memory is short fewer reads are aligned at a time, with the same result",
          "[align][gpu][places]") {
  std::mt19937 rng(55);
  const test::BaseWorld world = repeat_world(rng);
  const AlignOptions options;
  std::vector<ReadAlignments> reads(1500);
  for (ReadAlignments& aligned : reads) aligned.read.assign(draw_read(world.index->genome(), rng));
  reads[20].read.assign(test::random_bases(20000, rng));  // its warp wants room for a row as long
  const auto place = [&](const Backend& backend, std::uint64_t memory_bytes, bool short_of_memory) {
    std::vector<ReadAlignments> aligned = reads;
    const auto read_aligner =
        make_batch_aligner(world.index->fm(), world.index->genome(), options, backend, {memory_bytes});
    align_all(*read_aligner, aligned, 0);
    CHECK((read_aligner->shrunk_to() > 0) == short_of_memory);
    return aligned;
  };
  const std::vector<ReadAlignments> wanted = place(Backend{}, 0, false);
  for (const Backend& device : test::devices()) {
    for (const std::uint64_t memory_bytes : {std::uint64_t{0}, std::uint64_t{192} << 20}) {
      const std::vector<ReadAlignments> got = place(device, memory_bytes, memory_bytes > 0);
      for (std::size_t i = 0; i < reads.size(); ++i) {
        CAPTURE(to_string(device), memory_bytes, i);
        require_same(got[i], wanted[i]);
      }
    }
  }
}

namespace {

/// Results for pairs, all in one batch.
struct AlignedPairs {
  std::vector<ReadAlignments> reads;
  std::vector<Choice> choices;  // one per read
};

/// Pairs placed as one batch and chosen in parts. inserts: learnt from them unless given. memory_bytes: so few of a device's
/// that it goes on with fewer reads; 0: all.
AlignedPairs align_pairs(const Index& index, const ReadBatch& batch, const AlignOptions& options,
                         const Backend& backend, ReadGroupInsertSizes& insert_sizes, std::uint64_t memory_bytes = 0) {
  const auto read_aligner = make_batch_aligner(index.fm(), index.genome(), options, backend, {memory_bytes});
  AlignedPairs pairs = {std::vector<ReadAlignments>(batch.size()), std::vector<Choice>(batch.size())};
  std::vector<std::uint32_t> groups(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i)
    pairs.reads[i].read.assign(batch[i].bases), groups[i] = batch[i].read_group;
  const auto job = read_aligner->begin(pairs.reads, 500, nullptr);
  job->wait();
  job->fetch(0, batch.size(), FetchScope::all);
  insert_sizes.learn(groups, pairs.reads, options.scoring);
  const std::uint64_t parts[] = {0, 2, 200, 200, batch.size()};
  for (std::size_t part = 0; part + 1 < std::size(parts); ++part) {
    const std::uint64_t first = parts[part], size = parts[part + 1] - first;
    job->choose_pairs(first, first + size, std::span(groups).subspan(first, size), insert_sizes,
                      std::span(pairs.choices).subspan(first, size));
  }
  job->fetch(0, batch.size(), FetchScope::all);
  CHECK((read_aligner->shrunk_to() > 0) == (memory_bytes > 0));
  return pairs;
}

/// One pair aligned and chosen alone on the CPU.
struct SinglePair {
  std::vector<ReadAlignments> reads{2};
  ChoicePair choices;
  bool rescued = false;

  SinglePair(const ReadBatch& batch, std::size_t i, const AlignOptions& options,
             const ReadGroupInsertSizes& insert_sizes, ReadAligner& read_aligner) {
    reads[0].read.assign(batch[i].bases), reads[1].read.assign(batch[i + 1].bases);
    read_aligner.align(reads, 500 + i);
    const std::size_t before = reads[0].alignments.size() + reads[1].alignments.size();
    choices =
        pair_mates(reads[0], reads[1], 500 + i, insert_sizes.of(batch[i].read_group).view(), options, read_aligner);
    rescued = reads[0].alignments.size() + reads[1].alignments.size() > before;
  }
};

void require_same(const AlignedPairs& got, std::size_t i, const SinglePair& wanted) {
  require_same(got.reads[i], wanted.reads[0]);
  require_same(got.reads[i + 1], wanted.reads[1]);
  for (const auto& [choice, want] :
       {std::pair(got.choices[i], wanted.choices.first), std::pair(got.choices[i + 1], wanted.choices.second)}) {
    REQUIRE(std::tie(choice.primary, choice.mapq, choice.proper) == std::tie(want.primary, want.mapq, want.proper));
  }
}

/// The number of pairs of alignments that tie with the chosen one.
std::size_t tied_count(SinglePair& pair, const InsertSizeView& expected) {
  const auto list_of = [](ReadAlignments& read) {
    return MateList{read.alignments.data(), static_cast<std::uint32_t>(read.alignments.size()), read.traits.length};
  };
  const MateLists mates = {list_of(pair.reads[0]), list_of(pair.reads[1]), 0};
  if (pair.choices.first.primary == no_alignment || pair.choices.second.primary == no_alignment) return 0;
  const PairChoice chosen = pair_of(mates, static_cast<std::uint32_t>(pair.choices.first.primary),
                                    static_cast<std::uint32_t>(pair.choices.second.primary), expected);
  std::size_t count = 0;
  for (std::uint32_t a = 0; a < mates.first.count; ++a) {
    for (std::uint32_t b = 0; b < mates.second.count; ++b) {
      const PairChoice other = pair_of(mates, a, b, expected);
      count += other.first != no_alignment && other.is_tied(chosen) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("a batch of pairs gets the choices that its pairs get alone", "[align][backend][places]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(54);
  const test::BaseWorld world = repeat_world(rng);
  AlignOptions options;
  options.pairing = GENERATE(true, false);
  const ReadBatch batch = draw_pairs(world.index->genome(), 3000, rng);
  ReadGroupInsertSizes insert_sizes;
  const AlignedPairs aligned = align_pairs(*world.index, batch, options, backend, insert_sizes);
  REQUIRE(insert_sizes.of(1).known());
  ReadAligner alone(world.index->fm(), world.index->genome(), options);
  std::size_t rescued = 0, proper = 0, poor = 0;
  for (std::size_t i = 0; i < batch.size(); i += 2) {
    CAPTURE(i, batch[i].bases, batch[i + 1].bases);
    const SinglePair wanted(batch, i, options, insert_sizes, alone);
    rescued += wanted.rescued ? 1 : 0;
    proper += wanted.choices.first.proper ? 1 : 0;
    require_same(aligned, i, wanted);
    for (const auto& [mate, choice] :
         {std::pair(&wanted.reads[0], wanted.choices.first), std::pair(&wanted.reads[1], wanted.choices.second)}) {
      if (choice.primary == no_alignment) continue;
      const std::vector<Alignment>& found = mate->alignments;
      const auto count = static_cast<std::uint32_t>(found.size());
      REQUIRE(choice.primary < static_cast<std::int32_t>(reported_count(found.data(), count, options)));
      poor += found[static_cast<std::size_t>(choice.primary)].score < options.min_score ? 1 : 0;
    }
  }
  CHECK(rescued > 100);
  CHECK((options.pairing ? proper > 1500 : proper == 0));
  if (options.pairing) CHECK(poor > 50);
}

TEST_CASE("a pair with a mate too long for the device's rescue is not rescued, and has the CPU's choices",
          "[align][backend][places]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(57);
  const std::string bases = test::random_bases(60000, rng);
  const test::BaseWorld world({{"long", bases}});
  // No exact run long enough for a seed, but enough for rescue.
  const std::string beside(40, 'N'), little = beside + test::changed(bases.substr(10300, 31), {15}) + beside;
  const std::string lost = test::reverse_complement(little), found = test::reverse_complement(bases.substr(10250, 100));
  ReadBatch batch = draw_pairs(world.index->genome(), 200, rng);
  for (const std::size_t length : {longest_rescued, longest_rescued + 1, 40000U}) {
    const std::string anchor = bases.substr(10000, length);
    for (const std::string& read : {anchor, lost, lost, anchor, anchor, found}) batch.add("p", "", read, "");
  }
  const AlignOptions options;
  ReadGroupInsertSizes insert_sizes;
  insert_sizes.set(given_insert_sizes(300, 50, 0, 0, options.scoring));
  const AlignedPairs aligned = align_pairs(*world.index, batch, options, backend, insert_sizes);
  ReadAligner alone(world.index->fm(), world.index->genome(), options);
  std::size_t rescued = 0, rescued_long = 0, proper_long = 0;
  for (std::size_t i = 0; i < batch.size(); i += 2) {
    CAPTURE(i);
    const SinglePair wanted(batch, i, options, insert_sizes, alone);
    require_same(aligned, i, wanted);
    const std::size_t longer = std::max(batch[i].bases.size(), batch[i + 1].bases.size());
    rescued += wanted.rescued && longer == longest_rescued ? 1 : 0;
    rescued_long += wanted.rescued && longer > longest_rescued ? 1 : 0;
    proper_long += wanted.choices.first.proper && longer > longest_rescued ? 1 : 0;
  }
  CHECK(rescued == 2);
  CHECK(rescued_long == 0);
  CHECK(proper_long == 2);
}

TEST_CASE("among identical copies a batch of pairs chooses those that its pairs choose alone",
          "[align][backend][places]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(56);
  const std::string element = test::random_bases(700, rng), unit = test::random_bases(5, rng);
  std::string copies, tandem;
  for (int copy = 0; copy < 100; ++copy)
    copies += (copy % 3 == 0 ? test::reverse_complement(element) : element) + test::random_bases(30, rng);
  for (int copy = 0; copy < 600; ++copy) tandem += unit;
  const test::BaseWorld world({{"copies", copies}, {"tandem", tandem}});
  const AlignOptions options;
  ReadBatch batch;
  for (int i = 0; i < 300; ++i) {
    const std::string& from = i % 10 == 0 ? tandem : element;
    const std::size_t begin = rng() % 300;
    for (const std::string& mate :
         {from.substr(begin, 100), test::reverse_complement(from.substr(begin + 200 + rng() % 100, 100))})
      batch.add("p", "", mate, "");
  }
  ReadGroupInsertSizes insert_sizes;
  insert_sizes.set(given_insert_sizes(350, 30, 0, 0, options.scoring));
  const AlignedPairs aligned = align_pairs(*world.index, batch, options, backend, insert_sizes);
  ReadAligner alone(world.index->fm(), world.index->genome(), options);
  std::size_t max_tied = 0;
  std::set<GenomePos> taken;
  for (std::size_t i = 0; i < batch.size(); i += 2) {
    CAPTURE(i, batch[i].bases, batch[i + 1].bases);
    SinglePair wanted(batch, i, options, insert_sizes, alone);
    require_same(aligned, i, wanted);
    const auto primary = static_cast<std::size_t>(wanted.choices.first.primary);
    taken.insert(wanted.reads[0].alignments.at(primary).genome_begin / (element.size() + 30));
    max_tied = std::max(max_tied, tied_count(wanted, insert_sizes.of(0).view()));
  }
  CHECK(max_tied > 256);
  CHECK(taken.size() > 80);
}

namespace {

/// All that is written of each record.
void require_same(const std::vector<ReadRecords>& got, const std::vector<ReadRecords>& wanted) {
  const auto fields_of = [](const AlignmentRecord& r) {
    return std::tie(r.flag, r.contig, r.position, r.mapq, r.cigar, r.mate_contig, r.mate_position, r.template_length,
                    r.omit_sequence, r.edit_distance, r.mismatches, r.score, r.second_score, r.mate_mapq, r.mate_cigar,
                    r.split, r.share_of_alt, r.alternatives);
  };
  REQUIRE(got.size() == wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    REQUIRE(got[i].size() == wanted[i].size());
    for (std::size_t k = 0; k < got[i].size(); ++k) {
      CAPTURE(k);
      CHECK(fields_of(got[i][k]) == fields_of(wanted[i][k]));
    }
  }
}

/// Single reads and pairs, with a contig that is an ALT one.
struct RecordWorld {
  std::mt19937 rng{52};
  test::BaseWorld world = repeat_world(rng);
  std::vector<std::uint8_t> alt = {0, 0, 0, 1};
  ReadBatch reads, pairs;

  RecordWorld() {
    for (int i = 0; i < 600; ++i) reads.add("r", "", draw_read(world.index->genome(), rng), "");
    pairs = draw_pairs(world.index->genome(), 1000, rng);
  }

  /// Of the same batch twice: with inserts that are learnt from it, so that choices wait for them, and with given ones.
  std::vector<ReadRecords> align(bool paired, const Backend& backend, std::uint64_t memory_bytes = 0) const {
    AlignOptions options;
    options.alt_contigs = std::span(alt);
    Aligner aligner(*world.index, options, paired, backend, memory_bytes);
    std::vector<ReadRecords> records = aligner.align(paired ? pairs : reads);
    if (paired) aligner.set_insert_sizes(given_insert_sizes(300, 50, 0, 0, options.scoring));
    for (ReadRecords& more : aligner.align(paired ? pairs : reads)) records.push_back(std::move(more));
    CHECK((aligner.shrunk_to() > 0) == (memory_bytes > 0));
    return records;
  }
};

/// What a device must be allowed for an index, as the refusal of a single byte has it: "--memory 137M".
std::uint64_t least_memory_bytes(const Index& index, const Backend& device) {
  const std::string message = test::message_of<BackendError>(
      [&] { make_batch_aligner(index.fm(), index.genome(), AlignOptions(), device, {1}); });
  const std::string flag = "--memory ";
  const std::size_t at = message.find(flag);
  CAPTURE(message);
  REQUIRE(at != std::string::npos);
  std::size_t digits = 0;
  const std::uint64_t mib = std::stoull(message.substr(at + flag.size()), &digits);
  REQUIRE(message.at(at + flag.size() + digits) == 'M');
  return mib << 20;
}

}  // namespace

TEST_CASE("records are the same on every backend", "[align][backend][places]") {
  const RecordWorld world;
  for (const bool paired : {false, true}) {
    const auto wanted = world.align(paired, Backend{});
    const auto has = [&](auto field) {
      return std::any_of(wanted.begin(), wanted.end(), [&](const ReadRecords& records) {
        return std::any_of(records.begin(), records.end(), [&](const AlignmentRecord& r) { return field(r); });
      });
    };
    CHECK(has([](const AlignmentRecord& r) { return r.edit_distance > 0 && !r.mismatches.empty(); }));
    CHECK(has([](const AlignmentRecord& r) { return r.share_of_alt > 0; }));
    CHECK(paired == has([](const AlignmentRecord& r) { return r.template_length > 0 && !r.mate_cigar.empty(); }));
    for (const Backend& backend : available_backends(2)) {
      CAPTURE(to_string(backend), paired);
      require_same(world.align(paired, backend), wanted);
    }
  }
}

TEST_CASE("with the least memory that a device may be held to the records are those of the CPU",
          "[align][gpu][places]") {
  RecordWorld world;
  const std::string longer = test::random_bases(20000, world.rng);  // its warps want room for a row as long
  for (int mate = 0; mate < 2; ++mate) world.pairs.add("p", "", longer, "");
  world.reads.add("r", "", longer, "");
  for (const bool paired : {false, true}) {
    const auto wanted = world.align(paired, Backend{});
    for (const Backend& device : test::devices()) {
      CAPTURE(to_string(device), paired);
      require_same(world.align(paired, device, least_memory_bytes(*world.world.index, device)), wanted);
    }
  }
}

TEST_CASE("with the least memory that a device may be held to pairs have the choices that they have alone",
          "[align][gpu][places]") {
  std::mt19937 rng(58);
  const test::BaseWorld world = repeat_world(rng);
  const AlignOptions options;
  ReadBatch batch = draw_pairs(world.index->genome(), 1500, rng);
  for (int mate = 0; mate < 2; ++mate) batch.add("p", "", test::random_bases(20000, rng), "");
  for (const Backend& device : test::devices()) {
    ReadGroupInsertSizes insert_sizes;
    const std::uint64_t memory_bytes = least_memory_bytes(*world.index, device);
    const AlignedPairs aligned = align_pairs(*world.index, batch, options, device, insert_sizes, memory_bytes);
    ReadAligner alone(world.index->fm(), world.index->genome(), options);
    for (std::size_t i = 0; i < batch.size(); i += 2) {
      CAPTURE(to_string(device), i);
      require_same(aligned, i, SinglePair(batch, i, options, insert_sizes, alone));
    }
  }
}
