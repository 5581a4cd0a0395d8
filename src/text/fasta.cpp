#include "text/fasta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/byte_source.hpp"
#include "core/text_memory.hpp"
#include "core/timing.hpp"
#include "text/sequence_check.hpp"
#include "warpseed/error.hpp"

namespace warpseed::text {

namespace {

constexpr std::uint64_t longest_name = 1 << 26;  // longer ones are no names: an endless line would take all memory

/// The total size of all files; 0 if one of them is a pipe.
std::uint64_t total_bytes(std::span<const std::string> paths) {
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    std::error_code unknown;
    const std::uint64_t bytes = std::filesystem::file_size(path, unknown);
    if (unknown) return 0;
    total += bytes;
  }
  return total;
}

/// The position of a record's header.
struct HeaderLine {
  std::uint32_t file = 0;
  std::uint64_t line = 0;
};

/// Throws InputError if two contigs have the same name.
void require_unique(const std::vector<std::string>& names, std::span<const HeaderLine> headers,
                    std::span<const std::string> paths) {
  const std::optional<RepeatedName> repeated = find_repeated(names);
  if (!repeated) return;
  const HeaderLine& here = headers[repeated->second];
  const HeaderLine& there = headers[repeated->first];
  throw InputError::at(input_name(paths[here.file]), here.line,
                       fmt::format("a second contig is called \"{}\", as at {}:{}; rename one of them",
                                   names[repeated->second], input_name(paths[there.file]), there.line));
}

/// Reads files one after another into one builder.
class FastaReader {
 public:
  FastaReader(std::span<const std::string> paths, const ProgressCallback& progress, std::uint64_t block_bytes)
      : paths_(paths), progress_(progress), block_(block_bytes), bytes_total_(total_bytes(paths)) {}

  Genome read();

 private:
  void read_file();
  void parse(const char* at, const char* end);
  const char* begin_line(const char* at);
  const char* header(const char* at, const char* end);
  const char* sequence(const char* at, const char* end);
  void end_header();
  void end_record();
  void end_line();
  void report(bool last);
  [[noreturn]] void fail(std::uint64_t line, const std::string& problem);
  [[noreturn]] void fail_at_character(char letter);

  std::span<const std::string> paths_;
  const ProgressCallback& progress_;
  TextMemory block_;
  GenomeBuilder builder_;
  std::vector<HeaderLine> headers_;  // [contigs]
  std::string name_;                 // of the current record
  Stopwatch since_report_;
  std::uint64_t bytes_total_ = 0;   // of all files, 0 if unknown
  std::uint64_t bytes_before_ = 0;  // of the finished files

  // State of the current file:
  std::uint32_t file_ = 0;
  std::unique_ptr<ByteSource> source_;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 0;  // characters before the current position of the line
  bool in_header_ = false;
  bool name_done_ = false;  // white space has ended the name
  bool in_record_ = false;
  bool after_return_ = false;  // the previous character was a carriage return
};

Genome FastaReader::read() {
  for (file_ = 0; file_ < paths_.size(); ++file_) {
    source_ = open_bytes(paths_[file_]);
    read_file();
  }
  Genome genome = builder_.finish();
  require_unique(genome.names, headers_, paths_);
  return genome;
}

void FastaReader::read_file() {
  line_ = 1, column_ = 0;
  in_header_ = in_record_ = after_return_ = false;
  // A compressed base takes about two bits. Reserved memory that stays unused is never backed by pages.
  const std::uint64_t bytes_left = bytes_total_ - std::min(bytes_before_, bytes_total_);
  builder_.reserve(builder_.text_size() + bytes_left * (source_->compressed() ? 4 : 1));
  while (const std::uint64_t got = source_->read(block_)) {
    parse(block_.data(), block_.data() + got);
    report(false);
  }
  if (in_header_) end_header();
  if (in_record_) {
    end_record();
  } else {
    throw InputError(input_name(paths_[file_]) + ": holds no FASTA record; the file is empty or was cut");
  }
  report(file_ + 1 == paths_.size());
  bytes_before_ += source_->file_offset();
}

void FastaReader::report(bool last) {
  constexpr double seconds_between = 0.1;
  if (!progress_ || (!last && since_report_.seconds() < seconds_between)) return;
  since_report_.restart();
  progress_({"reading FASTA", "bytes", bytes_before_ + source_->file_offset(), bytes_total_});
}

void FastaReader::parse(const char* at, const char* end) {
  while (at != end) {
    if (in_header_) {
      at = header(at, end);
    } else if (after_return_ && *at != '\n') {
      fail_at_character('\r');
    } else if (*at == '\n') {
      end_line();
      ++at;
    } else if (*at == '\r') {
      after_return_ = true;
      ++at;
    } else if (column_ == 0 && (*at == '>' || !in_record_)) {
      at = begin_line(at);
    } else {
      at = sequence(at, end);
    }
  }
}

void FastaReader::end_line() {
  ++line_;
  column_ = 0;
  after_return_ = false;
}

/// Handles the first character of a header, or of anything else before the first record.
const char* FastaReader::begin_line(const char* at) {
  if (*at == '@') fail(line_, "this is FASTQ, not FASTA; convert it first (seqtk seq -A, or samtools fasta)");
  if (*at != '>') fail(line_, "this is not FASTA: the first record must begin with '>'");
  if (in_record_) end_record();
  in_header_ = in_record_ = true;
  name_done_ = false;
  name_.clear();
  return at + 1;
}

const char* FastaReader::header(const char* at, const char* end) {
  const auto* line_end = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
  const char* stop = line_end ? line_end : end;
  if (!name_done_) {
    const char* name_end =
        std::find_if(at, stop, [](char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); });
    name_.append(at, name_end);
    name_done_ = name_end != stop;
    if (name_.size() > longest_name)
      fail(line_, fmt::format("a record's name has more than {} letters; shorten it, or give FASTA if this is none",
                              longest_name));
  }
  if (!line_end) return end;
  end_header();
  end_line();
  return line_end + 1;
}

void FastaReader::end_header() {
  in_header_ = false;
  if (name_.empty()) fail(line_, "a record without a name; write one straight after the '>'");
  if (const std::string problem = name_error(name_); !problem.empty()) fail(line_, problem);
  builder_.begin_contig(name_);
  headers_.push_back({file_, line_});
}

void FastaReader::end_record() {
  if (builder_.contig_length() > 0) return;
  fail(headers_.back().line, fmt::format("record \"{}\" has no sequence; remove it or add its letters", name_));
}

const char* FastaReader::sequence(const char* at, const char* end) {
  const std::uint64_t taken = builder_.add({at, static_cast<std::size_t>(end - at)});
  column_ += taken;
  if (taken == 0) fail_at_character(*at);
  return at + taken;
}

void FastaReader::fail_at_character(char letter) {
  fail(line_, fmt::format("column {}: {}", column_ + 1, letter_error(letter)));
}

/// Invalid data from a compressed file is mostly damage; then the checksum at the end gives the true cause.
void FastaReader::fail(std::uint64_t line, const std::string& problem) {
  if (source_->compressed()) {
    while (source_->read(block_) > 0) continue;
  }
  throw InputError::at(input_name(paths_[file_]), line, problem);
}

}  // namespace

Genome read_fasta(std::span<const std::string> paths, const ProgressCallback& progress, std::uint64_t block_bytes) {
  if (paths.empty()) throw std::invalid_argument("read_fasta: no file is named");
  return FastaReader(paths, progress, block_bytes).read();
}

}  // namespace warpseed::text
