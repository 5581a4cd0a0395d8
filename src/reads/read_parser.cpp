#include "reads/read_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/quoted.hpp"
#include "reads/read_limits.hpp"
#include "reads/simd_bases.hpp"
#include "text/alphabet.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

constexpr std::uint64_t spare_bytes_a_read = 8;
constexpr char repair[] = "; repair or remove the record";

/// The first character outside '!'..'~', quoted.
std::string first_invisible(std::string_view text) {
  for (const char letter : text) {
    if (letter < '!' || letter > '~') return quoted(letter);
  }
  return {};
}

}  // namespace

ReadParser::ReadParser(std::unique_ptr<ByteSource> source, std::string path, std::uint64_t block_bytes,
                       MateNumbers mates, std::uint64_t piece_bytes)
    : lines_(std::move(source), block_bytes,
             {path, LineLimit::of_sequence, "give reads in FASTQ or FASTA, and split sequences that are longer"}),
      plain_(piece_bytes),
      path_(std::move(path)),
      mates_(mates),
      block_bytes_(block_bytes) {}

void ReadPortion::clear() {
  reads.clear();
  lines.clear();
  offsets.clear();
  error = nullptr;
}

void ReadParser::fill(ReadPortion& portion, const PortionLimits& limits) {
  portion.clear();
  if (ended_) return;
  try {
    if (format_ == Format::unknown) find_format();
    const std::uint64_t expected = reserve(portion.reads, limits);
    if (format_ == Format::fastq) lines_.begin_keeping(portion.reads.text(), expected);
    add_reads(portion, limits);
  } catch (...) {
    portion.error = std::current_exception();
    ended_ = true;
    portion.lines.resize(portion.reads.size());  // they may have those of a read that was not added
    portion.offsets.resize(portion.reads.size());
  }
  lines_.end_keeping(portion.reads.text());
  portion.end = {{lines_.offset()}, lines_.line_number()};
  const std::uint64_t count = portion.reads.size();
  if (count > 0) bytes_per_read_ = portion.reads.text_bytes() / count + spare_bytes_a_read;
}

/// Returns how many bytes of text are expected. Memory that has to grow would be copied.
std::uint64_t ReadParser::reserve(ReadBatch& reads, const PortionLimits& limits) const {
  if (bytes_per_read_ == 0) return 0;
  const std::uint64_t count = std::min(limits.reads, limits.text.reads_within(bytes_per_read_));
  const std::uint64_t expected = count * bytes_per_read_;
  reads.reserve(count, expected + longest_read_bytes_ + block_bytes_);
  return expected;
}

void ReadParser::add_reads(ReadPortion& portion, const PortionLimits& limits) {
  while (!limits.reached_by(portion.reads.size(), text_bytes(portion))) {
    if (format_ == Format::fastq && add_plain(portion, limits)) continue;
    const std::uint64_t before = text_bytes(portion);
    // First, so that no read is left without them where memory is missing.
    portion.lines.push_back(lines_.line_number() + 1);
    portion.offsets.push_back(lines_.offset());
    if (!add_next(portion.reads)) {
      ended_ = true;
      portion.lines.pop_back();
      portion.offsets.pop_back();
      return;
    }
    longest_read_bytes_ = std::max(longest_read_bytes_, text_bytes(portion) - before);
  }
}

/// Of its reads so far.
std::uint64_t ReadParser::text_bytes(const ReadPortion& portion) const {
  return format_ == Format::fastq ? lines_.kept_bytes() : portion.reads.text_bytes();
}

