#include "reads/record_source.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "core/quoted.hpp"
#include "core/string_table.hpp"
#include "reads/original_read.hpp"
#include "reads/read_name.hpp"
#include "reads/record_reader.hpp"
#include "records/alignment_record.hpp"
#include "records/htslib_memory.hpp"
#include "records/sam_header.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

ReadHeader header_of(std::string_view text) {
  ReadHeader header;
  for_each_line(text, [&](std::string_view line, std::uint64_t) {
    if (line.starts_with("@RG\t")) header.read_groups.emplace_back(line);
    if (line.starts_with("@PG\t")) header.programs.emplace_back(line);
    if (line.starts_with("@CO\t")) header.comments.emplace_back(line);
  });
  return header;
}

/// Throws InputError for a line that is not valid SAM and would be copied to the output's header.
void require_lines_of_sam(std::string_view text, const std::string& name) {
  for_each_line(text, [&](std::string_view line, std::uint64_t number) {
    if (!line.starts_with("@RG\t") && !line.starts_with("@PG\t")) return;
    errno = 0;
    const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> parsed(sam_hdr_parse(line.size(), line.data()),
                                                                  sam_hdr_destroy);
    if (parsed) return;
    records::require_memory(errno);
    throw InputError(fmt::format(
        "{}: line {} of the header, {}, is not as SAM has it: fields KEY:VALUE with a tab between, ID among "
        "them; correct it, with samtools reheader in BAM and CRAM",
        name, number, quoted(line)));
  });
}

bool is_sorted_by_coordinate(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.starts_with("@HD\t") && records::header_field(first, "SO") == "coordinate";
}

class RecordSource final : public ReadSource {
 public:
  RecordSource(std::unique_ptr<ByteSource> bytes, const std::string& name, const ReadInput& input)
      : reader_(std::move(bytes), name, input.reference_path, input.from.empty() ? FilePosition{} : input.from.front()),
        with_tags_(input.with_tags),
        with_read_groups_(input.with_read_groups),
        said_to_be_paired_(input.interleaved),
        with_singles_(input.interleaved && input.with_singles),
        other_group_(input.read_group),
        header_(header_of(reader_.header_text())) {
    for (const std::string& line : header_.read_groups) add_group(name, line);
    require_lines_of_sam(reader_.header_text(), name);
    is_sorted_ = is_sorted_by_coordinate(reader_.header_text());
    advance();
    paired_ = said_to_be_paired_ || (has_current_ && is_paired(reader_.current()->core.flag));
  }

  bool next(ReadBatch& batch, std::uint64_t count) override {
    batch.clear();
    if (with_singles_) {
      add_mixed(batch, count);
    } else if (paired_) {
      while (batch.size() < count && has_current_) add_pair(batch);
    } else {
      while (batch.size() < count && !batch_text.reached_by(batch.size(), batch.text_bytes()) && has_current_)
        add_single(batch);
    }
    return !batch.empty();
  }

  bool paired() const override { return paired_; }
  const ReadHeader& header() const override { return header_; }
  std::optional<SourcePosition> position() const override {
    const std::optional<FilePosition> position = reader_.position();
    return position ? std::optional(SourcePosition{0, {*position}}) : std::nullopt;
  }
  void number_read_groups(const std::vector<std::uint32_t>& numbers) override { numbers_ = numbers; }

 private:
  static bool is_paired(unsigned flag) { return (flag & records::sam_flag::paired) != 0; }

  void add_group(const std::string& name, const std::string& line) {
    const std::string id = records::read_group_id(line);
    if (id.empty() || groups_.find(id) != StringTable::none) {
      throw InputError(fmt::format("{}: the header has a read group {}; samtools reheader mends it", name,
                                   id.empty() ? "without ID" : fmt::format("'{}' twice", id)));
    }
    groups_.add(id);
  }

