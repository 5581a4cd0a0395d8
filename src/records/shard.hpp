// A shard: the records of a part of a run's reads, in a file of its own.
//
// Its header has one more line, the last: which part it is, and what ShardMerge needs to make of all shards
// the file of one run:
//   @CO  warpseed shard  PT:3/16  RD:500000-750000/4000000  DP:151
// with tabs between the fields: part 3 of 16, the reads 500,000 to before 750,000 of 4,000,000, numbered from 0; DP only
// where duplicates are to be marked: the longest span of a read on the genome, clipped bases included. The records of
// pairs then have the pair's score in a tag.
#pragma once

#include <htslib/sam.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_facts.hpp"

namespace warpseed::records {

struct Shard {
  std::uint32_t number = 1, count = 1;
  std::uint64_t first_read = 0, end_read = 0, reads = 0;
  std::optional<std::int64_t> longest_span =
      {};  // of the reads that take part in duplicate marking, if it is left to do

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// The line of a shard's header, without a line end.
std::string shard_line(const Shard& shard);

/// Reads such a line; none if it is another one, or damaged.
std::optional<Shard> parse_shard_line(std::string_view line);

/// Appends the tag with the pair's score, bam1_t::id after store_scores(), to the primary records of pairs. Their data is
/// copied to `memory`. facts: of the records.
void append_pair_scores(std::span<bam1_t* const> records, std::span<RecordFacts> facts,
                        std::vector<std::uint8_t>& memory);

/// Stores the score of a record in bam1_t::id, as store_scores() does, and removes the tag from those of pairs. False for
/// a record of a pair that has no such tag, or no tag MC.
bool take_score(bam1_t& record);

}  // namespace warpseed::records
