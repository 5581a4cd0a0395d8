// Slots of records, against htslib.
#include "records/record_slot.hpp"

#include <htslib/sam.h>

#include <random>

#include "catch.hpp"
#include "records/bam_memory.hpp"
#include "records/duplicate_rule.hpp"
#include "records/writer_helpers.hpp"

using namespace warpseed;
using namespace warpseed::records;

TEST_CASE("the bin of a record is htslib's", "[records][slot]") {
  std::mt19937_64 rng(20261128);
  for (int i = 0; i < 200'000; ++i) {
    const auto begin = static_cast<std::int64_t>(rng() >> (34 + rng() % 30)) - 1;  // -1 to 2^30
    const auto end = begin + 1 + static_cast<std::int64_t>(rng() >> (36 + rng() % 28));
    CAPTURE(begin, end);
    REQUIRE(bai_bin(begin, end) == static_cast<std::uint16_t>(hts_reg2bin(begin, end, 14, 5)));
  }
}

TEST_CASE("records that share memory are freed together", "[records][slot]") {
  struct Owner final : ChunkOwner {
    void give_back(void* chunk) noexcept override { ::operator delete(chunk), ++given; }
    int given = 0;
  };
  constexpr std::size_t chunks = 3, per_chunk = 5;
  const auto owner = std::make_shared<Owner>();
  std::vector<BamRecord> records;
  for (std::size_t i = 0; i < chunks; ++i) {
    auto* const memory = static_cast<std::byte*>(::operator new(sizeof(RecordChunk) + per_chunk * sizeof(RecordSlot)));
    auto* const chunk = new (memory) RecordChunk;
    chunk->owner = owner;
    chunk->enter(per_chunk);
    for (std::size_t k = 0; k < per_chunk; ++k) {
      auto* const slot = new (memory + sizeof(RecordChunk) + k * sizeof(RecordSlot)) RecordSlot{};
      begin_slot(*slot, chunk, nullptr, 0);
      records.emplace_back(&slot->record);
    }
    RecordChunk::leave(chunk, 1);
  }
  CHECK(owner->given == 0);
  records[2] = BamRecord();  // alone
  free_records(std::span(records).first(chunks * per_chunk - 1));
  CHECK(owner->given == chunks - 1);
  records.clear();
  CHECK(owner->given == chunks);
  CHECK(owner.use_count() == 1);
}

TEST_CASE("a score that a record has is not summed again", "[records][slot][duplicates]") {
  test::RecordBuilder builder(5);
  std::vector<BamRecord> records, scored;
  BamMemory memory;
  for (int i = 0; i < 400; ++i) {
    records.push_back(builder.next());
    records.back().get()->id = 0;
    scored.emplace_back(*records.back().get(), memory);
    scored.back().get()->id = quality_score(scored.back().get());
  }
  CHECK(store_scores(records) == store_scores(scored));
  for (std::size_t i = 0; i < records.size(); ++i) CHECK(records[i].get()->id == scored[i].get()->id);
}
