// CIGARs that a backend computes in advance, compared with those computed one by one on the CPU.
#include <algorithm>
#include <set>
#include <tuple>

#include "align/pipeline/batch_aligner.hpp"
#include "align/record/path.hpp"
#include "align/record/path_core.hpp"
#include "base_world.hpp"
#include "catch.hpp"
#include "devices.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::index;
using namespace warpseed::records;
using namespace warpseed::text;

/// Adds gaps of 1 to 40 bases, about one in `wear` bases; N and other characters here and there.
std::string with_gaps(const std::string& bases, unsigned wear, std::mt19937& rng) {
  std::string worn;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (rng() % wear == 0) {
      const std::size_t length = rng() % 3 == 0 ? 1 + rng() % 40 : 1 + rng() % 3;
      if (rng() % 2 == 0)
        worn += test::random_bases(length, rng);
      else
        i += length;
    }
    if (i < bases.size()) worn += rng() % 150 == 0 ? "ACGTN"[rng() % 5] : bases[i];
  }
  return worn;
}

/// Contigs of random bases with N; and a family of repeats whose members differ by gaps, few enough for XA.
test::BaseWorld gapped_world(std::mt19937& rng) {
  const std::string element = test::random_bases(400, rng);
  std::vector<std::pair<std::string, std::string>> contigs;
  for (int contig = 0; contig < 4; ++contig) {
    std::string bases = test::random_bases(5000, rng);
    if (contig != 1) bases += with_gaps(element, 100, rng);
    bases += test::random_bases(900, rng) + "N" + test::random_bases(900, rng) + std::string(30, 'N');
    bases += test::random_bases(1500, rng);
    contigs.emplace_back(std::string(1, static_cast<char>('a' + contig)), bases);
  }
  return test::BaseWorld(contigs);
}

/// A read from anywhere, preferably the contigs' ends; some with foreign ends.
std::string draw_read(const GenomeView& genome, std::mt19937& rng) {
  const std::size_t contig = rng() % genome.contig_count();
  const GenomePos first = genome.contig_begins[contig], size = genome.contig_begins[contig + 1] - first;
  const std::size_t length = rng() % 4 == 0 ? 1 + rng() % 1000 : 60 + rng() % 140;
  GenomePos begin = rng() % (size - length + 1);
  if (rng() % 10 == 0) begin = rng() % 2 == 0 ? 0 : size - length;
  if (rng() % 6 == 0 && length < 300) begin = 5000 + rng() % 100;  // the repeats
  std::vector<std::uint8_t> codes(length);
  fetch_codes(genome, first + begin, first + begin + length, codes.data());
  std::string bases;
  for (const std::uint8_t code : codes) bases += base_of_code(code);
  bases = with_gaps(bases, rng() % 3 == 0 ? 25 : 150, rng);
  if (rng() % 8 == 0) bases = test::random_bases(20, rng) + bases + test::random_bases(30, rng);
  return rng() % 2 == 0 ? bases : test::reverse_complement(bases);
}

auto fields_of(const Path& path) {
  return std::tie(path.position, path.cigar, path.edit_distance, path.mismatches);
}

/// Counts of a batch's paths.
struct Tally {
  std::size_t paths = 0, known = 0, gapped = 0, known_gapped = 0, alternatives = 0;
};

void check_paths(const GenomeView& genome, const AlignOptions& options, const ReadAlignments& aligned, Tally& tally) {
  PathTracer tracer(genome, options);
  std::set<std::uint32_t> told;
  const auto count = static_cast<std::uint32_t>(aligned.alignments.size());
  for_each_reported(aligned.alignments.data(), count, options, [&](std::uint32_t i) {
    CHECK(told.insert(i).second);
    const Alignment& alignment = aligned.alignments[i];
    CAPTURE(i, alignment.genome_begin, alignment.genome_end, alignment.query_begin, alignment.query_end);
    const Path wanted = tracer.trace(alignment, aligned.read);
    const std::optional<PrecomputedCigar> known = aligned.paths.find(i);
    REQUIRE(fields_of(tracer.trace(alignment, aligned.read, known)) == fields_of(wanted));
    const auto is_gap = [](CigarElement e) {
      return cigar_op(e) == CigarOp::insertion || cigar_op(e) == CigarOp::deletion;
    };
    const bool gapped = std::any_of(wanted.cigar.begin(), wanted.cigar.end(), is_gap);
    tally.paths += 1;
    tally.known += known ? 1 : 0;
    tally.gapped += gapped ? 1 : 0;
    tally.known_gapped += gapped && known ? 1 : 0;
    tally.alternatives += gapped && alignment.alternative_of != no_alignment ? 1 : 0;
  });
  for (std::uint32_t i = 0; i < count; ++i) REQUIRE((told.contains(i) || !aligned.paths.find(i)));
}

}  // namespace

TEST_CASE("paths that come with a batch are those that are found on the CPU", "[align][gpu][batch]") {
  const std::vector<Backend> devices = test::devices();
  if (devices.empty()) return;
  const Backend backend = GENERATE_COPY(from_range(devices));
  const std::uint64_t memory_bytes = GENERATE(std::uint64_t{0}, std::uint64_t{192} << 20);
  CAPTURE(to_string(backend), memory_bytes);
  std::mt19937 rng(57);
  const test::BaseWorld world = gapped_world(rng);
  const GenomeView& genome = world.index->genome();
  AlignOptions options;
  options.report_all = GENERATE(false, true);
  std::vector<ReadAlignments> aligned(3000);
  for (ReadAlignments& read : aligned) {
    read.read.assign(draw_read(genome, rng));
    read.paths.add(0, std::vector{cigar_element(CigarOp::match, 7)}, {});  // left over from an earlier batch
  }
  aligned[5].read.assign("A");
  const auto read_aligner = make_batch_aligner(world.index->fm(), genome, options, backend, {memory_bytes});
  const auto job = read_aligner->begin(aligned, 0, nullptr);
  job->wait();
  job->fetch(0, 1000, FetchScope::reported);
  job->fetch(0, aligned.size(), FetchScope::all);
  for (const ReadAlignments& read : aligned) REQUIRE(read.paths.empty());
  job->fetch(0, aligned.size(), FetchScope::reported);
  Tally tally;
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    CAPTURE(i, aligned[i].read.length());
    check_paths(genome, options, aligned[i], tally);
  }
  CAPTURE(tally.paths, tally.known, tally.gapped, tally.known_gapped, tally.alternatives);
  CHECK(tally.gapped > 1000);
  CHECK(tally.alternatives > 100);
  CHECK(tally.known_gapped * 10 > tally.gapped * 9);
  CHECK(tally.known * 10 > tally.paths * 9);
}
