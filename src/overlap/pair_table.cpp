#include "overlap/pair_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "overlap/line_text.hpp"
#include "overlap/pair_parser.hpp"

namespace warpseed {

namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{256} << 10;  // what a thread parses at once; fits its cache
constexpr std::uint64_t longest_line = std::uint64_t{1} << 20;   // longer ones are no table
constexpr std::uint64_t spare_bytes = 17;                        // a last line end, and what PairParser reads beyond
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

/// What a message shows of a column that may hold anything.
std::string quoted(std::string_view text) {
  std::string shown(text.substr(0, 40));
  for (char& letter : shown) {
    if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7F) letter = '?';
  }
  return fmt::format("\"{}{}\"", shown, text.size() > 40 ? "..." : "");
}

/// What is wrong with one side's three columns; empty if nothing is.
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

/// A run of whole lines that one thread parses.
struct PairTableReader::Piece {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::vector<PlacePair> pairs;
  std::uint64_t lines = 0;
  std::uint64_t pairs_before = 0;
  const char* wrong = nullptr;  // the first line that is no pair and should be one

  void parse(const SequenceNames& targets, const SequenceNames& queries) {
    pairs.clear();
    lines = 0;
    wrong = nullptr;
    PairParser parser(targets, queries);
    PlacePair pair;
    for (const char* at = begin; at < end; ++lines) {
      const char* next = parser.read(at, end, pair);
      if (next) {
        pairs.push_back(pair);
        at = next;
        continue;
      }
      const std::string_view line = line_at(at, end);
      if (!holds_no_data(line)) {
        wrong = at;
        return;
      }
      at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))) + 1;
    }
  }
};

PairTableReader::PairTableReader(const std::string& path, const SequenceList& targets, const SequenceList& queries,
                                 int threads, std::uint64_t block_bytes)
    : name_(input_name(path)),
      source_(open_bytes(path)),
      targets_(targets),
      queries_(queries),
      threads_(threads),
      buffer_(std::max<std::uint64_t>(block_bytes, 1) + spare_bytes) {}

PairTableReader::~PairTableReader() = default;

bool PairTableReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = lines_end_ = 0;
  while (!at_end_) {
    const std::uint64_t room = buffer_.size() - spare_bytes;
    const std::uint64_t got = source_->read(std::span(buffer_).subspan(end_, room - end_));
    const auto* last = static_cast<const char*>(memrchr(buffer_.data() + end_, '\n', got));
    at_end_ = got < room - end_;
    end_ += got;
    if (last) lines_end_ = static_cast<std::uint64_t>(last - buffer_.data()) + 1;
    if (lines_end_ > 0 || at_end_) break;
    if (room > longest_line) throw InputError::at(name_, line_, "the line is too long for a table of positions");
    buffer_.resize(2 * room + spare_bytes);
  }
  if (at_end_ && end_ > lines_end_) {  // the last line lacks its end, and the spare bytes have room for it
    buffer_[end_++] = '\n';
  }
  if (at_end_) lines_end_ = end_;
  return lines_end_ > 0;
}

void PairTableReader::skip_header() {
  while (!header_done_ && begin_ < lines_end_) {
    const std::string_view line = line_at(buffer_.data() + begin_, buffer_.data() + lines_end_);
    header_done_ = !holds_no_data(line);
    if (header_done_ && !is_header(line)) return;
    const auto* end = static_cast<const char*>(std::memchr(buffer_.data() + begin_, '\n', lines_end_ - begin_));
    begin_ = static_cast<std::uint64_t>(end - buffer_.data()) + 1;
    ++line_;
  }
}

void PairTableReader::parse_block() {
  std::size_t count = 0;
  const char* const block_end = buffer_.data() + lines_end_;
  for (const char* at = buffer_.data() + begin_; at < block_end; ++count) {
    const char* end = block_end;
    if (static_cast<std::uint64_t>(block_end - at) > piece_bytes) {
      const char* from = at + piece_bytes;
      end = static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(block_end - from))) + 1;
    }
    if (count == pieces_.size()) pieces_.emplace_back();
    pieces_[count].begin = at;
    pieces_[count].end = at = end;
  }
  pieces_.resize(count);
  for_blocks(threads_, count, 1, [&](std::uint64_t i, std::uint64_t) { pieces_[i].parse(targets_, queries_); });
}

void PairTableReader::gather(std::vector<PlacePair>& pairs) {
  std::uint64_t count = 0;
  for (Piece& piece : pieces_) {
    line_ += piece.lines;
    if (piece.wrong) fail(piece.wrong);
    piece.pairs_before = count;
    count += piece.pairs.size();
  }
  pairs.resize(count);
  for_blocks(threads_, pieces_.size(), 1, [&](std::uint64_t i, std::uint64_t) {
    std::copy(pieces_[i].pairs.begin(), pieces_[i].pairs.end(),
              pairs.begin() + static_cast<std::ptrdiff_t>(pieces_[i].pairs_before));
  });
}

void PairTableReader::fail(const char* line) const {
  const std::vector<std::string_view> parts = split(line_at(line, buffer_.data() + lines_end_));
  std::string problem;
  if (parts.size() != columns) {
    problem =
        fmt::format("{} column{}; six are needed, tabs between them: target, position, strand, query, position, strand",
                    parts.size(), parts.size() == 1 ? "" : "s");
  }
  const std::span all(parts);
  if (problem.empty()) problem = problem_of_side(all.subspan(0, 3), targets_, "targets");
  if (problem.empty()) problem = problem_of_side(all.subspan(3, 3), queries_, "queries");
  if (problem.empty()) problem = "a position is written with more than 16 digits";
  throw InputError::at(name_, line_, problem);
}

bool PairTableReader::next(std::vector<PlacePair>& pairs) {
  pairs.clear();
  while (pairs.empty() && (begin_ < lines_end_ || fill())) {
    skip_header();
    parse_block();
    gather(pairs);
    begin_ = lines_end_;
  }
  return !pairs.empty();
}

PairFormat::PairFormat(const SequenceList& targets, const SequenceList& queries)
    : targets_(targets), queries_(queries) {
  const auto longest = [](const SequenceList& list) {
    std::uint64_t letters = 0;
    for (const SequenceInfo& sequence : list.sequences)
      letters = std::max<std::uint64_t>(letters, sequence.name.size());
    return letters;
  };
  bound_ = longest(targets) + longest(queries) + 4 * (number_bytes + 2);
}

std::string PairFormat::header() const {
  return "#target\ttarget_position\ttarget_strand\tquery\tquery_position\tquery_strand\tlength\n";
}

void PairFormat::append(std::span<const PlacePair> pairs, std::span<const std::uint64_t> lengths,
                        std::string& out) const {
  if (pairs.size() != lengths.size()) throw std::invalid_argument("PairFormat: one length a pair");
  const auto put_side = [](char* at, const StrandPlace& place, const SequenceList& list) {
    return put_all(at, list.sequences[place.sequence].name, '\t', place.position, '\t', "+-"[place.reverse], '\t');
  };
  append_lines(out, pairs.size(), bound_, [&](std::uint64_t i, char* at) {
    at = put_side(at, pairs[i].target, targets_);
    at = put_side(at, pairs[i].query, queries_);
    return put_all(at, lengths[i], '\n');
  });
}

}  // namespace warpseed
