#include "reads/plain_records.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "reads/read_limits.hpp"
#include "reads/simd_bases.hpp"
#include "text/alphabet.hpp"

namespace warpseed::reads {

namespace {

struct Record {
  std::string_view header, bases, qualities;
  std::uint64_t end;
};

bool are_bases(std::string_view text) {
  return only_acgtn(text) ||
         std::ranges::all_of(text, [](char base) { return text::code_of_base(base) != text::code_invalid; });
}

/// The line at `at`, without its end, which moves to the next line. None if the text ends within it.
std::optional<std::string_view> take_line(std::string_view text, std::uint64_t& at) {
  const std::size_t end = text.find('\n', at);
  if (end == text.npos) return {};
  std::string_view line = text.substr(at, end - at);
  if (line.ends_with('\r')) line.remove_suffix(1);
  at = end + 1;
  return line;
}

/// The record at `at`, if it is a plain one without an error. Qualities are as long as bases, and none is a line end: so
/// theirs is not searched for.
std::optional<Record> record_at(std::string_view text, std::uint64_t at) {
  const std::uint64_t begin = at;
  if (at >= text.size() || text[at] != '@') return {};
  const auto header = take_line(text, at), bases = header ? take_line(text, at) : header,
             plus = bases ? take_line(text, at) : bases;
  if (!plus || !plus->starts_with('+') || bases->empty()) return {};
  const std::string_view qualities = text.substr(at, bases->size());
  at += qualities.size();
  if (at < text.size() && text[at] == '\r') ++at;
  if (at >= text.size() || text[at] != '\n') return {};
  const std::uint64_t end = at + 1;
  if (bases->size() > longest_read || end - begin > longest_record) return {};
  if (!are_bases(*bases) || !only_printable(qualities)) return {};
  return Record{*header, *bases, qualities, end};
}

/// Where the first record that begins at `from` or later begins; the text's end if none is found among as many lines as a
/// record has. A line of qualities may begin like a header, but bases do not follow it.
std::uint64_t first_record(std::string_view text, std::uint64_t from) {
  std::uint64_t at = std::min(text.find('\n', from - 1), text.size() - 1) + 1;
  for (int line = 0; line < 4 && at < text.size(); ++line) {
    if (record_at(text, at)) return at;
    if (!take_line(text, at)) break;
  }
  return text.size();
}

}  // namespace

void PlainRecords::find(std::string_view text, std::uint64_t text_begin, MateNumbers mates, std::uint32_t read_group) {
  mates_ = mates, read_group_ = read_group, text_begin_ = text_begin;
  used_ = (text.size() + piece_bytes_ - 1) / piece_bytes_;
  if (pieces_.size() < used_) pieces_.resize(used_);
  // Waiting for the pieces, this thread takes up no other work.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(std::size_t{0}, used_, [&](std::size_t i) {
      parse(pieces_[i], text, i * piece_bytes_, std::min((i + 1) * piece_bytes_, text.size()));
    });
  });
  join();
}

/// The records that begin in [from, to), one after the other.
void PlainRecords::parse(Piece& piece, std::string_view text, std::uint64_t from, std::uint64_t to) const {
  piece.ends.clear();
  piece.reads.clear();
  piece.begin = from == 0 ? 0 : first_record(text, from);
  for (std::uint64_t at = piece.begin; at < to;) {
    const std::optional<Record> record = record_at(text, at);
    if (!record) return;
    const auto [name, comment] = parts_of_header(record->header, mates_);
    if (!is_read_name(name)) return;
    piece.reads.add_in_text(text_begin_ + at, text.substr(at, record->end - at),
                            {name, comment, record->bases, record->qualities, {}, read_group_});
    piece.ends.push_back(at = record->end);
  }
}

/// Moves the pieces to the front that follow one another. One that began at what only looks like a record does not.
void PlainRecords::join() {
  found_ = 0;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    if (pieces_[i].ends.empty()) continue;
    if (pieces_[i].begin != end) return;
    end = pieces_[i].ends.back();
    std::swap(pieces_[found_++], pieces_[i]);
  }
}

}  // namespace warpseed::reads
