// Choices of pairs in batches, on every backend, compared with one pair at a time on the CPU.
#include "batch_reads.hpp"
#include "catch.hpp"
#include "devices.hpp"
#include "message_of.hpp"

using namespace warpseed;
using namespace warpseed::test;

namespace {

/// Results for pairs, all in one batch.
struct AlignedPairs {
  std::vector<ReadAlignments> reads;
  std::vector<Choice> choices;  // one per read
};

/// Pairs aligned as one batch and chosen in parts. inserts: learnt from them unless given. memory_bytes: so few of a
/// device's that it goes on with fewer reads; 0: all.
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
  test::require_same(got.reads[i], wanted.reads[0]);
  test::require_same(got.reads[i + 1], wanted.reads[1]);
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

TEST_CASE("a batch of pairs gets the choices that its pairs get alone", "[align][backend][batch]") {
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
      const auto& found = mate->alignments;
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
          "[align][backend][batch]") {
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
          "[align][backend][batch]") {
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

TEST_CASE("with the least memory that a device may be held to pairs have the choices that they have alone",
          "[align][gpu][batch]") {
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
