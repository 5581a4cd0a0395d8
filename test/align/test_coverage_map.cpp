// Coverage in windows, base qualities and GC content: against counts base by base.
#include <algorithm>
#include <random>

#include "align/report/align_statistics.hpp"
#include "catch.hpp"
#include "text/genome.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::records;

text::Genome genome_of(const std::vector<std::string>& contigs) {
  text::GenomeBuilder builder;
  for (const std::string& bases : contigs) {
    builder.begin_contig("c");
    builder.add(bases);
  }
  return builder.finish();
}

/// Random bases with runs of N.
std::string bases_with_gaps(std::size_t length, std::mt19937& rng) {
  std::string bases;
  while (bases.size() < length) {
    if (rng() % 4 == 0) {
      bases.append(rng() % 90, 'N');
    } else {
      for (std::size_t left = rng() % 200; left > 0; --left) bases += "ACGT"[rng() % 4];
    }
  }
  bases.resize(length);
  return bases;
}

/// A record somewhere in the contigs, with gaps and clips.
AlignmentRecord random_record(const std::vector<std::string>& contigs, std::mt19937& rng) {
  AlignmentRecord record;
  record.contig = static_cast<std::int32_t>(rng() % contigs.size());
  const std::size_t length = contigs[static_cast<std::size_t>(record.contig)].size();
  std::size_t at = rng() % length;
  record.position = static_cast<std::int64_t>(at);
  append(record.cigar, CigarOp::soft_clip, static_cast<std::uint32_t>(rng() % 3));
  for (const CigarOp op : {CigarOp::match, CigarOp::deletion, CigarOp::equal, CigarOp::insertion, CigarOp::mismatch}) {
    const std::size_t most = op == CigarOp::match ? 150 : 5;
    const std::size_t size = std::min<std::size_t>(1 + rng() % most, length - at);
    if (size == 0) break;
    append(record.cigar, op, static_cast<std::uint32_t>(size));
    if (op != CigarOp::insertion) at += size;
  }
  append(record.cigar, CigarOp::hard_clip, static_cast<std::uint32_t>(rng() % 3));
  return record;
}

/// Depth of every base of every contig.
using Depths = std::vector<std::vector<std::uint64_t>>;

void count(const AlignmentRecord& record, Depths& depths) {
  auto at = static_cast<std::size_t>(record.position);
  for (const CigarElement element : record.cigar) {
    const CigarOp op = cigar_op(element);
    for (std::uint32_t i = 0; i < cigar_length(element); ++i) {
      if (op == CigarOp::match || op == CigarOp::equal || op == CigarOp::mismatch) {
        ++depths[static_cast<std::size_t>(record.contig)][at++];
      } else if (op == CigarOp::deletion) {
        ++at;
      }
    }
  }
}

}  // namespace

TEST_CASE("depth and covered bases in windows", "[align][statistics]") {
  std::mt19937 rng(11);
  const std::vector<std::string> contigs = {bases_with_gaps(1000, rng), "A", bases_with_gaps(63, rng),
                                            std::string(200, 'N'), bases_with_gaps(3337, rng)};
  const text::Genome genome = genome_of(contigs);
  CoverageMap map(genome.view(), 60);
  REQUIRE(map.window_bases() == 100);  // 10 + 1 + 1 + 2 + 34 windows; of 50 bases there would be 94
  REQUIRE(map.window_count() == 48);
  Depths depths;
  for (const std::string& contig : contigs) depths.emplace_back(contig.size());
  std::vector<std::uint64_t> one(map.window_count()), other(map.window_count());
  for (int i = 0; i < 200; ++i) {
    const AlignmentRecord record = random_record(contigs, rng);
    map.add(record, i % 3 == 0 ? one : other);
    count(record, depths);
  }
  for (std::size_t i = 0; i < one.size(); ++i) one[i] += other[i];
  const std::vector<CoverageWindow> windows = map.windows(one);
  REQUIRE(windows.size() == 48);
  std::size_t next = 0;
  for (std::size_t contig = 0; contig < contigs.size(); ++contig) {
    for (std::size_t begin = 0; begin < contigs[contig].size(); begin += 100, ++next) {
      const std::size_t end = std::min(contigs[contig].size(), begin + 100);
      CAPTURE(contig, begin);
      std::uint64_t known = 0, aligned = 0, covered = 0;
      for (std::size_t i = begin; i < end; ++i) {
        known += contigs[contig][i] != 'N';
        aligned += depths[contig][i];
        covered += contigs[contig][i] != 'N' && depths[contig][i] > 0;
      }
      CHECK(windows[next].contig == contig);
      CHECK(windows[next].begin == begin);
      CHECK(windows[next].end == end);
      CHECK(windows[next].known_bases == known);
      CHECK(windows[next].aligned_bases == aligned);
      CHECK(windows[next].covered_bases == covered);
    }
  }
  const std::vector<CoverageWindow> sums = by_contig(windows);
  REQUIRE(sums.size() == contigs.size());
  CHECK(sums[4].end == 3337);
  CHECK(sums[3].known_bases == 0);
  CHECK(sums[1].known_bases == 1);
}

