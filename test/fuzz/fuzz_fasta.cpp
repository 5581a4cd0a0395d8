// FASTA references: read_fasta() in blocks of any size, compared with a parser that goes line by line.
// Covers: src/text/fasta.cpp src/text/fasta_writer.cpp src/text/sequence_check.cpp
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"
#include "text/fasta.hpp"
#include "text/genome.hpp"

namespace {

using namespace warpseed;

struct Record {
  std::string name, bases;

  friend bool operator==(const Record&, const Record&) = default;
};

/// The genome's records, bases as write_fasta() spells them.
std::vector<Record> records_of(const text::Genome& genome) {
  std::vector<Record> records;
  const std::vector<std::string_view> names(genome.names.begin(), genome.names.end());
  std::string written;
  text::write_fasta(genome.view(), names, [&](std::string_view text) { written += text; });
  std::string_view left = written;
  for (const std::string& name : genome.names) {
    fuzz::require(left.starts_with(">" + name + "\n"), "write_fasta: another header than the contig's", name);
    left.remove_prefix(name.size() + 2);
    records.push_back({name, ""});
    for (; !left.empty() && left.front() != '>'; left.remove_prefix(1)) {
      if (left.front() != '\n') records.back().bases += left.front();
    }
  }
  fuzz::require(left.empty(), "write_fasta: more than the contigs");
  return records;
}

char plain_base(char symbol) {
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(symbol)));
  if (upper == 'U') return 'T';
  return std::string_view("ACGT").find(upper) == std::string_view::npos ? 'N' : upper;
}

/// The records of valid FASTA.
std::vector<Record> expected_records(std::string_view input) {
  std::vector<Record> records;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    std::string_view line = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('>')) {
      records.push_back({std::string(line.substr(1, line.find_first_of(" \t\v\f\r") - 1)), ""});
    } else {
      for (const char symbol : line) records.back().bases += plain_base(symbol);
    }
  }
  return records;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const fuzz::InputFile file(input);
  const std::vector paths = {file.path()};
  constexpr std::uint64_t block_bytes = 1 << 12;
  const std::uint64_t small_block_bytes = 1 + fuzz::Choices(input).below(40);
  std::vector<Record> whole, in_blocks;
  const bool accepted =
      fuzz::accepts(file.path(), [&] { whole = records_of(text::read_fasta(paths, {}, block_bytes)); });
  const bool accepted_in_blocks =
      fuzz::accepts(file.path(), [&] { in_blocks = records_of(text::read_fasta(paths, {}, small_block_bytes)); });
  fuzz::require(accepted == accepted_in_blocks, "the size of blocks decides whether FASTA is valid");
  fuzz::require(whole == in_blocks, "the records depend on the size of blocks");
  const bool compressed = input.starts_with("\x1F\x8B");
  if (accepted && !compressed) fuzz::require(whole == expected_records(input), "records other than those of the lines");
  return 0;
}