/// Adds the plain records that were read from the file and not yet returned, as far as the limits allow. False if there is
/// none, or too few for several threads. A record that is not plain is left to add_next(), with the text after it: else
/// one text could be looked at for each such record.
bool ReadParser::add_plain(ReadPortion& portion, const PortionLimits& limits) {
  const std::uint64_t offset = lines_.offset(), kept = lines_.kept_bytes();
  if (offset < plain_from_ || lines_.unread().size() < plain_.piece_bytes() / 4) return false;
  const std::string_view text = text_for(limits.reads - portion.reads.size());
  plain_.find(text, kept, mates_, read_group_);
  std::uint64_t line = lines_.line_number() + 1, end = 0;
  bool full = false;
  for (const PlainRecords::Piece& piece : plain_.pieces()) {
    const std::uint64_t before = portion.reads.size();
    std::uint64_t added = 0;
    for (; added < piece.ends.size() && !full; ++added, line += 4) {
      portion.lines.push_back(line);
      portion.offsets.push_back(offset + end);
      longest_read_bytes_ = std::max(longest_read_bytes_, piece.ends[added] - end);
      end = piece.ends[added];
      full = limits.reached_by(before + added + 1, kept + end);
    }
    portion.reads.add_in_text(piece.reads, added);
  }
  if (!full) plain_from_ = offset + text.size();
  lines_.skip(end, line - lines_.line_number() - 1);
  return end > 0;
}

/// What was read from the file and not yet returned; hardly more than so many reads.
std::string_view ReadParser::text_for(std::uint64_t reads) const {
  const std::string_view text = lines_.unread();
  const bool all = bytes_per_read_ == 0 || reads >= text.size() / bytes_per_read_;
  return all ? text : text.substr(0, reads * bytes_per_read_ + plain_.piece_bytes());
}

bool ReadParser::add_next(ReadBatch& batch) {
  lines_.begin_record();
  const int first = lines_.peek();
  if (first < 0) return false;
  if (first == '\n' && only_blank_lines_left()) return false;
  record_line_ = lines_.line_number() + 1;
  if (format_ == Format::fastq) {
    add_fastq(batch);
  } else {
    add_fasta(batch);
  }
  return true;
}

void ReadParser::find_format() {
  const int first = lines_.peek();
  format_ = first == '>' ? Format::fasta : Format::fastq;
  if (first == '@' || first == '>' || first == '\n' || first < 0) return;
  throw InputError::at(
      path_, 1,
      fmt::format("reads begin with '@' (FASTQ) or '>' (FASTA), this file with {}, and it is no SAM, BAM "
                  "or CRAM; give reads in one of these formats",
                  quoted(static_cast<char>(first))));
}

bool ReadParser::only_blank_lines_left() {
  const std::uint64_t blank_line = lines_.line_number() + 1;
  LineReader::Line line;
  while (lines_.peek() == '\n') {
    lines_.begin_record();
    lines_.next(line);
  }
  if (lines_.peek() < 0) return true;
  throw InputError::at(path_, blank_line, "a blank line where a record begins; remove it");
}

/// Bases and qualities have a line each, or the bases have several: then the qualities end where they are as long, since
/// a line of theirs may begin with '@' or '+'.
void ReadParser::add_fastq(ReadBatch& batch) {
  LineReader::Line header, bases, plus, qualities;
  lines_.next(header);
  if (!lines_.text(header).starts_with('@')) fail_start(lines_.text(header));
  if (!lines_.next(bases)) fail_cut(lines_.text(header), "sequence");
  check_letters(lines_.text(bases), lines_.text(header));
  if (!lines_.next(plus)) fail_cut(lines_.text(header), "line with '+'");
  const bool several = !lines_.text(plus).starts_with('+') && !lines_.text(plus).empty();
  if (several) join_bases(header, bases, plus);
  check_plus(lines_.text(plus), lines_.text(header));
  // At the end of the file, the empty quality line of a read of length 0 may be missing.
  if (!lines_.next(qualities) && bases.size > 0) fail_cut(lines_.text(header), "quality line");
  for (LineReader::Line more; several && qualities.size < bases.size && lines_.next(more);) {
    lines_.append(qualities, more);
  }
  if (qualities.size != bases.size) fail_length(header, qualities.size, bases.size);
  check_qualities(lines_.text(qualities), lines_.text(header));
  if (lines_.record().size() > longest_record)
    fail(lines_.text(header), "the record has 4 GiB or more; shorten its lines with '@' and '+'");
  const ReadView parts = read_of(lines_.text(header), lines_.text(bases), lines_.text(qualities));
  batch.add_in_text(lines_.record_begin(), lines_.record(), parts);
}

