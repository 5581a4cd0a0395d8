// FASTQ and FASTA reads: ReadParser in blocks of any size, compared with kseq.h of htslib.
// Covers: src/reads/read_parser.cpp src/reads/plain_records.cpp src/core/line_reader.cpp src/reads/read_name.cpp
#include <htslib/kseq.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"
#include "fuzz_reads.hpp"
#include "reads/read_parser.hpp"

namespace {

using namespace warpseed;
using fuzz::Read;

int read_some(std::string_view* from, void* out, std::size_t size) {
  const std::size_t some = std::min(size, from->size());
  std::memcpy(out, from->data(), some);
  from->remove_prefix(some);
  return static_cast<int>(some);
}

// The code is htslib's.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
KSEQ_INIT(std::string_view*, read_some)
#pragma GCC diagnostic pop

std::string text_of(const kstring_t& text) {
  return {text.s ? text.s : "", text.l};
}

/// A comment as both parsers return it, who take off different numbers of carriage returns at its end.
std::string comment_of(std::string comment) {
  while (comment.ends_with('\r')) comment.pop_back();
  return comment.substr(std::min(comment.find_first_not_of(" \t"), comment.size()));
}

/// What kseq.h reads. It keeps the carriage return of a line that has nothing else, so there are none here.
std::vector<Read> expected_reads(std::string_view input) {
  std::string lines;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool line_end = input[i] == '\r' && (i + 1 == input.size() || input[i + 1] == '\n');
    if (!line_end) lines += input[i];
  }
  std::string_view rest = lines;
  std::vector<Read> reads;
  kseq_t* record = kseq_init(&rest);
  // The quality line of an empty read at the end of the file may be missing, to kseq.h even its line end.
  for (int status = 0; (status = kseq_read(record)) >= 0 || (status == -2 && record->seq.l == 0);) {
    const std::string qualities = status > 0 && record->qual.l == record->seq.l ? text_of(record->qual) : "";
    reads.push_back({text_of(record->name), comment_of(text_of(record->comment)), text_of(record->seq), qualities, ""});
    record->qual.l = 0;
  }
  kseq_destroy(record);
  return reads;
}

struct Parsed {
  std::vector<Read> reads;
  std::string error;  // empty: none
};

Parsed parse(std::string_view input, std::uint64_t block_bytes, std::uint64_t piece_bytes,
             std::uint64_t portion_reads) {
  reads::ReadParser parser(std::make_unique<fuzz::MemorySource>(input), "reads.fq", block_bytes,
                           reads::MateNumbers::kept, piece_bytes);
  Parsed parsed;
  reads::ReadPortion portion;
  do {
    parser.fill(portion, {portion_reads, {}});
    fuzz::require(portion.lines.size() == portion.reads.size() && portion.offsets.size() == portion.reads.size(),
                  "a line and an offset for each read");
    for (std::uint64_t i = 0; i < portion.reads.size(); ++i) {
      fuzz::require(
          portion.offsets[i] < input.size() && (input[portion.offsets[i]] == '@' || input[portion.offsets[i]] == '>'),
          "a read's offset is not where a record begins");
    }
    fuzz::add_reads(portion.reads, parsed.reads);
    for (Read& read : parsed.reads) read.comment = comment_of(read.comment);
  } while (!portion.reads.empty() && !portion.error);
  if (portion.error) {
    fuzz::accepts("reads.fq", [&] {
      try {
        std::rethrow_exception(portion.error);
      } catch (const InputError& error) {
        parsed.error = error.what();
        throw;
      }
    });
  }
  return parsed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  fuzz::Choices choices(input);
  const Parsed whole = parse(input, 1 << 12, 1 << 20, 1 << 20);
  const Parsed in_blocks = parse(input, 1 + choices.below(40), 1 << 20, 1 + choices.below(5));
  const Parsed in_pieces = parse(input, 1 + choices.below(400), 1 + choices.below(40), 1 + choices.below(50));
  fuzz::require(whole.reads == in_blocks.reads, "the reads depend on the size of blocks");
  fuzz::require(whole.reads == in_pieces.reads, "the reads depend on the size of pieces");
  fuzz::require(whole.error == in_pieces.error, "the error depends on the size of pieces",
                whole.error + " | " + in_pieces.error);
  fuzz::require(whole.error == in_blocks.error, "the error depends on the size of blocks",
                whole.error + " | " + in_blocks.error);
  if (whole.error.empty()) fuzz::require(whole.reads == expected_reads(input), "kseq.h reads something else");
  return 0;
}
