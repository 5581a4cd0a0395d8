// Files of FASTQ and FASTA reads, plain or compressed: single reads, mates in one file or two, and files that are opened at
// a read in their midst.
// Covers: src/reads/read_source.cpp src/reads/mixed_source.cpp src/reads/read_prefetcher.cpp src/reads/read_batch.cpp
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"
#include "fuzz_reads.hpp"
#include "reads/read_source.hpp"
#include "reads/record_reader.hpp"

namespace {

using namespace warpseed;
using fuzz::Read;

/// Opens the input where a source is after two batches, of which the second may end within what was read ahead: there
/// follow the reads that followed before.
void read_from_position(reads::ReadInput input, const std::vector<Read>& all, std::uint64_t count,
                        std::uint64_t second_count) {
  const auto source = reads::open_reads(input);
  std::vector<Read> first;
  reads::ReadBatch batch;
  for (const std::uint64_t wanted : {count, second_count}) {
    if (!source->next(batch, wanted)) return;
    fuzz::add_reads(batch, first);
  }
  const auto position = source->position();
  fuzz::require(position.has_value(), "no position in FASTQ or FASTA");
  input.from = position->files;
  std::ranges::move(fuzz::all_reads(*reads::open_reads(input), count), std::back_inserter(first));
  fuzz::require(first == all, "other reads from a position on");
}

void require_mates(const std::vector<Read>& reads) {
  fuzz::require(reads.size() % 2 == 0, "an odd number of reads in pairs");
  for (std::size_t i = 0; i < reads.size(); i += 2) {
    fuzz::require(reads[i].name == reads[i + 1].name, "mates with two names");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  if (reads::begins_records(input)) return 0;  // fuzz_records.cpp
  fuzz::Choices choices(input);
  const fuzz::InputFile file(input);
  const fuzz::InputFile second(choices.below(2) == 0 ? input : input.substr(0, choices.below(input.size() + 1)));
  reads::ReadInput from{file.path()};
  const auto kind = choices.below(4);
  if (kind == 1) from.path2 = second.path();
  from.interleaved = kind >= 2;
  from.with_singles = kind == 3;
  const std::uint64_t unit = kind == 0 ? 1 : 2, count = unit * (1 + choices.below(4));
  std::vector<Read> all;
  // A message names the file that has the error, one or the other.
  if (!fuzz::accepts("/proc/self/fd/", [&] { all = fuzz::all_reads(*reads::open_reads(from), count); })) return 0;
  if (kind == 1 || kind == 2) require_mates(all);
  read_from_position(from, all, count, unit * (1 + choices.below(4)));
  return 0;
}