  /// Advances to the next primary record, if there is one.
  void advance() {
    constexpr unsigned not_primary = records::sam_flag::secondary | records::sam_flag::supplementary;
    do {
      has_current_ = reader_.next();
    } while (has_current_ && (reader_.current()->core.flag & not_primary) != 0);
  }

  void take(OriginalRead& read) {
    read.assign(reader_, with_tags_);
    if (is_paired(read.flag) != paired_ && !said_to_be_paired_) {
      reader_.fail(
          fmt::format("{}; align -p takes both, if mates follow each other, or samtools view -f 1 gives the "
                      "pairs, -F 1 the single reads, to be aligned apart",
                      paired_ ? "a single read among pairs" : "a paired read among single ones"));
    }
    advance();
  }

  void add(ReadBatch& batch, const OriginalRead& read) {
    std::uint32_t group = other_group_;
    if (with_read_groups_ && !read.read_group.empty()) {
      const std::uint32_t line = groups_.find(read.read_group);
      if (line == StringTable::none) {
        reader_.fail_at(read.location,
                        fmt::format("read '{}': the header has no read group '{}'; add it, or give all reads "
                                    "one with -R",
                                    read.name, read.read_group));
      }
      group = numbers_.empty() ? line + 1 : numbers_[line];
    }
    batch.add(read.view(group));
  }

  void add_single(ReadBatch& batch) {
    take(first_);
    add(batch, first_);
  }

  void add_mixed(ReadBatch& batch, std::uint64_t count) {
    std::vector<std::uint64_t> singles;
    while (batch.size() < count && has_current_) {
      take(first_);
      if (has_current_ && name_of_current() == first_.name) {
        add_mates(batch);
        continue;
      }
      if (is_sorted_ && is_paired(first_.flag)) fail_mate("the file is sorted by coordinate");
      singles.push_back(batch.size());
      add(batch, first_);
    }
    batch.set_singles(std::move(singles));
  }

  std::string_view name_of_current() const { return without_mate_number(bam_get_qname(reader_.current())); }

  void add_pair(ReadBatch& batch) {
    take(first_);
    if (!has_current_) fail_mate("the file ends after it");
    if (first_.name != name_of_current()) fail_mate(fmt::format("read '{}' follows it", name_of_current()));
    add_mates(batch);
  }

  /// Adds first_ and the current record, which has the same name.
  void add_mates(ReadBatch& batch) {
    take(second_);
    constexpr unsigned both = records::sam_flag::first | records::sam_flag::second;
    const unsigned end1 = first_.flag & both, end2 = second_.flag & both;
    if (end1 == end2 && end1 != 0) fail_mate("the record after it has the same flag 0x40 or 0x80");
    const bool swapped = end1 == records::sam_flag::second && end2 == records::sam_flag::first;
    add(batch, swapped ? second_ : first_);
    add(batch, swapped ? first_ : second_);
  }

  [[noreturn]] void fail_mate(std::string_view why) {
    reader_.fail_at(
        first_.location,
        fmt::format(
            "read '{}' is paired, but without its mate next to it ({}); samtools collate "
            "puts mates together, samtools fastq -s after it keeps reads without a mate apart, and align -p takes "
            "them as single reads",
            first_.name, why));
  }

  RecordReader reader_;  // its current record is the next to be taken
  bool has_current_ = false;
  const bool with_tags_, with_read_groups_, said_to_be_paired_, with_singles_;
  const std::uint32_t other_group_;  // of reads without a group of their own
  bool paired_ = false;
  bool is_sorted_ = false;  // by coordinate, so that mates are not adjacent
  ReadHeader header_;
  StringTable groups_;                  // IDs, by line of the header
  std::vector<std::uint32_t> numbers_;  // by line of the header; empty: line + 1
  OriginalRead first_, second_;
};

}  // namespace

std::unique_ptr<ReadSource> open_records(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                         const ReadInput& input) {
  return std::make_unique<RecordSource>(std::move(bytes), name, input);
}

}  // namespace warpseed::reads
