// The CUDA path of overlap/matches/match_finder.hpp.
#include <algorithm>
#include <mutex>

#include "core/launch.cuh"
#include "overlap/entry.hpp"
#include "overlap/matches/word_join.cuh"
#include "suffix/bounded_text.cuh"

namespace warpseed::overlap::cuda {

namespace {

using Join = WordJoinView<std::uint32_t>;

__global__ void count_matches_kernel(Join join, suffix::GenomeText text, std::uint32_t* counts) {
  const std::uint64_t i = thread_index();
  if (i < join.starts.size) counts[i] = match_count(join, text, join.starts[i]);
}

/// One thread per match. offsets: [starts of the run + 1] first match of each start.
__global__ void find_matches_kernel(Join join, suffix::GenomeText text, std::uint64_t first_start,
                                    View<std::uint64_t> offsets, std::uint64_t count, TextMatch* matches) {
  const std::uint64_t i = thread_index();
  if (i >= count) return;
  const std::uint64_t at = text::last_not_above(offsets.size - 1, i, [&](std::uint64_t k) { return offsets[k]; });
  const WordStart<std::uint32_t>& start = join.starts[first_start + at];
  const PartnerRanges ranges = partner_ranges(join, text, start);
  matches[i] = match_of(join, text, start, join.partners[ranges[i - offsets[at]]]);
}

class CudaMatchFinder final : public MatchFinder {
 public:
  CudaMatchFinder(const SequenceText& sequences, const MatchOptions& options, const Backend& backend)
      : stream_(backend), text_(sequences.genome(), stream_, backend.threads), bounded_(text_, stream_) {
    std::vector<TextPos> contig_begins;
    for (std::uint64_t i = 0; i <= sequences.contig_count(); ++i) contig_begins.push_back(sequences.contig_begin(i));
    // No match is as long as the largest position, so a greater minimum finds none.
    const auto shortest = static_cast<std::uint32_t>(std::min<std::uint64_t>(options.min_length, narrow_limit));
    const WordSides sides = {static_cast<std::uint32_t>(sequences.target_end()), sequences.is_self(), shortest};
    join_ = join_words(text_, sides, options, contig_begins, stream_);
    Buffer<std::uint32_t> counts(join_.starts.size(), stream_);
    launch("count_matches_kernel", count_matches_kernel, counts.size(), stream_, join_.view(), bounded_.view(),
           counts.data());
    counts_.resize(counts.size());
    positions_.resize(counts.size());
    std::vector<WordStart<std::uint32_t>> starts(counts.size());
    counts.download(counts_);
    join_.starts.download(starts);
    stream_.wait();
    std::transform(starts.begin(), starts.end(), positions_.begin(), [](const auto& start) { return start.position; });
  }

  std::vector<std::uint64_t> run_ends(std::uint64_t most) const override { return run_ends_of(counts_, most); }

  std::uint64_t first_position(TextPos position) const override {
    return static_cast<std::uint64_t>(std::lower_bound(positions_.begin(), positions_.end(), position) -
                                      positions_.begin());
  }

  std::vector<TextMatch> matches(std::uint64_t begin, std::uint64_t end) const override {
    std::vector<std::uint64_t> offsets = {0};
    for (std::uint64_t i = begin; i < end; ++i) offsets.push_back(offsets.back() + counts_[i]);
    std::vector<TextMatch> found = matches_at(begin, offsets);
    for (std::uint64_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto from = found.begin() + static_cast<std::ptrdiff_t>(offsets[i]);
      std::sort(from, found.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]));
    }
    return found;
  }

 private:
  std::vector<TextMatch> matches_at(std::uint64_t begin, const std::vector<std::uint64_t>& offsets) const {
    const std::scoped_lock one_at_a_time(mutex_);
    set_current_device(stream_.device());
    std::vector<TextMatch> found(offsets.back());
    const Buffer<std::uint64_t> on_device(offsets, stream_);
    Buffer<TextMatch> matches(found.size(), stream_);
    launch("find_matches_kernel", find_matches_kernel, found.size(), stream_, join_.view(), bounded_.view(), begin,
           on_device.view(), found.size(), matches.data());
    matches.download(found);
    stream_.wait();
    return found;
  }

  Stream stream_;
  suffix::cuda::DeviceText text_;
  suffix::cuda::BoundedText bounded_;
  DeviceWordJoin join_;
  std::vector<std::uint32_t> counts_;     // [starts] number of matches
  std::vector<std::uint32_t> positions_;  // [starts]
  mutable std::mutex mutex_;              // guards the stream
};

}  // namespace

std::unique_ptr<MatchFinder> make_match_finder(const SequenceText& text, const MatchOptions& options,
                                               const Backend& backend) {
  return std::make_unique<CudaMatchFinder>(text, options, backend);
}

}  // namespace warpseed::overlap::cuda
