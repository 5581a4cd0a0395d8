#include "reads/read_batch.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cassert>
#include <limits>
#include <stdexcept>

namespace warpseed::reads {

namespace {

constexpr std::uint64_t pairs_per_task = 8192;

std::uint32_t narrow(std::uint64_t value) {
  assert(value <= std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(value);
}

}  // namespace

void ReadBatch::add(const ReadView& read) {
  TextMemory& text = texts_[0];
  const std::uint64_t begin = text.size();
  const auto append = [&text, begin](std::string_view part) {
    const ReadPart stored = {narrow(text.size() - begin), narrow(part.size())};
    text.insert(text.end(), part.begin(), part.end());
    return stored;
  };
  // A braced list is evaluated from left to right.
  stored_.push_back({begin, append(read.name), append(read.comment), append(read.bases), append(read.qualities),
                     append(read.tags), 0, read.read_group & 0x7FFFFFFF, read.qc_fail});
}

void ReadBatch::add_in_text(std::uint64_t begin, std::string_view record, const ReadView& parts) {
  const auto part_of = [&record](std::string_view part) {
    return ReadPart{narrow(static_cast<std::uint64_t>(part.data() - record.data())), narrow(part.size())};
  };
  stored_.push_back({begin, part_of(parts.name), part_of(parts.comment), part_of(parts.bases), part_of(parts.qualities),
                     ReadPart{0, 0}, 0, parts.read_group & 0x7FFFFFFF, 0});
}

void ReadBatch::add_in_text(const ReadBatch& parts, std::uint64_t count) {
  stored_.insert(stored_.end(), parts.stored_.begin(), parts.stored_.begin() + static_cast<std::ptrdiff_t>(count));
}

void ReadBatch::remove_first(std::uint64_t count) {
  assert(singles_.empty() && count <= size());
  stored_.erase(stored_.begin(), stored_.begin() + static_cast<std::ptrdiff_t>(count));
}

void ReadBatch::interleave(ReadBatch& first, ReadBatch& second) {
  if (first.size() != second.size()) throw std::invalid_argument("interleave: batches of different sizes");
  if (!first.texts_[1].empty() || !second.texts_[1].empty()) throw std::invalid_argument("interleave: done before");
  stored_.resize(2 * first.size());
  singles_.clear();
  const auto copy = [&](const tbb::blocked_range<std::uint64_t>& pairs) {
    for (std::uint64_t i = pairs.begin(); i < pairs.end(); ++i) {
      stored_[2 * i] = first.stored_[i];
      stored_[2 * i + 1] = second.stored_[i];
      stored_[2 * i + 1].text = 1;
    }
  };
  // Waiting for the others, this thread takes up no other work.
  tbb::this_task_arena::isolate(
      [&] { tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, first.size(), pairs_per_task), copy); });
  texts_[0].swap(first.texts_[0]);
  texts_[1].swap(second.texts_[0]);
  first.clear();
  second.clear();
}

void ReadBatch::reserve(std::uint64_t reads, std::uint64_t text_bytes) {
  texts_[0].reserve(text_bytes);
  stored_.reserve(reads);
}

void ReadBatch::clear() {
  for (TextMemory& text : texts_) text.clear();
  stored_.clear();
  singles_.clear();
}

}  // namespace warpseed::reads
