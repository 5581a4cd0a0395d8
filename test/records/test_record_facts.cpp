// Facts of records against htslib, and the 5' end against its definition.
#include "records/record_facts.hpp"

#include <random>
#include <vector>

#include "catch.hpp"
#include "records/bam_bytes.hpp"
#include "records/duplicate_rule.hpp"
#include "records/writer_helpers.hpp"

using namespace warpseed;
using namespace warpseed::records;

namespace {

/// A record at `position` with random operations, whose bases it has.
void set_random(bam1_t* record, std::int64_t position, std::mt19937& rng) {
  std::vector<std::uint32_t> cigar;
  for (const auto op : {BAM_CHARD_CLIP, BAM_CSOFT_CLIP, BAM_CMATCH, BAM_CINS, BAM_CEQUAL, BAM_CDEL, BAM_CREF_SKIP,
                        BAM_CDIFF, BAM_CMATCH, BAM_CSOFT_CLIP, BAM_CHARD_CLIP}) {
    if (rng() % 2 == 0) cigar.push_back(bam_cigar_gen(1 + static_cast<std::uint32_t>(rng() % 20), op));
  }
  const auto bases = static_cast<std::size_t>(bam_cigar2qlen(static_cast<int>(cigar.size()), cigar.data()));
  const std::string sequence(bases, 'A'), name = "read" + std::to_string(rng() % 1000);
  const auto flag = static_cast<std::uint16_t>(rng() % 4096);
  REQUIRE(bam_set1(record, name.size(), name.c_str(), flag, 1, position, 30, cigar.size(), cigar.data(), 1, 0, 0, bases,
                   sequence.c_str(), sequence.c_str(), 0) >= 0);
}

/// The reference position of the base that was sequenced first, as if clipped bases were aligned.
std::int64_t five_prime_of(const bam1_t* record) {
  const std::uint32_t* cigar = bam_get_cigar(record);
  std::int64_t low = record->core.pos, high = record->core.pos - 1;
  bool before = true;
  for (std::uint32_t i = 0; i < record->core.n_cigar; ++i) {
    const std::int64_t length = bam_cigar_oplen(cigar[i]);
    const bool clips = bam_cigar_op(cigar[i]) == BAM_CSOFT_CLIP || bam_cigar_op(cigar[i]) == BAM_CHARD_CLIP;
    if ((bam_cigar_type(bam_cigar_op(cigar[i])) & 2) != 0) before = false, high += length;
    if (clips && before) low -= length;
    if (clips && !before) high += length;
  }
  return bam_is_rev(record) ? high : low;
}

}  // namespace

TEST_CASE("facts of a record are what htslib and the rule for duplicates say", "[records]") {
  std::mt19937 rng(47);
  const std::unique_ptr<bam1_t, void (*)(bam1_t*)> record(bam_init1(), bam_destroy1);
  std::size_t taking_part = 0;
  for (int i = 0; i < 3000; ++i) {
    set_random(record.get(), static_cast<std::int64_t>(rng() % 5000), rng);
    const RecordFacts facts = facts_of(*record);
    REQUIRE(facts.end == bam_endpos(record.get()));
    REQUIRE((facts.begin == record->core.pos && facts.contig == record->core.tid && facts.flag == record->core.flag));
    std::vector<char> bytes(facts.bytes);
    REQUIRE(put_bam(*record, bytes.data()) == bytes.data() + bytes.size());
    if (!takes_part(record->core.flag)) continue;
    ++taking_part;
    const std::int64_t five_prime = five_prime_of(record.get());
    REQUIRE(facts.five_prime == (position_key(1, five_prime) << 1 | (bam_is_rev(record.get()) ? 1 : 0)));
  }
  CHECK(taking_part > 100);
}
