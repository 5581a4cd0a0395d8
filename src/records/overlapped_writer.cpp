#include "records/overlapped_writer.hpp"

#include <algorithm>
#include <utility>

namespace warpseed::records {

namespace {

constexpr std::size_t most_calls = 3;  // at a time

}  // namespace

OverlappedWriter::OverlappedWriter(AlignmentFile& file, int threads)
    : file_(file), threads_(threads), arena_(std::max(threads, 1)) {}

void OverlappedWriter::write(std::span<const bam1_t* const> records, std::function<void()> release) {
  if (!file_.encodes_on_device()) {
    records::write(file_, records, threads_);
    return release();
  }
  std::unique_ptr<FilePart> part = arena_.execute([&] { return file_.measure(records, {}); });
  file_.cut(*part);
  if (calls_.size() == most_calls) append_first();
  BackgroundThread<> encoded([this, to = part.get(), release = std::move(release)] {
    tbb::task_arena own(std::max(threads_, 1));  // the caller's may have no room for one that waits
    own.execute([&] { file_.encode(*to); });
    release();
  });
  calls_.push_back({std::move(part), std::move(encoded)});
}

void OverlappedWriter::append_first() {
  Call& first = calls_.front();
  first.encoded.get();
  arena_.execute([&] {
    file_.append(*first.part);
    file_.store(std::move(first.part));
  });
  calls_.pop_front();
}

void OverlappedWriter::finish() {
  while (!calls_.empty()) append_first();
}

}  // namespace warpseed::records
