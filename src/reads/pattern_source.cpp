#include "reads/pattern_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/byte_source.hpp"
#include "core/quoted.hpp"
#include "text/alphabet.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

constexpr std::uint64_t longest_line = 1ULL << 30;  // any chromosome but the longest; those are accepted as FASTA

bool is_bad(char letter) {
  return text::code_of_base(letter) == text::code_invalid;
}

[[noreturn]] void fail_character(const std::string& name, std::uint64_t line, char letter) {
  throw InputError::at(name, line,
                       fmt::format("{} is not a nucleotide; give FASTA, FASTQ or one pattern a line, in "
                                   "IUPAC letters",
                                   quoted(letter)));
}

}  // namespace

PatternSource::PatternSource(const std::string& path) : name_(input_name(path)) {
  std::unique_ptr<ByteSource> bytes = open_bytes(path);
  char first = '\n';
  if (bytes->read({&first, 1}) == 1) bytes = with_start({first}, std::move(bytes));
  if (first == '>' || first == '@') {
    records_.emplace(std::move(bytes), name_, ReadParser::default_block_bytes, MateNumbers::kept);
  } else {
    // Checks the first character before reading a line: another kind of file may be one endless line.
    if (first != '\n' && first != '\r' && is_bad(first)) fail_character(name_, 1, first);
    constexpr std::uint64_t block_bytes = 1 << 20;
    lines_.emplace(std::move(bytes), block_bytes,
                   LineLimit{name_, longest_line, "give FASTA, FASTQ or one pattern a line"});
  }
}

bool PatternSource::next(ReadBatch& batch) {
  if (records_) {
    records_->fill(portion_, {batch_patterns, {.most_bytes = batch_bytes}});
    if (portion_.error) std::rethrow_exception(portion_.error);
    std::swap(batch, portion_.reads);
  } else {
    batch.clear();
    while (batch.size() < batch_patterns && batch.text_bytes() < batch_bytes && add_line(batch)) {
    }
  }
  return !batch.empty();
}

bool PatternSource::add_line(ReadBatch& batch) {
  lines_->begin_record();
  LineReader::Line line;
  if (!lines_->next(line)) return false;
  const std::string_view bases = lines_->text(line);
  const auto bad = std::find_if(bases.begin(), bases.end(), is_bad);
  if (bad != bases.end()) fail_character(name_, lines_->line_number(), *bad);
  batch.add(bases, {}, bases, {});
  return true;
}

}  // namespace warpseed::reads
