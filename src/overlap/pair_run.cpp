#include "overlap/pair_run.hpp"

#include <fmt/format.h>

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#include <algorithm>

#include <memory>
#include <vector>

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/parallel.hpp"
#include "core/timing.hpp"
#include "overlap/pair_table.hpp"
#include "suffix/common_extension.hpp"

namespace warpseed {

namespace {

template <class Pos>
class PairRun {
 public:
  PairRun(const SequenceText& text, const PairSides& sides, const Backend& backend)
      : text_(text),
        sides_(sides),
        threads_(backend.threads),
        extension_(make_common_extension<Pos>(text.genome(), backend)) {}

  /// The lengths of the pairs' common extensions.
  std::vector<std::uint64_t> lengths(std::span<const PlacePair> pairs) {
    std::vector<PositionPair<Pos>> positions(pairs.size());
    std::vector<std::uint8_t> on_bases(pairs.size());
    constexpr std::uint64_t pairs_at_once = 1 << 13;
    for_blocks(threads_, pairs.size(), pairs_at_once, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const auto target = position(pairs[i].target, 0, sides_.targets);
        const auto query = position(pairs[i].query, sides_.first_query, sides_.queries);
        on_bases[i] = target && query;
        if (on_bases[i]) positions[i] = {static_cast<Pos>(*target), static_cast<Pos>(*query)};
      }
    });
    std::vector<Pos> shared(pairs.size());
    extension_->lengths(positions, shared);
    std::vector<std::uint64_t> lengths(pairs.size());
    for (std::uint64_t i = 0; i < pairs.size(); ++i) lengths[i] = on_bases[i] ? shared[i] : 0;
    return lengths;
  }

 private:
  std::optional<TextPos> position(const StrandPlace& place, std::uint32_t first, const SequenceList& list) const {
    const std::uint64_t length = list.sequences[place.sequence].length;
    const std::uint64_t offset = place.reverse ? length - 1 - place.position : place.position;
    return text_.position({first + place.sequence, offset, place.reverse, place.reverse});
  }

  const SequenceText& text_;
  const PairSides& sides_;
  int threads_;
  std::unique_ptr<CommonExtension<Pos>> extension_;
};

/// Of a text without reverse complements.
void require_forward(std::span<const PlacePair> pairs, const std::string& table) {
  const auto wrong =
      std::find_if(pairs.begin(), pairs.end(), [](const PlacePair& p) { return p.target.reverse || p.query.reverse; });
  if (wrong == pairs.end()) return;
  throw InputError(fmt::format("{}: has a place on strand -, at position {}; run with --strand both", input_name(table),
                               wrong->target.reverse ? wrong->target.position : wrong->query.position));
}

/// A block of the table on its way: pairs, then their lengths, then lines.
struct Block {
  std::vector<PlacePair> pairs;
  std::vector<std::uint64_t> lengths;
  std::string lines;
};

/// Runs the steps side by side, on different blocks; all but make_lines keep the table's order.
template <class Read, class Answer, class MakeLines, class Write>
void run_steps(int threads, const Read& read, const Answer& answer, const MakeLines& make_lines, const Write& write) {
  using tbb::filter_mode;
  using Pointer = std::shared_ptr<Block>;
  tbb::task_arena(threads).execute([&] {
    tbb::parallel_pipeline(2 * static_cast<std::size_t>(threads),
                           tbb::make_filter<void, Pointer>(filter_mode::serial_in_order, read) &
                               tbb::make_filter<Pointer, Pointer>(filter_mode::serial_in_order, answer) &
                               tbb::make_filter<Pointer, Pointer>(filter_mode::parallel, make_lines) &
                               tbb::make_filter<Pointer, void>(filter_mode::serial_in_order, write));
  });
}

template <class Pos>
PairSummary run(const SequenceText& text, const PairSides& sides, const std::string& table, const std::string& output,
                const Backend& backend, const ProgressCallback& progress) {
  constexpr std::uint64_t block_bytes = std::uint64_t{4} << 20;
  PairTableReader reader(table, sides.targets, sides.queries, backend.threads, block_bytes);
  OutputFile out(output);
  PairRun<Pos> pair_run(text, sides, backend);
  const PairFormat format(sides.targets, sides.queries);
  const bool both_strands = text.contig_count() > text.reverse_contig();
  const Stopwatch since_start;
  out.write(format.header());
  PairSummary done;
  const auto read = [&](tbb::flow_control& flow) {
    auto block = std::make_shared<Block>();
    if (!reader.next(block->pairs)) flow.stop();
    if (!both_strands) require_forward(block->pairs, table);
    return block;
  };
  const auto answer = [&](std::shared_ptr<Block> block) {
    block->lengths = pair_run.lengths(block->pairs);
    return block;
  };
  const auto make_lines = [&](std::shared_ptr<Block> block) {
    format.append(block->pairs, block->lengths, block->lines);
    return block;
  };
  const auto write = [&](const std::shared_ptr<Block>& block) {
    out.write(block->lines);
    done.pairs += block->pairs.size();
    if (progress) progress({"answering pairs", "pairs", done.pairs, 0});
  };
  run_steps(backend.threads, read, answer, make_lines, write);
  out.commit();
  done.seconds = since_start.seconds();
  return done;
}

}  // namespace

PairSummary write_extensions(const SequenceText& text, const PairSides& sides, const std::string& table,
                             const std::string& output, const Backend& backend, const ProgressCallback& progress) {
  if (fits_narrow(text.genome().text.size)) {
    return run<std::uint32_t>(text, sides, table, output, backend, progress);
  }
  return run<std::uint64_t>(text, sides, table, output, backend, progress);
}

}  // namespace warpseed
