#include "align/pipeline/run_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "align/pipeline/batch_reader.hpp"
#include "core/byte_source.hpp"
#include "warpseed/error.hpp"

namespace warpseed::align {

namespace {

constexpr std::size_t most_marks = 4096;

std::string options_text(const AlignOptions& options) {
  const Scoring& s = options.scoring;
  return fmt::format(
      "A={} B={} O={},{} E={},{} L={},{} d={} k={} w={} r={} reseed={} y={} rivals={} c={} D={} chains={},{} "
      "alt={}",
      s.match, s.mismatch, s.deletion_open, s.insertion_open, s.deletion_extend, s.insertion_extend, s.clip_begin,
      s.clip_end, s.drop, options.min_seed, options.band, options.reseed_factor, options.reseed_rows, options.rare_rows,
      options.rival_edits, options.max_occurrences, options.chain_drop, options.max_chains, options.max_diagonals,
      std::count_if(options.alt_contigs.begin(), options.alt_contigs.end(), [](auto mark) { return mark != 0; }));
}

/// What gives reads their groups and mates: of each lane, whether mates alternate (p), whether groups are the file's (f) or
/// given (g).
std::string lanes_text(const std::vector<reads::Lane>& lanes) {
  std::string text;
  for (const reads::Lane& lane : lanes) {
    text += text.empty() ? "" : ",";
    text += lane.input.interleaved ? "p" : "";
    text += lane.read_group.empty() && lane.input.with_read_groups ? "f" : "g";
  }
  return text;
}

/// Follows which read groups are being learnt from, slice by slice.
class GroupWatch {
 public:
  explicit GroupWatch(const ReadGroupInsertSizes& insert_sizes) : insert_sizes_(insert_sizes) {}

  /// After the reads before `end`. Whether all groups so far are final.
  bool advance(std::uint64_t end) {
    bool all_final = true;
    groups_.resize(insert_sizes_.group_count());
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
      if (!insert_sizes_.seen(i) || groups_[i].final > 0) continue;
      if (insert_sizes_.is_final(i)) groups_[i] = {i, end, insert_sizes_.of(i)};
      all_final = all_final && groups_[i].final > 0;
    }
    return all_final;
  }

  std::vector<PlannedGroup> final_groups() && {
    std::erase_if(groups_, [](const PlannedGroup& group) { return group.final == 0; });
    return std::move(groups_);
  }

 private:
  const ReadGroupInsertSizes& insert_sizes_;
  std::vector<PlannedGroup> groups_;  // by number
};

/// Keeps some thousand marks, evenly spaced, of any number.
class MarkList {
 public:
  void add(PlanMark mark) {
    if (offered_++ % spacing_ != 0) return;
    marks_.push_back(std::move(mark));
    if (marks_.size() <= most_marks) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < marks_.size(); i += 2) marks_[kept++] = std::move(marks_[i]);
    marks_.resize(kept);
    spacing_ *= 2;
  }

  std::vector<PlanMark> take() { return std::move(marks_); }

 private:
  std::vector<PlanMark> marks_;
  std::uint64_t offered_ = 0, spacing_ = 1;
};

/// Where decompression of BGZF can begin for each mark.
void find_blocks_of(std::vector<PlanMark>& marks, const std::vector<reads::Lane>& lanes) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (std::size_t file = 0; file < 2; ++file) {
      std::vector<reads::FilePosition*> in_file;
      for (PlanMark& mark : marks) {
        if (mark.position.lane == lane && file < mark.position.files.size())
          in_file.push_back(&mark.position.files[file]);
      }
      if (in_file.empty()) continue;
      std::vector<BytePosition> positions;
      for (const reads::FilePosition* position : in_file) positions.push_back(position->bytes);
      const reads::ReadInput& input = lanes[lane].input;
      find_blocks(file == 0 ? input.path1 : input.path2, positions);
      for (std::size_t i = 0; i < in_file.size(); ++i) in_file[i]->bytes = positions[i];
    }
  }
}

}  // namespace

const PlanMark* RunPlan::mark_before(std::uint64_t read) const {
  const auto after = std::upper_bound(marks.begin(), marks.end(), read,
                                      [](std::uint64_t r, const PlanMark& mark) { return r < mark.reads; });
  return after == marks.begin() ? nullptr : &*std::prev(after);
}

AlignerState RunPlan::state_at(const PlanMark& mark) const {
  AlignerState state = {mark.reads - mark.singles, mark.singles, mark.one_more, {}};
  for (const PlannedGroup& group : groups) {
    if (group.final <= mark.reads) state.insert_sizes.set_learnt(group.number, group.distributions);
  }
  return state;
}

void RunPlan::require_same_run(const RunPlan& run, const std::string& path) const {
  const auto fail = [&](std::string_view difference) {
    throw InputError(fmt::format("{}: the plan of another run: {}; make it again with warpseed align --learn-only",
                                 path, difference));
  };
  if (index_checksum != run.index_checksum) fail("of another index");
  if (options != run.options) fail(fmt::format("made with {}, not {}", options, run.options));
  if (files.size() != run.files.size())
    fail(fmt::format("of {} files of reads, not {}", files.size(), run.files.size()));
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].bytes == run.files[i].bytes) continue;
    fail(fmt::format("{} had {} bytes, {} has {}", files[i].path, files[i].bytes, run.files[i].path,
                     run.files[i].bytes));
  }
}

RunPlan plan_of_run(const index::Index& index, const AlignOptions& options, const std::vector<reads::Lane>& lanes,
                    std::string_view insert_sizes) {
  RunPlan plan;
  plan.index_checksum = index.checksum();
  plan.options = fmt::format("{} lanes={} I={}", options_text(options), lanes_text(lanes),
                             insert_sizes.empty() ? "learnt" : insert_sizes);
  for (const reads::Lane& lane : lanes) {
    for (const std::string& path : {lane.input.path1, lane.input.path2}) {
      if (path.empty()) continue;
      std::error_code error;
      const std::uint64_t bytes = std::filesystem::file_size(path, error);
      plan.files.push_back({path, error ? 0 : bytes});
    }
  }
  return plan;
}

void learn(RunPlan& plan, const std::vector<reads::Lane>& lanes, reads::ReadSource& source, Aligner& aligner,
           int threads, const ProgressCallback& progress) {
  GroupWatch groups(aligner.insert_sizes());
  MarkList marks;
  tbb::task_arena arena(threads);
  arena.execute([&] {
    BatchReader reader(source);
    reads::ReadBatch batch;
    AlignmentBatch memory;
    std::uint64_t singles = 0;
    while (reader.next(batch, Aligner::slice_reads, reads::ReadRange::no_end)) {
      aligner.skip(batch, memory);
      singles += source.paired() ? batch.singles().size() : batch.size();
      const bool all_final = groups.advance(reader.position());
      const auto position = all_final ? source.position() : std::nullopt;
      if (position) marks.add({reader.position(), singles, reader.one_more(), *position});
      if (progress) progress({"reading", "reads", reader.position(), 0, 0});
    }
    plan.reads = reader.position();
  });
  plan.groups = std::move(groups).final_groups();
  plan.marks = marks.take();
  find_blocks_of(plan.marks, lanes);
}

}  // namespace warpseed::align
