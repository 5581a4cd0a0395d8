// The table of `overlap pairs`: PairTableReader in blocks of any size, compared with a parser that splits each line.
// Covers: src/overlap/pairs/pair_table.cpp src/overlap/pairs/pair_parser.hpp src/overlap/pairs/sequence_names.hpp
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"
#include "overlap/pairs/pair_table.hpp"
#include "text/sequence_list.hpp"

namespace {

using namespace warpseed;

struct Table {
  std::vector<StrandPositionPair> pairs;
  std::string error;  // empty: none
};

/// Names of the lengths that the parser treats differently.
const text::SequenceList targets = {
    {"targets.fa"},
    {{"c", 5}, {"chr1", 1000}, {"seven77", 70}, {"eight888", 80}, {"chromosome_of_17_", 70'000'000'000}}};
const text::SequenceList queries = {{"queries.fa"},
                                    {{"chr1", 50}, {"q", 10'000'000'000'000'000}, {"a_contig_with_a_long_name", 20}}};

Table read_table(const std::string& path, Strands strands, std::uint64_t block_bytes) {
  Table table;
  fuzz::accepts(path, [&] {
    try {
      overlap::PairTableReader reader(path, targets, queries, strands, block_bytes);
      for (overlap::PairBlock block; reader.read(block);) {
        reader.parse(block);
        reader.accept(block);
        table.pairs.insert(table.pairs.end(), block.pairs.begin(), block.pairs.end());
      }
    } catch (const InputError& error) {
      table.error = error.what();
      throw;
    }
  });
  return table;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != text.npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool is_strand(std::string_view text) {
  return text == "+" || text == "-";
}

/// Three columns; false if they are not valid.
bool parse_side(std::span<const std::string_view> columns, const text::SequenceList& list, StrandPosition& side) {
  for (side.sequence = 0; side.sequence < list.sequences.size(); ++side.sequence) {
    if (list.sequences[side.sequence].name == columns[0]) break;
  }
  constexpr std::size_t most_digits = 16;
  if (side.sequence == list.sequences.size() || !is_number(columns[1]) || columns[1].size() > most_digits) return false;
  side.position = std::stoull(std::string(columns[1]));
  side.reverse = columns[2] == "-";
  return side.position < list.sequences[side.sequence].length && is_strand(columns[2]);
}

/// The pairs up to the first line that is wrong, whose number is in `error`.
Table expected_table(std::string_view input, Strands strands) {
  Table table;
  if (input.empty()) return table;
  std::vector<std::string_view> lines = split(input, '\n');
  bool may_be_header = true;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string_view> columns = split(line, '\t');
    const bool first = std::exchange(may_be_header, false);
    if (first && columns.size() == 6 && !is_number(columns[1]) && !is_strand(columns[2]) && !is_number(columns[4]) &&
        !is_strand(columns[5]))
      continue;
    StrandPositionPair pair;
    const bool valid = columns.size() == 6 && parse_side(std::span(columns).first(3), targets, pair.target) &&
                       parse_side(std::span(columns).last(3), queries, pair.query);
    if (!valid || (strands == Strands::forward && (pair.target.reverse || pair.query.reverse))) {
      table.error = fmt::format(":{}: ", i + 1);
      return table;
    }
    table.pairs.push_back(pair);
  }
  return table;
}

/// Compares what is written for the pairs with their columns.
void check_written(const std::vector<StrandPositionPair>& pairs) {
  const auto side = [](const text::SequenceList& list, const StrandPosition& at) {
    return list.sequences[at.sequence].name + "\t" + std::to_string(at.position) + "\t" + (at.reverse ? "-" : "+") +
           "\t";
  };
  std::string written, expected;
  overlap::PairFormat(targets, queries).append(pairs, std::vector<std::uint64_t>(pairs.size(), 7), written);
  for (const StrandPositionPair& pair : pairs)
    expected += side(targets, pair.target) + side(queries, pair.query) + "7\n";
  fuzz::require(written == expected, "lines other than the pairs'");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  fuzz::Choices choices(input);
  const fuzz::InputFile file(input);
  const Strands strands = choices.below(4) == 0 ? Strands::forward : Strands::both;
  const Table whole = read_table(file.path(), strands, 1 << 12);
  const Table in_blocks = read_table(file.path(), strands, 1 + choices.below(60));
  // Of damaged gzip, a block may have a wrong line before another shows the damage.
  if (input.starts_with("\x1F\x8B")) return 0;
  fuzz::require(whole.error == in_blocks.error, "the error depends on the size of blocks",
                whole.error + " | " + in_blocks.error);
  if (whole.error.starts_with(file.path() + ": ")) return 0;  // of the file, not of a line
  const Table expected = expected_table(input, strands);
  fuzz::require(whole.error.starts_with(expected.error.empty() ? "" : file.path() + expected.error) &&
                    whole.error.empty() == expected.error.empty(),
                "another line is wrong", expected.error + " | " + whole.error);
  if (!whole.error.empty()) return 0;
  fuzz::require(whole.pairs == expected.pairs, "other pairs than those of the lines");
  fuzz::require(whole.pairs == in_blocks.pairs, "the pairs depend on the size of blocks");
  check_written(whole.pairs);
  return 0;
}
