// Files of FASTQ and FASTA reads, plain or compressed: single reads, mates in one file or two, and files that are opened at
// a read in their midst.
// Covers: src/reads/read_source.cpp src/reads/mixed_source.cpp src/reads/read_prefetcher.cpp src/reads/read_batch.cpp
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

/// Single reads from an input, and again from the position of the source after some of them.
void read_singles(const fuzz::InputFile& file, fuzz::Choices& choices) {
  reads::ReadInput input{file.path()};
  const std::uint64_t count = 1 + choices.below(4);
  std::vector<Read> all;
  const bool accepted = fuzz::accepts(file.path(), [&] { all = fuzz::all_reads(*reads::open_reads(input), count); });
  if (!accepted || all.size() <= count) return;
  const auto source = reads::open_reads(input);
  reads::ReadBatch batch;
  source->next(batch, count);
  const auto position = source->position();
  fuzz::require(position.has_value(), "no position in FASTQ or FASTA");
  input.from = position->files;
  const std::vector<Read> rest = fuzz::all_reads(*reads::open_reads(input), count);
  fuzz::require(std::vector(all.begin() + static_cast<std::ptrdiff_t>(batch.size()), all.end()) == rest,
                "other reads from a position on");
}

void read_pairs(const fuzz::InputFile& file, std::string_view content, fuzz::Choices& choices) {
  const std::uint64_t count = 2 + 2 * choices.below(3);
  const fuzz::InputFile second(choices.below(2) == 0 ? content : content.substr(0, choices.below(content.size() + 1)));
  reads::ReadInput input{file.path()};
  switch (choices.below(3)) {
    case 0: input.path2 = second.path(); break;
    case 1: input.with_singles = true; [[fallthrough]];
    default: input.interleaved = true;
  }
  // A message names the file that has the error, one or the other.
  fuzz::accepts("/proc/self/fd/", [&] {
    const auto source = reads::open_reads(input);
    reads::ReadBatch batch;
    while (source->next(batch, count)) {
      if (input.with_singles) continue;
      fuzz::require(batch.size() % 2 == 0, "a batch of pairs with an odd number of reads");
      for (std::uint64_t i = 0; i < batch.size(); i += 2) {
        fuzz::require(batch[i].name == batch[i + 1].name, "mates with two names");
      }
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  if (reads::begins_records(input)) return 0;  // fuzz_records.cpp
  fuzz::Choices choices(input);
  const fuzz::InputFile file(input);
  if (choices.below(2) == 0) {
    read_singles(file, choices);
  } else {
    read_pairs(file, input, choices);
  }
  return 0;
}