/// Appends lines to the bases, `line` first, up to the one that begins with '+' or cannot be bases. Sets `line` to that.
void ReadParser::join_bases(LineReader::Line header, LineReader::Line& bases, LineReader::Line& line) {
  while (!lines_.text(line).empty() && text::code_of_base(lines_.text(line)[0]) != text::code_invalid) {
    check_letters(lines_.text(line), lines_.text(header));
    lines_.append(bases, line);
    if (bases.size > longest_read) fail_long(lines_.text(header));
    if (!lines_.next(line)) fail_cut(lines_.text(header), "line with '+'");
  }
}

void ReadParser::add_fasta(ReadBatch& batch) {
  LineReader::Line line;
  lines_.next(line);
  header_ = lines_.text(line);
  bases_.clear();
  for (int first = lines_.peek(); first >= 0 && first != '>'; first = lines_.peek()) {
    lines_.begin_record();
    lines_.next(line);
    check_letters(lines_.text(line), header_);
    bases_ += lines_.text(line);
    if (bases_.size() > longest_read) fail_long(header_);
  }
  batch.add(read_of(header_, bases_, {}));
}

ReadView ReadParser::read_of(std::string_view header, std::string_view bases, std::string_view qualities) const {
  const auto [name, comment] = parts_of_header(header, mates_);
  if (!is_read_name(name)) throw InputError::at(path_, record_line_, name_problem(name));
  return {name, comment, bases, qualities, {}, read_group_};
}

void ReadParser::check_letters(std::string_view bases, std::string_view header) const {
  if (bases.size() > longest_read) fail_long(header);
  if (only_acgtn(bases)) return;
  for (const char letter : bases) {
    if (text::code_of_base(letter) == text::code_invalid) {
      fail(header, quoted(letter) + " is not a nucleotide letter (IUPAC)" + repair);
    }
  }
}

void ReadParser::check_plus(std::string_view line, std::string_view header) const {
  if (line.starts_with('+')) return;
  const std::string found = line.empty() ? "is empty" : "begins with " + quoted(line[0]);
  fail(header, "the line after the sequence " + found +
                   ", not with '+'; a FASTQ record has a line with '+' between bases and qualities" + repair);
}

void ReadParser::check_qualities(std::string_view qualities, std::string_view header) const {
  if (only_printable(qualities)) return;
  fail(header, first_invisible(qualities) + " is not a quality ('!' to '~')" + repair);
}

void ReadParser::fail_start(std::string_view header) const {
  throw InputError::at(path_, record_line_,
                       fmt::format("a FASTQ record begins with '@', this line with {}{}", quoted(header[0]), repair));
}

void ReadParser::fail_length(LineReader::Line header, std::uint64_t qualities, std::uint64_t bases) {
  const bool cut = qualities < bases && lines_.peek() < 0;
  const std::string problem = fmt::format("quality has {} letters, sequence {}", qualities, bases);
  fail(lines_.text(header), problem + (cut ? ", and the file ends there" : "") + repair);
}

void ReadParser::fail_cut(std::string_view header, std::string_view missing) const {
  fail(header, fmt::format("the file ends before the {}{}", missing, repair));
}

void ReadParser::fail_long(std::string_view header) const {
  fail(header, fmt::format("the sequence has more than {} letters; split it", longest_read));
}

void ReadParser::fail(std::string_view header, std::string_view problem) const {
  throw InputError::at(path_, lines_.line_number(),
                       fmt::format("read '{}': {}", parts_of_header(header, mates_).name, problem));
}

}  // namespace warpseed::reads
