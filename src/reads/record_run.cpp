#include "reads/record_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <queue>
#include <utility>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "reads/bam_memory.hpp"
#include "sort/key_order.hpp"

namespace warpseed {

namespace {

namespace fs = std::filesystem;

/// The next record of a run.
struct Head {
  std::uint64_t place;
  std::uint64_t run;

  friend auto operator<=>(const Head&, const Head&) = default;
};

std::string folder_beside(const std::string& path) {
  std::error_code ignored;
  const bool beside = path != "-" && (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored));
  if (!beside) return fs::temp_directory_path().string();
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// A file that its last descriptor takes with it.
int open_nameless(const std::string& folder) {
  std::string name = folder + "/warpseed.sort.XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) throw IoError::from_errno("make a temporary file in", folder, errno);
  unlink(name.c_str());
  return descriptor;
}

constexpr std::uint64_t records_at_a_time = 1 << 16;  // work for many threads
constexpr std::uint64_t bytes_at_a_time = 32 << 20;   // of what is merged: long reads come to it first

/// Announces what will be read of a record.
void prefetch_data(const bam1_t& record) {
  constexpr int line = 64, most = 8 * line;  // of long reads the processor finds the rest by itself
  for (int at = 0; at < record.l_data && at < most; at += line) prefetch(record.data + at);
}

}  // namespace

void release(std::vector<BamRecord>& records, int threads) {
  constexpr std::uint64_t records_a_task = 1 << 13;
  for_blocks(threads, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) BamRecord(std::move(records[i]));
  });
  records.clear();
}

void emit_sorted(std::vector<BamRecord> records, const Backend& backend, const RecordSink& sink) {
  const std::uint64_t count = records.size();
  std::vector<std::uint64_t> places(count);
  for_blocks(backend.threads, count, std::uint64_t{1} << 16, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) places[i] = place_of(records[i].get());
  });
  const std::vector<std::uint32_t> order = key_order(places, backend);
  for (std::uint64_t begin = 0; begin < count; begin += records_at_a_time) {
    const std::uint64_t end = std::min(count, begin + records_at_a_time);
    std::vector<BamRecord> next;
    next.reserve(end - begin);
    for (std::uint64_t i = begin; i < end; ++i) next.push_back(std::move(records[order[i]]));
    sink(std::move(next));
  }
}

RecordRun::RecordRun(const std::string& path, const HtsThreads& threads)
    : folder_(folder_beside(path)), pool_(threads.get()), current_(bam_init1(), bam_destroy1) {
  if (!current_) throw std::bad_alloc();
  descriptor_ = open_nameless(folder_);
  open("w1");  // level 1: the disk is slower than that, and higher levels than the disk
}

RecordRun::RecordRun(RecordRun&& other) noexcept
    : folder_(std::move(other.folder_)),
      pool_(other.pool_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      stream_(std::exchange(other.stream_, nullptr)),
      current_(std::move(other.current_)) {}

RecordRun& RecordRun::operator=(RecordRun&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(pool_, other.pool_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(stream_, other.stream_);
  std::swap(current_, other.current_);
  return *this;
}

RecordRun::~RecordRun() {
  if (stream_) bgzf_close(stream_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RecordRun::open(const char* mode) {
  const int copy = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);  // the stream closes its own
  hFILE* file = copy >= 0 ? hdopen(copy, mode) : nullptr;
  if (!file && copy >= 0) ::close(copy);
  if (file) stream_ = bgzf_hopen(file, mode);
  if (file && !stream_) hclose_abruptly(file);
  if (!stream_) fail("open");
  if (pool_ && bgzf_thread_pool(stream_, pool_, 0) != 0) fail("open");
}

/// Records lie anywhere in memory, or in another processor's caches: they are announced ahead.
void RecordRun::write(const std::vector<BamRecord>& records) {
  constexpr std::uint64_t ahead = 8;
  const std::uint64_t count = records.size();
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i + 2 * ahead < count) prefetch(records[i + 2 * ahead].get());
    if (i + ahead < count) prefetch_data(*records[i + ahead].get());
    const bam1_t* record = records[i].get();
    const bool id_written = bgzf_write(stream_, &record->id, sizeof record->id) == sizeof record->id;
    if (!id_written || bam_write1(stream_, record) < 0) fail("write");
  }
}

void RecordRun::end_writing() {
  if (bgzf_flush(stream_) != 0) fail("write");  // first, since closing tells no reason
  if (bgzf_close(std::exchange(stream_, nullptr)) != 0) fail("write");
  if (lseek(descriptor_, 0, SEEK_SET) != 0) fail("read");
  open("r");
}

bool RecordRun::next() {
  const ssize_t got = bgzf_read(stream_, &current_->id, sizeof current_->id);
  if (got == 0) return false;
  if (got != sizeof current_->id || bam_read1(stream_, current_.get()) < 0) fail("read");
  return true;
}

void RecordRun::fail(const char* doing) const {
  const int met = stream_ ? herrno(stream_->fp) : errno;  // by whichever thread wrote
  throw IoError::from_errno(doing, "a temporary file for sorting in " + folder_, met != 0 ? met : EIO);
}

void merge_runs(std::vector<RecordRun>& runs, const RecordSink& sink) {
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  const auto advance = [&](std::uint64_t run) {
    if (runs[run].next()) heads.push({place_of(runs[run].current()), run});
  };
  for (std::uint64_t run = 0; run < runs.size(); ++run) advance(run);
  BamMemory memory;
  std::vector<BamRecord> next;
  std::uint64_t bytes = 0;  // of next
  while (!heads.empty()) {
    const std::uint64_t run = heads.top().run;
    heads.pop();
    next.emplace_back(*runs[run].current(), memory);
    bytes += static_cast<std::uint64_t>(runs[run].current()->l_data);
    if (next.size() == records_at_a_time || bytes >= bytes_at_a_time) {
      sink(std::exchange(next, {}));
      bytes = 0;
    }
    advance(run);
  }
  if (!next.empty()) sink(std::move(next));
}

}  // namespace warpseed
