#include "overlap/pairs/pair_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/quoted.hpp"
#include "overlap/line_text.hpp"
#include "overlap/pairs/pair_parser.hpp"
#include "warpseed/error.hpp"

namespace warpseed::overlap {

namespace {

constexpr std::uint64_t longest_line = std::uint64_t{1} << 20;  // a longer line means that the file is no table
constexpr std::uint64_t spare_bytes = 17;  // a final line end, and the bytes that PairParser reads past it
constexpr std::uint64_t first_block_bytes = std::uint64_t{1} << 16;
constexpr std::size_t columns = 6;

std::string_view line_at(const char* at, const char* end) {
  const auto* line_end = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
  std::string_view line(at, static_cast<std::size_t>((line_end ? line_end : end) - at));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool holds_no_data(std::string_view line) {
  return line.empty() || line.front() == '#';
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> parts;
  for (std::size_t tab = line.find('\t'); tab != line.npos; tab = line.find('\t')) {
    parts.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  parts.push_back(line);
  return parts;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool is_strand(std::string_view text) {
  return text == "+" || text == "-";
}

bool is_header(std::string_view line) {
  const std::vector<std::string_view> parts = split(line);
  return parts.size() == columns && !is_number(parts[1]) && !is_strand(parts[2]) && !is_number(parts[4]) &&
         !is_strand(parts[5]);
}

/// The error in one side's three columns; empty if they are valid.
std::string problem_of_side(std::span<const std::string_view> parts, const SequenceNames& names,
                            std::string_view side) {
  const std::uint32_t number = names.find(parts[0]);
  if (number == SequenceNames::unknown) {
    return fmt::format("no sequence among the {} is called {}", side, quoted(parts[0]));
  }
  const std::uint64_t length = names.list().sequences[number].length;
  if (!is_number(parts[1])) return fmt::format("position {} is not a whole number from 0 on", quoted(parts[1]));
  std::uint64_t position = 0;
  const auto read = std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), position);
  if (read.ec != std::errc{} || position >= length) {
    return fmt::format("position {} is beyond the end of {}, which has {} bases (positions count from 0)",
                       quoted(parts[1]), quoted(parts[0]), length);
  }
  if (!is_strand(parts[2])) return fmt::format("strand {} is neither + nor -", quoted(parts[2]));
  return {};
}

}  // namespace

PairTableReader::PairTableReader(const std::string& path, const text::SequenceList& targets,
                                 const text::SequenceList& queries, Strands strands, std::uint64_t block_bytes)
    : name_(input_name(path)),
      source_(open_bytes(path)),
      targets_(targets),
      queries_(queries),
      strands_(strands),
      block_bytes_(block_bytes) {}

bool PairTableReader::read(PairBlock& block) {
  block.clear();
  const std::uint64_t size = fill(block);
  read_ += block.end;
  rest_.assign(block.text.get() + block.end, block.text.get() + size);
  if (!header_done_) skip_header(block);
  return size > 0;
}

/// A sixteenth of what was read, within limits, so that the blocks of a short table are processed in parallel too.
std::uint64_t PairTableReader::next_block_bytes() const {
  return std::clamp(read_ / 16, std::min(block_bytes_, first_block_bytes), block_bytes_);
}

/// Reads until there is a whole line; the last line of the file may lack its end. Returns the bytes in block.text.
std::uint64_t PairTableReader::fill(PairBlock& block) {
  std::uint64_t room = std::max<std::uint64_t>(next_block_bytes(), rest_.size() + 1), size = rest_.size();
  if (block.room < room) block.text = std::make_unique_for_overwrite<char[]>(room + spare_bytes), block.room = room;
  std::copy(rest_.begin(), rest_.end(), block.text.get());
  while (true) {
    const std::uint64_t got = at_end_ ? 0 : source_->read({block.text.get() + size, room - size});
    at_end_ = at_end_ || got < room - size;
    const auto* last = static_cast<const char*>(memrchr(block.text.get() + size, '\n', got));
    size += got;
    if (last) block.end = static_cast<std::uint64_t>(last - block.text.get()) + 1;
    if (at_end_ && size > block.end) block.text[size++] = '\n';  // the spare bytes have room for it
    if (at_end_) block.end = size;
    if (block.end > 0 || at_end_) return size;
    if (room > longest_line) {  // no table; accept() reports it, since it knows the line
      block.wrong = 0, block.end = size;
      at_end_ = true;
      return size;
    }
    auto larger = std::make_unique_for_overwrite<char[]>(2 * room + spare_bytes);
    std::copy_n(block.text.get(), size, larger.get());
    block.text = std::move(larger);
    block.room = room *= 2;
  }
}

void PairTableReader::skip_header(PairBlock& block) {
  const char* const end = block.text.get() + block.end;
  while (!header_done_ && block.begin < block.end && block.wrong == PairBlock::none) {
    const char* at = block.text.get() + block.begin;
    const std::string_view line = line_at(at, end);
    header_done_ = !holds_no_data(line);
    if (header_done_ && !is_header(line)) return;
    block.begin += static_cast<std::uint64_t>(
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))) + 1 - at);
    ++block.lines;
  }
}

