// What the parts of a run need to know of all its reads: made once, by `align --learn-only`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "align/pipeline/aligner.hpp"
#include "reads/lanes.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::align {

/// Between two slices, when the insert sizes of all read groups before are final: a run can begin there.
struct PlanMark {
  std::uint64_t reads = 0;    // before it
  std::uint64_t singles = 0;  // of them, those without mates
  bool one_more = false;      // see AlignerState
  reads::SourcePosition position;
};

/// Insert sizes of a read group, learnt from pairs among the reads before `final`.
struct PlannedGroup {
  std::uint32_t number = 0;
  std::uint64_t final = 0;
  InsertSizeDistributions distributions;
};

/// As a file: lines with tabs, the last one a checksum of those before.
struct RunPlan {
  struct File {
    std::string path;
    std::uint64_t bytes = 0;
    friend bool operator==(const File&, const File&) = default;
  };

  std::uint32_t index_checksum = 0;
  std::string options;      // of alignment, those that insert sizes and the numbers of read groups depend on
  std::vector<File> files;  // of all lanes
  std::uint64_t reads = 0;
  std::vector<PlannedGroup> groups;  // whose insert sizes are final
  std::vector<PlanMark> marks;       // by reads; some thousand at most

  /// The last mark at or before a read; null if there is none.
  const PlanMark* mark_before(std::uint64_t read) const;

  /// What an aligner goes on from at a mark.
  AlignerState state_at(const PlanMark& mark) const;

  /// Throws InputError if the plan at `path` is not of this run: another index, other options, other files.
  void require_same_run(const RunPlan& run, const std::string& path) const;
};

/// The plan of a run but for what is learnt from the reads. lanes: files only. insert_sizes: as given; empty if they are
/// learnt.
RunPlan plan_of_run(const index::Index& index, const AlignOptions& options, const std::vector<reads::Lane>& lanes,
                    std::string_view insert_sizes);

/// Reads all of `source`, which is that of the lanes, and completes the plan. Aligns what insert sizes are learnt from.
void learn(RunPlan& plan, const std::vector<reads::Lane>& lanes, reads::ReadSource& source, Aligner& aligner,
           int threads, const ProgressCallback& progress = {});

std::string plan_text(const RunPlan& plan);

/// scoring: that of the run, by which distances of mates are scored. Throws InputError if the file is no plan, or is damaged;
/// IoError if it cannot be read.
RunPlan read_plan(const std::string& path, const Scoring& scoring);

}  // namespace warpseed::align
