#include "reads/read_source.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "reads/read_parser.hpp"

namespace warpseed {

namespace {

std::string shown(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

ReadParser open_parser(const std::string& path) {
  return {open_bytes(path), shown(path)};
}

class SingleSource final : public ReadSource {
 public:
  explicit SingleSource(const std::string& path) : reads_(open_parser(path)) {}

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
  explicit PairSource(const ReadInput& input) {
    parsers_.push_back(open_parser(input.path1));
    if (!input.interleaved) parsers_.push_back(open_parser(input.path2));
  }

  bool next(ReadBatch& batch, std::uint64_t count) override {
    batch.clear();
    while (batch.size() < count && add_pair(batch)) {
    }
    return !batch.empty();
  }

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

std::unique_ptr<ReadSource> open_reads(const ReadInput& input) {
  if (input.interleaved && !input.path2.empty()) {
    throw InputError(fmt::format("{}: interleaved mates come from one file; leave the second out", shown(input.path2)));
  }
  if (!input.path2.empty() && input.path1 == input.path2) {
    throw InputError(
        fmt::format("{}: given for both mates; give two files, or one with interleaved mates", shown(input.path1)));
  }
  if (input.paired()) return std::make_unique<PairSource>(input);
  return std::make_unique<SingleSource>(input.path1);
}

}  // namespace warpseed