TEST_CASE("the size of windows is round, and there are few", "[align][statistics]") {
  const auto window_bases = [](const std::vector<std::string>& contigs) {
    const text::Genome genome = genome_of(contigs);
    const CoverageMap map(genome.view(), 100);
    CHECK(map.windows({}).size() == map.window_count());
    return map.window_bases();
  };
  CHECK(window_bases({"ACGT"}) == 1);
  CHECK(window_bases({std::string(100, 'A')}) == 1);
  CHECK(window_bases({std::string(101, 'A')}) == 2);
  CHECK(window_bases({std::string(99999, 'A')}) == 1000);
  CHECK(window_bases(std::vector<std::string>(99, std::string(1000, 'A'))) ==
        1000);  // at most one and a half per contig
}

TEST_CASE("secondary and unmapped records have no depth", "[align][statistics]") {
  const text::Genome genome = genome_of({std::string(100, 'A')});
  CoverageMap map(genome.view());
  AlignStatistics statistics(true, &map);
  AlignmentRecord record;
  record.contig = 0, record.position = 10, record.mismatches = "10";
  record.cigar = {cigar_element(CigarOp::match, 10)};
  AlignmentRecord secondary = record, supplementary = record, unmapped;
  secondary.flag = records::sam_flag::secondary, secondary.position = 50;
  supplementary.flag = records::sam_flag::supplementary, supplementary.position = 15;
  unmapped.flag = records::sam_flag::unmapped;
  reads::ReadView read{};
  read.bases = "AAAAAAAAAA";
  statistics.add_pair(read, read, {record, supplementary, secondary}, {unmapped});
  AlignStatistics sum(true);
  sum += statistics;
  CoverageWindow all;
  for (const CoverageWindow& window : map.windows(sum.window_bases)) all += window;
  CHECK(all.aligned_bases == 20);
  CHECK(all.covered_bases == 15);
  CHECK(all.known_bases == 100);
}

TEST_CASE("qualities by position and GC content of reads", "[align][statistics]") {
  std::mt19937 rng(12);
  std::vector<std::vector<unsigned>> qualities(ReadProfile::max_positions);
  std::array<double, 101> gc{};
  ReadProfile one, other;
  std::uint64_t bases = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t length = i == 7 ? 1500 : i == 8 ? 0 : 1 + rng() % 150;
    std::string sequence, quality;
    int acgt = 0, of_gc = 0;
    for (std::size_t k = 0; k < length; ++k) {
      sequence += "ACGTacgtNR"[rng() % (i % 4 == 0 ? 10 : 8)];
      acgt += std::string_view("ACGTacgt").find(sequence.back()) != std::string_view::npos;
      of_gc += std::string_view("CGcg").find(sequence.back()) != std::string_view::npos;
      const unsigned value = static_cast<unsigned>(rng() % 42) + (rng() % 50 == 0 ? 52 : 0);
      quality += static_cast<char>('!' + value);
      if (k < qualities.size()) qualities[k].push_back(value);
    }
    const bool fasta = i == 9;
    if (fasta) {
      for (std::size_t k = 0; k < length; ++k) qualities[k].pop_back();
    }
    reads::ReadView read{};
    read.bases = sequence, read.qualities = fasta ? std::string_view() : quality;
    (i % 2 == 0 ? one : other).add(read);
    bases += length;
    // The read's share of each hundredth and first: the overlap of two intervals of [0, 1].
    for (std::size_t p = 0; p < gc.size() && acgt > 0; ++p) {
      const double begin = std::max(static_cast<double>(p) / 101, of_gc / (acgt + 1.0));
      const double end = std::min(static_cast<double>(p + 1) / 101, (of_gc + 1) / (acgt + 1.0));
      gc[p] += std::max(0.0, end - begin) * (acgt + 1);
    }
  }
  one += other;
  CHECK(one.reads == 300);
  CHECK(one.bases == bases);
  const auto percent = one.gc_percent();
  for (std::size_t p = 0; p < gc.size(); ++p) {
    CAPTURE(p);
    CHECK(std::abs(static_cast<double>(percent[p]) - gc[p]) <= 0.5 + 1e-6);
  }
  const std::vector<QualityPoint> points = one.qualities();
  REQUIRE(points.size() == ReadProfile::max_positions);
  for (std::size_t k = 0; k < points.size(); ++k) {
    CAPTURE(k);
    std::vector<unsigned>& values = qualities[k];
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (const unsigned value : values) sum += value;
    const std::size_t count = values.size();
    CHECK(points[k].bases == count);
    CHECK(std::abs(points[k].mean * static_cast<double>(count) - sum) < 1e-6);
    CHECK(points[k].lower_quartile == values[(count + 3) / 4 - 1]);
    CHECK(points[k].median == values[(count + 1) / 2 - 1]);
    CHECK(points[k].upper_quartile == values[(3 * count + 3) / 4 - 1]);
  }
}

TEST_CASE("a profile of no reads", "[align][statistics]") {
  const ReadProfile none;
  CHECK(none.qualities().empty());
  CHECK(none.gc_percent() == std::array<std::uint64_t, 101>{});
}