void PairTableReader::parse(PairBlock& block) const {
  if (block.wrong != PairBlock::none) return;
  const char* const end = block.text.get() + block.end;
  PairParser parser(targets_, queries_);
  StrandPositionPair pair;
  for (const char* at = block.text.get() + block.begin; at < end; ++block.lines) {
    const char* next = *at == '#' ? nullptr : parser.read(at, end, pair);
    const bool allowed = strands_ == Strands::both || (!pair.target.reverse && !pair.query.reverse);
    if (next && allowed) {
      block.pairs.push_back(pair);
      at = next;
      continue;
    }
    if (next || !holds_no_data(line_at(at, end))) {
      block.wrong = static_cast<std::uint64_t>(at - block.text.get());
      return;
    }
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))) + 1;
  }
}

void PairTableReader::accept(const PairBlock& block) {
  line_ += block.lines;
  if (block.wrong != PairBlock::none) fail(block);
}

void PairTableReader::fail(const PairBlock& block) const {
  const std::string_view line = line_at(block.text.get() + block.wrong, block.text.get() + block.end);
  if (line.size() > longest_line)
    throw InputError::at(
        name_, line_,
        fmt::format("the line has more than {} bytes; give a table of six columns, one pair of positions in a line",
                    longest_line));
  const std::vector<std::string_view> parts = split(line);
  std::string problem;
  if (parts.size() != columns) {
    problem =
        fmt::format("{} column{}; six are needed, tabs between them: target, position, strand, query, position, strand",
                    parts.size(), parts.size() == 1 ? "" : "s");
  }
  const std::span all(parts);
  if (problem.empty()) problem = problem_of_side(all.subspan(0, 3), targets_, "targets");
  if (problem.empty()) problem = problem_of_side(all.subspan(3, 3), queries_, "queries");
  if (problem.empty() && strands_ == Strands::forward && (parts[2] == "-" || parts[5] == "-"))
    problem = "a position on strand -, which is not searched; run with --strand both";
  if (problem.empty()) problem = "a position is written with more than 16 digits";
  throw InputError::at(name_, line_, problem);
}

PairFormat::PairFormat(const text::SequenceList& targets, const text::SequenceList& queries)
    : targets_(targets), queries_(queries) {
  const auto longest = [](const text::SequenceList& list) {
    std::uint64_t letters = 0;
    for (const text::SequenceInfo& sequence : list.sequences)
      letters = std::max<std::uint64_t>(letters, sequence.name.size());
    return letters;
  };
  bound_ = longest(targets) + longest(queries) + 4 * (number_bytes + 2);
}

std::string PairFormat::header() const {
  return "#target\ttarget_position\ttarget_strand\tquery\tquery_position\tquery_strand\tlength\n";
}

void PairFormat::append(std::span<const StrandPositionPair> pairs, std::span<const std::uint64_t> lengths,
                        std::string& out) const {
  if (pairs.size() != lengths.size()) throw std::invalid_argument("PairFormat: one length a pair");
  const auto put_side = [](char* at, const StrandPosition& location, const text::SequenceList& list) {
    return put_all(at, list.sequences[location.sequence].name, '\t', location.position, '\t', "+-"[location.reverse],
                   '\t');
  };
  append_lines(out, pairs.size(), bound_, [&](std::uint64_t i, char* at) {
    at = put_side(at, pairs[i].target, targets_);
    at = put_side(at, pairs[i].query, queries_);
    return put_all(at, lengths[i], '\n');
  });
}

}  // namespace warpseed::overlap
