#include "collapse/collapse_writer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "warpseed/error.hpp"

namespace warpseed::collapse {

namespace {

/// A file and the text to be written to it.
class Sink {
 public:
  explicit Sink(const std::string& path) : file_(path) {}

  void record(const reads::ReadView& read, std::uint32_t count, bool fastq) {
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, "{}{};size={}{}{}\n{}\n", fastq ? '@' : '>', read.name, count, read.comment.empty() ? "" : " ",
                   read.comment, read.bases);
    if (fastq) fmt::format_to(out, "+\n{}\n", read.qualities);
    if (text_.size() > 1 << 20) write_text();
  }
  void row(std::uint32_t count, std::string_view sequences, std::string_view name) {
    fmt::format_to(std::back_inserter(text_), "{}\t{}\t{}\n", count, sequences, name);
    if (text_.size() > 1 << 20) write_text();
  }
  void header(std::string_view line) { text_.append(line); }
  void flush() {
    write_text();
    file_.flush();
  }
  void commit() { file_.commit(); }

 private:
  void write_text() {
    file_.write({text_.data(), text_.size()});
    text_.clear();
  }

  OutputFile file_;
  fmt::memory_buffer text_;
};

void write_table(const ReadStore& reads, bool paired, const std::vector<Collapsed>& kept, Sink& out) {
  out.header(paired ? "#count\tsequence1\tsequence2\tname\n" : "#count\tsequence\tname\n");
  std::string sequences;
  for (const Collapsed& unit : kept) {
    const std::uint64_t first = paired ? 2ULL * unit.representative : unit.representative;
    sequences = reads[first].bases;
    if (paired) sequences.append("\t").append(reads[first + 1].bases);
    out.row(unit.count, sequences, reads[first].name);
  }
}

}  // namespace

CollapseFormat choose_collapse_format(const std::string& name, const ReadStore& reads) {
  if (name == "tsv") return CollapseFormat::tsv;
  if (name == "fasta" || (name == "auto" && !reads.with_qualities())) return CollapseFormat::fasta;
  if (!reads.with_qualities()) {
    throw InputError("the reads have no qualities, which FASTQ needs; write --format fasta or tsv");
  }
  return CollapseFormat::fastq;
}

void write_collapsed(const ReadStore& reads, bool paired, const std::vector<Collapsed>& kept,
                     const CollapseOutput& output) {
  const bool table = output.format == CollapseFormat::tsv, fastq = output.format == CollapseFormat::fastq;
  if (table && !output.path2.empty()) throw InputError("a table holds both mates; leave the second output out");
  Sink first(output.path);
  std::optional<Sink> second;
  if (!output.path2.empty()) second.emplace(output.path2);
  if (table) {
    write_table(reads, paired, kept, first);
  } else {
    for (const Collapsed& unit : kept) {
      if (!paired) {
        first.record(reads[unit.representative], unit.count, fastq);
        continue;
      }
      first.record(reads[2ULL * unit.representative], unit.count, fastq);
      (second ? *second : first).record(reads[2ULL * unit.representative + 1], unit.count, fastq);
    }
  }
  first.flush();
  if (second) second->flush();
  if (second) second->commit();
  first.commit();
}

}  // namespace warpseed::collapse
