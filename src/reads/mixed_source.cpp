#include "reads/mixed_source.hpp"

#include <algorithm>
#include <vector>

namespace warpseed::reads {

namespace {

/// The reads without a mate, which has their name and is the next one or the one before.
std::vector<std::uint64_t> singles_in(const ReadBatch& batch) {
  std::vector<std::uint64_t> singles;
  for (std::uint64_t i = 0; i < batch.size();) {
    const bool pair = i + 1 < batch.size() && batch[i].name == batch[i + 1].name;
    if (!pair) singles.push_back(i);
    i += pair ? 2 : 1;
  }
  return singles;
}

}  // namespace

bool MixedSource::next(ReadBatch& batch, std::uint64_t count) {
  const std::uint64_t usual = count + (one_more_ ? 1 : 0);
  one_more_ = false;
  batch.clear();
  fill(batch, count);
  if (batch.empty()) return false;
  std::vector<std::uint64_t> singles = singles_in(batch);
  const std::uint64_t last = batch.size() - 1;
  if (!singles.empty() && singles.back() == last) {
    // Its mate may be the next read. The parser prepares as many reads as calls ask for: a whole batch is taken.
    if (ahead_.reads.empty()) take(usual);
    one_more_ = !ahead_.reads.empty() && ahead_.reads[0].name == batch[last].name;
  }
  if (one_more_) {
    singles.pop_back();
    batch.add(ahead_.reads[0]);
    ahead_.reads.remove_first(1);
  }
  batch.set_singles(std::move(singles));
  return true;
}

std::optional<SourcePosition> MixedSource::position() const {
  if (ahead_.reads.empty()) return SourcePosition{0, {reads_.position()}};
  const std::size_t used = ahead_.offsets.size() - ahead_.reads.size();
  return SourcePosition{0, {{{ahead_.offsets[used]}, ahead_.lines[used] - 1}}};
}

/// Replaces ahead_, of which nothing is left, with the next `count` reads; none at the end of the file.
void MixedSource::take(std::uint64_t count) {
  reads_.take(count, ahead_);
  if (ahead_.error) std::rethrow_exception(ahead_.error);
}

/// Fills the empty batch with `count` reads, fewer at the end of the file.
void MixedSource::fill(ReadBatch& batch, std::uint64_t count) {
  while (batch.size() < count) {
    const std::uint64_t wanted = count - batch.size();
    if (ahead_.reads.empty()) take(wanted);
    const std::uint64_t used = std::min(wanted, ahead_.reads.size());
    if (used == 0) return;
    if (batch.empty() && used == ahead_.reads.size()) {
      std::swap(batch, ahead_.reads);
      continue;
    }
    for (std::uint64_t i = 0; i < used; ++i) batch.add(ahead_.reads[i]);
    ahead_.reads.remove_first(used);
  }
}

}  // namespace warpseed::reads
