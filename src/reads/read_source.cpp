#include "reads/read_source.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "core/file_identity.hpp"
#include "core/prefetch.hpp"
#include "reads/mixed_source.hpp"
#include "reads/read_parser.hpp"
#include "reads/read_prefetcher.hpp"
#include "reads/record_reader.hpp"
#include "reads/record_source.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

/// Enough to recognise SAM without a header, by the fields of its first line.
constexpr std::uint64_t start_bytes = 1024;

/// A file of reads: its bytes, and the first of them, which have been examined.
struct OpenFile {
  std::string name;
  std::unique_ptr<ByteSource> bytes;
  bool has_records;
  FilePosition from;  // where the bytes begin, those of a header apart
};

/// As many bytes, fewer at the end.
std::string read_text(ByteSource& source, std::uint64_t bytes) {
  std::string text(bytes, ' ');
  text.resize(source.read(text));
  return text;
}

/// Opens the first or second of an input's files.
OpenFile open_file(const ReadInput& input, std::size_t number) {
  const std::string& path = number == 0 ? input.path1 : input.path2;
  std::unique_ptr<ByteSource> bytes = open_bytes(path);
  std::string start = read_text(*bytes, start_bytes);
  const bool has_records = begins_records(start);
  FilePosition from = number < input.from.size() ? input.from[number] : FilePosition{};
  if (from != FilePosition{}) {
    if (start.size() < from.header_bytes) start += read_text(*bytes, from.header_bytes - start.size());
    start.resize(from.header_bytes);
    bytes = open_bytes_at(path, from.bytes);
  }
  if (input.meter) bytes = metered(std::move(bytes), input.meter);
  return {input_name(path), with_start(std::move(start), std::move(bytes)), has_records, from};
}

/// Decompression has its own thread, in addition to the parser's.
ReadParser make_parser(OpenFile file, std::uint32_t read_group) {
  if (file.bytes->compressed()) file.bytes = read_ahead(std::move(file.bytes));
  ReadParser parser(std::move(file.bytes), std::move(file.name));
  parser.continue_at(file.from);
  parser.set_read_group(read_group);
  return parser;
}

/// The first of `pairs` pairs whose mates differ in name; `pairs` if none does.
std::uint64_t first_difference(const ReadBatch& first, const ReadBatch& second, std::uint64_t pairs) {
  constexpr std::uint64_t pairs_per_task = 8192, ahead = 12;
  const auto search = [&](const tbb::blocked_range<std::uint64_t>& range, std::uint64_t found) {
    for (std::uint64_t i = range.begin(); i < std::min(range.end(), found); ++i) {
      if (i + ahead < range.end()) prefetch(first[i + ahead].name.data()), prefetch(second[i + ahead].name.data());
      if (first[i].name != second[i].name) return i;
    }
    return found;
  };
  const auto earlier = [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); };
  // Waiting for the others, this thread takes up no other work.
  return tbb::this_task_arena::isolate([&] {
    return tbb::parallel_reduce(tbb::blocked_range<std::uint64_t>(0, pairs, pairs_per_task), pairs, search, earlier);
  });
}

class SingleSource final : public ReadSource {
 public:
  SingleSource(OpenFile file, std::uint32_t read_group)
      : reads_(make_parser(std::move(file), read_group), batch_text) {}

  bool next(ReadBatch& batch, std::uint64_t count) override {
    reads_.take(count, taken_);
    if (taken_.error) std::rethrow_exception(taken_.error);
    std::swap(batch, taken_.reads);
    return !batch.empty();
  }

  std::optional<SourcePosition> position() const override { return SourcePosition{0, {reads_.position()}}; }

 private:
  ReadPrefetcher reads_;
  ReadPortion taken_;
};

/// Mates that are adjacent in one file.
class InterleavedSource final : public ReadSource {
 public:
  InterleavedSource(OpenFile file, std::uint32_t read_group) : reads_(make_parser(std::move(file), read_group)) {}

  bool next(ReadBatch& batch, std::uint64_t count) override {
    reads_.take(count, taken_);
    const ReadBatch& reads = taken_.reads;
    for (std::uint64_t i = 0; i + 1 < reads.size(); i += 2) {
      if (reads[i].name != reads[i + 1].name) fail_names(i);
    }
    if (taken_.error) std::rethrow_exception(taken_.error);
    if (reads.size() % 2 != 0) fail_number(reads.size() - 1);
    std::swap(batch, taken_.reads);
    return !batch.empty();
  }

  bool paired() const override { return true; }
  std::optional<SourcePosition> position() const override { return SourcePosition{0, {reads_.position()}}; }

 private:
  [[noreturn]] void fail_number(std::uint64_t i) const {
    throw InputError::at(reads_.path(), taken_.lines[i],
                         fmt::format("read '{}' has no mate, the file ends after it; mates must follow each "
                                     "other, or give the file as single reads",
                                     taken_.reads[i].name));
  }

