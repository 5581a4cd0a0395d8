#include "reads/read_source.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "reads/read_parser.hpp"
#include "reads/record_reader.hpp"
#include "reads/record_source.hpp"

namespace warpseed {

namespace {

/// Long enough for what tells SAM without a header, its first line's first fields.
constexpr std::uint64_t start_bytes = 1024;

/// A file of reads: its bytes, of which the first have been looked at.
struct OpenFile {
  std::string name;
  std::unique_ptr<ByteSource> bytes;
  bool has_records;
};

OpenFile open_file(const std::string& path) {
  std::unique_ptr<ByteSource> bytes = open_bytes(path);
  std::string start(start_bytes, ' ');
  start.resize(bytes->read(start));
  const bool has_records = begins_records(start);
  return {input_name(path), with_start(std::move(start), std::move(bytes)), has_records};
}

ReadParser make_parser(OpenFile file) {
  return {std::move(file.bytes), std::move(file.name)};
}

class SingleSource final : public ReadSource {
 public:
  explicit SingleSource(OpenFile file) : reads_(make_parser(std::move(file))) {}

  bool next(ReadBatch& batch, std::uint64_t count) override {
    batch.clear();
    while (batch.size() < count && reads_.next(batch)) {
    }
    return !batch.empty();
  }

 private:
  ReadParser reads_;
};

/// Mates from two files, or from one where they follow each other: then one parser gives both.
class PairSource final : public ReadSource {
 public:
  explicit PairSource(OpenFile both) { parsers_.push_back(make_parser(std::move(both))); }
  PairSource(OpenFile first, OpenFile second) : PairSource(std::move(first)) {
    parsers_.push_back(make_parser(std::move(second)));
  }

  bool next(ReadBatch& batch, std::uint64_t count) override {
    batch.clear();
    while (batch.size() < count && add_pair(batch)) {
    }
    return !batch.empty();
  }

  bool paired() const override { return true; }

 private:
  bool add_pair(ReadBatch& batch) {
    const bool has_first = first().next(batch);
    first_line_ = first().record_line();
    if (!has_first && interleaved()) return false;
    const bool has_second = second().next(batch);
    if (!has_first && !has_second) return false;
    const ReadView last = batch[batch.size() - 1];
    if (has_first != has_second) fail_number(last.name, has_first);
    const ReadView previous = batch[batch.size() - 2];
    if (last.name != previous.name) fail_names(previous.name, last.name);
    return true;
  }

  [[noreturn]] void fail_number(std::string_view name, bool has_first) {
    if (interleaved()) {
      throw InputError::at(first().path(), first_line_,
                           fmt::format("read '{}' has no mate, the file ends after it; mates must follow each "
                                       "other, or give the file as single reads",
                                       name));
    }
    const ReadParser& longer = has_first ? first() : second();
    const ReadParser& shorter = has_first ? second() : first();
    throw InputError::at(longer.path(), longer.record_line(),
                         fmt::format("read '{}' has no mate: {} ends after {} reads; give two files with the "
                                     "same reads in the same order",
                                     name, shorter.path(), shorter.record_count()));
  }

  [[noreturn]] void fail_names(std::string_view name1, std::string_view name2) {
    const std::string place2 = fmt::format("{}:{}", second().path(), second().record_line());
    throw InputError::at(first().path(), first_line_,
                         fmt::format("mates differ in name: '{}' here, '{}' at {}; {}", name1, name2, place2,
                                     interleaved() ? "mates must follow each other"
                                                   : "give two files with the same reads in the same order"));
  }

  bool interleaved() const { return parsers_.size() == 1; }
  ReadParser& first() { return parsers_.front(); }
  ReadParser& second() { return parsers_.back(); }

  std::vector<ReadParser> parsers_;  // one or two
  std::uint64_t first_line_ = 0;     // where the first mate's record begins
};

}  // namespace

const ReadHeader& ReadSource::header() const {
  static const ReadHeader none;
  return none;
}

std::unique_ptr<ReadSource> open_reads(const ReadInput& input) {
  const std::string& path2 = input.path2;
  if (input.interleaved && !path2.empty()) {
    throw InputError(input_name(path2) + ": interleaved mates come from one file; leave the second out");
  }
  if (!path2.empty() && input.path1 == path2) {
    throw InputError(input_name(path2) + ": given for both mates; give two files, or one with interleaved mates");
  }
  OpenFile first = open_file(input.path1);
  if (path2.empty()) {
    if (first.has_records) return open_records(std::move(first.bytes), first.name, input);
    if (input.interleaved) return std::make_unique<PairSource>(std::move(first));
    return std::make_unique<SingleSource>(std::move(first));
  }
  OpenFile second = open_file(path2);
  if (first.has_records || second.has_records) {
    throw InputError((first.has_records ? first : second).name +
                     ": SAM, BAM or CRAM, which holds both mates of its pairs; name it alone");
  }
  return std::make_unique<PairSource>(std::move(first), std::move(second));
}

}  // namespace warpseed
