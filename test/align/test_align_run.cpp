// The pipeline of a whole run: batches aligned at the same time, and backends that fail midway.
#include <algorithm>
#include <future>
#include <optional>

#include "align/pipeline/align_run.hpp"
#include "base_world.hpp"
#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "records/writer_helpers.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::index;
using namespace warpseed::reads;
using namespace warpseed::records;

const AlignOptions usual_options;

enum class Step { begin, wait, choose_pairs, fetch };

/// Where a backend fails: in this step of this batch.
struct Fault {
  Step step;
  std::size_t batch;
};

class TestAlignmentJob final : public AlignmentJob {
 public:
  TestAlignmentJob(BatchAligner& inner, std::span<ReadAlignments> aligned, std::uint64_t first_number,
                   const SelectionRequest* selection, std::size_t number, const std::optional<Fault>& fault)
      : number_(number), fault_(fault), found_(begin(inner, aligned, first_number, selection)) {
    reach(Step::begin);
  }

  void wait() override {
    reach(Step::wait);
    inner_ = found_.get();
    inner_->wait();
  }
  void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                    const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices) override {
    reach(Step::choose_pairs);
    inner_->choose_pairs(first, end, groups, insert_sizes, choices);
  }
  void fetch(std::uint64_t first, std::uint64_t end, FetchScope which) override {
    reach(Step::fetch);
    inner_->fetch(first, end, which);
  }

 private:
  using Begun = std::future<std::unique_ptr<AlignmentJob>>;

  static Begun begin(BatchAligner& inner, std::span<ReadAlignments> aligned, std::uint64_t first_number,
                     const SelectionRequest* selection) {
    std::optional<SelectionRequest> known;
    if (selection) known = *selection;
    return std::async(std::launch::async, [&inner, aligned, first_number, known] {
      return inner.begin(aligned, first_number, known ? &*known : nullptr);
    });
  }
  void reach(Step step) const {
    if (fault_ && fault_->step == step && fault_->batch == number_) throw BackendError("the device fell off the bus");
  }

  const std::size_t number_;
  const std::optional<Fault> fault_;
  Begun found_;
  std::unique_ptr<AlignmentJob> inner_;
};

/// The CPU's batch aligner behaving like a device: small batches, three at the same time, each in its own thread.
class TestBatchAligner final : public BatchAligner {
 public:
  TestBatchAligner(const Index& index, const AlignOptions& options, const std::optional<Fault>& fault)
      : inner_(make_batch_aligner(index.fm(), index.genome(), options, {})), fault_(fault) {}

  std::uint64_t batch_reads() const override { return 100; }
  unsigned concurrent_batches() const override { return 3; }
  std::unique_ptr<AlignmentJob> begin(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                                      const SelectionRequest* selection) override {
    return std::make_unique<TestAlignmentJob>(*inner_, aligned, first_number, selection, begun_++, fault_);
  }
  StageTimes times() const override { return {}; }

 private:
  std::unique_ptr<BatchAligner> inner_;
  const std::optional<Fault> fault_;
  std::size_t begun_ = 0;
};

/// Read pairs from a genome of random bases, as two FASTQ files.
struct ReadPairs {
  std::mt19937 rng{61};
  const std::string bases = test::random_bases(20000, rng);
  const test::BaseWorld world{{{"c", bases}}};
  const test::TempFolder folder;
  std::string first, second;

  explicit ReadPairs(int count) {
    for (int i = 0; i < count; ++i) {
      const std::size_t begin = rng() % (bases.size() - 300);
      add(first, i, bases.substr(begin, 80));
      add(second, i, test::reverse_complement(bases.substr(begin + 180 + rng() % 40, 80)));
    }
    folder.write("1.fq", first), folder.write("2.fq", second);
  }

  /// Aligns all of them to out.sam in the same folder.
  void align(Aligner& aligner, int threads) const {
    const auto source = open_reads({folder.file("1.fq"), folder.file("2.fq")});
    WriterOptions writing;
    writing.path = folder.file("out.sam");
    const auto writer = open_alignments({{{"c", bases.size()}}, {}, "test", {}, {}}, writing);
    RunOptions options;
    options.threads = threads;
    run_alignment(*source, aligner, *writer, options);
    writer->finish();
  }

 private:
  static void add(std::string& file, int number, const std::string& read) {
    file += "@r" + std::to_string(number) + "\n" + read + "\n+\n" + std::string(read.size(), 'I') + "\n";
  }
};

}  // namespace

TEST_CASE("a run writes the same output for any number of concurrent batches", "[align]") {
  const ReadPairs pairs(1005);
  Aligner usual(*pairs.world.index, {}, true);
  pairs.align(usual, 2);
  const std::vector<std::string> wanted = test::lines_in(pairs.folder.file("out.sam"));
  REQUIRE(wanted.size() == 2010);
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    auto read_aligner = std::make_unique<TestBatchAligner>(*pairs.world.index, usual_options, std::nullopt);
    const unsigned at_a_time = read_aligner->concurrent_batches();
    Aligner aligner(*pairs.world.index, {}, true, ready(std::move(read_aligner)), at_a_time);
    // The insert sizes must be equal from the start: they are learnt from the first batch, which is smaller here.
    aligner.set_insert_sizes(usual.insert_sizes().of(0));
    pairs.align(aligner, threads);
    CHECK(test::lines_in(pairs.folder.file("out.sam")) == wanted);
  }
}

TEST_CASE("a run whose backend fails leaves no files", "[align]") {
  const ReadPairs pairs(600);
  const Step step = GENERATE(Step::begin, Step::wait, Step::choose_pairs, Step::fetch);
  const std::size_t batch = GENERATE(0U, 1U, 4U, 11U);
  const int threads = GENERATE(1, 2);
  CAPTURE(static_cast<int>(step), batch, threads);
  auto read_aligner = std::make_unique<TestBatchAligner>(*pairs.world.index, usual_options, Fault{step, batch});
  const unsigned at_a_time = read_aligner->concurrent_batches();
  Aligner aligner(*pairs.world.index, {}, true, ready(std::move(read_aligner)), at_a_time);
  CHECK(test::message_of<BackendError>([&] { pairs.align(aligner, threads); }) == "the device fell off the bus");
  CHECK(pairs.folder.names().size() == 2);  // the reads
}