  [[noreturn]] void fail_names(std::uint64_t i) const {
    throw InputError::at(
        reads_.path(), taken_.lines[i],
        fmt::format("mates differ in name: '{}' here, '{}' at {}:{}; mates must follow each other",
                    taken_.reads[i].name, taken_.reads[i + 1].name, reads_.path(), taken_.lines[i + 1]));
  }

  ReadPrefetcher reads_;
  ReadPortion taken_;
};

/// Mates from two files, which are read concurrently.
class PairSource final : public ReadSource {
 public:
  PairSource(OpenFile first, OpenFile second, std::uint32_t read_group) {
    files_.emplace_back(make_parser(std::move(first), read_group));
    files_.emplace_back(make_parser(std::move(second), read_group));
  }

  /// Errors are reported in the order of the pairs; within a pair, the first mate's first.
  bool next(ReadBatch& batch, std::uint64_t count) override {
    const std::uint64_t wanted = count / 2;
    files_[0].take(wanted, taken_[0]);
    // After an error in the first file the rest of the second one does not matter.
    files_[1].take(taken_[0].error ? taken_[0].reads.size() : wanted, taken_[1]);
    const ReadBatch &first = taken_[0].reads, &second = taken_[1].reads;
    const std::uint64_t pairs = std::min(first.size(), second.size());
    const std::uint64_t different = first_difference(first, second, pairs);
    if (different < pairs) fail_names(different);
    if (pairs < wanted) check_end(pairs);
    pairs_ += pairs;
    batch.interleave(taken_[0].reads, taken_[1].reads);
    return !batch.empty();
  }

  bool paired() const override { return true; }
  std::optional<SourcePosition> position() const override {
    return SourcePosition{0, {files_[0].position(), files_[1].position()}};
  }

 private:
  /// Checks that both files end without an error after the last complete pair.
  void check_end(std::uint64_t pairs) const {
    for (const ReadPortion& portion : taken_) {
      if (portion.reads.size() == pairs && portion.error) std::rethrow_exception(portion.error);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (taken_[i].reads.size() > pairs) fail_number(i, pairs);
    }
  }

  [[noreturn]] void fail_number(std::size_t longer, std::uint64_t i) const {
    throw InputError::at(files_[longer].path(), taken_[longer].lines[i],
                         fmt::format("read '{}' has no mate: {} ends after {} reads; give two files with the "
                                     "same reads in the same order",
                                     taken_[longer].reads[i].name, files_[1 - longer].path(), pairs_ + i));
  }

  [[noreturn]] void fail_names(std::uint64_t i) const {
    throw InputError::at(
        files_[0].path(), taken_[0].lines[i],
        fmt::format("mates differ in name: '{}' here, '{}' at {}:{}; give two files with the same "
                    "reads in the same order",
                    taken_[0].reads[i].name, taken_[1].reads[i].name, files_[1].path(), taken_[1].lines[i]));
  }

  std::deque<ReadPrefetcher> files_;  // two
  ReadPortion taken_[2];
  std::uint64_t pairs_ = 0;  // returned so far
};

}  // namespace

const ReadHeader& ReadSource::header() const {
  static const ReadHeader none;
  return none;
}

void require_two_mate_files(const ReadInput& input) {
  const std::string first = input_name(input.path1), second = input_name(input.path2);
  if (input.path2.empty() || input_identity(input.path1) != input_identity(input.path2)) return;
  const std::string other_name = first == second ? "" : ", here and as " + first;
  throw InputError(second + ": given for both mates" + other_name + "; give two files, or one with interleaved mates");
}

std::unique_ptr<ReadSource> open_reads(const ReadInput& input) {
  const std::string& path2 = input.path2;
  if (input.interleaved && !path2.empty()) {
    throw InputError(input_name(path2) + ": interleaved mates come from one file; leave the second out");
  }
  require_two_mate_files(input);
  OpenFile first = open_file(input, 0);
  if (path2.empty()) {
    if (first.has_records) return open_records(std::move(first.bytes), first.name, input);
    if (input.interleaved && input.with_singles)
      return std::make_unique<MixedSource>(make_parser(std::move(first), input.read_group));
    if (input.interleaved) return std::make_unique<InterleavedSource>(std::move(first), input.read_group);
    return std::make_unique<SingleSource>(std::move(first), input.read_group);
  }
  OpenFile second = open_file(input, 1);
  if (first.has_records || second.has_records) {
    throw InputError((first.has_records ? first : second).name +
                     ": SAM, BAM or CRAM, which holds both mates of its pairs; name it alone");
  }
  return std::make_unique<PairSource>(std::move(first), std::move(second), input.read_group);
}

}  // namespace warpseed::reads
