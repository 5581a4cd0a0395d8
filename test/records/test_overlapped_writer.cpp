// Parts of an alignment file that are encoded at the same time: in order, none lost, errors to the caller.
#include "records/overlapped_writer.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "records/writer_helpers.hpp"

using namespace warpseed;
using namespace warpseed::records;

namespace {

/// A file that keeps pointers to its records, and encodes as a device does: the caller waits.
class SlowFile final : public AlignmentFile {
 public:
  SlowFile(bool on_device, int bad_part) : on_device_(on_device), bad_part_(bad_part) {}

  void cut(FilePart& part) override { cut_.push_back(&part); }
  void encode(FilePart&) override {
    most_encoding = std::max(most_encoding.load(), ++encoding_);
    const int number = encoded_++;
    std::this_thread::sleep_for(std::chrono::milliseconds(number % 3 == 0 ? 8 : 1));  // others overtake some
    --encoding_;
    if (number == bad_part_) throw std::runtime_error("bad part");
  }
  bool encodes_on_device() override { return on_device_; }
  void append(FilePart& part) override { CHECK(&part == cut_.at(appended++)); }
  void store(std::unique_ptr<FilePart> part) override {
    written.insert(written.end(), part->records.begin(), part->records.end());
  }
  void finish() override {}

  std::vector<const bam1_t*> written;
  std::size_t appended = 0;
  std::atomic<int> most_encoding{0};

 private:
  const bool on_device_;
  const int bad_part_;
  std::vector<const FilePart*> cut_;
  std::atomic<int> encoding_{0}, encoded_{0};
};

constexpr int calls = 12;

/// Writes some records in calls of one each. Returns how many have been released.
int write_all(SlowFile& file, const std::vector<const bam1_t*>& records) {
  std::atomic<int> released{0};
  OverlappedWriter writer(file, 2);
  for (const bam1_t* const& record : records) writer.write({&record, 1}, [&] { ++released; });
  writer.finish();
  return released;
}

}  // namespace

TEST_CASE("parts that are encoded at the same time are appended in order", "[records][writer]") {
  const bool on_device = GENERATE(false, true);
  SlowFile file(on_device, -1);
  std::vector<bam1_t> records(calls);
  std::vector<const bam1_t*> pointers;
  for (const bam1_t& record : records) pointers.push_back(&record);
  CHECK(write_all(file, pointers) == calls);
  CHECK(file.written == pointers);
  CHECK((file.most_encoding > 1) == on_device);
}

TEST_CASE("an error of encoding a part reaches the caller, now or at the end", "[records][writer]") {
  const bool on_device = GENERATE(false, true);
  const int bad_part = GENERATE(0, 5, calls - 1);
  CAPTURE(on_device, bad_part);
  SlowFile file(on_device, bad_part);
  const std::vector<const bam1_t*> pointers(calls, nullptr);
  CHECK_THROWS_AS(write_all(file, pointers), std::runtime_error);
  CHECK(file.appended <= static_cast<std::size_t>(calls - 1));
}
