#include "overlap/matches/match_finder.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"
#include "index/index_file.hpp"
#include "overlap/entry.hpp"
#include "overlap/matches/word_join.hpp"
#include "suffix/separator_map.hpp"
#include "suffix/suffix_array.hpp"

namespace warpseed::overlap {

namespace {

template <class Pos>
class CpuMatchFinder final : public MatchFinder {
 public:
  CpuMatchFinder(const SequenceText& text, const MatchOptions& options, const Backend& backend)
      : text_(text.genome().text), separators_(text.genome()), threads_(backend.threads) {
    if (text.target_index() && !text.is_self()) {
      join_ = join_words<Pos>(text, bases(), text.target_index()->fm(), options, threads_);
    } else {
      const std::vector<Pos> suffixes = suffix::suffix_array<Pos>(text.genome(), backend);
      join_ = join_words(text, bases(), suffixes, options, threads_);
    }
  }

  std::vector<std::uint64_t> run_ends(std::uint64_t most) const override {
    std::vector<std::uint32_t> counts(join_.starts.size());
    constexpr std::uint64_t starts_per_batch = 1 << 14;
    for_blocks(threads_, counts.size(), starts_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) counts[i] = match_count(join_.view(), bases(), join_.starts[i]);
    });
    return run_ends_of(counts, most);
  }

  std::uint64_t first_position(TextPos position) const override {
    return first_above(0, join_.starts.size(), [&](std::uint64_t i) { return join_.starts[i].position >= position; });
  }

  std::vector<TextMatch> matches(std::uint64_t begin, std::uint64_t end) const override {
    std::vector<TextMatch> found;
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto first = static_cast<std::ptrdiff_t>(found.size());
      const WordStart<Pos>& start = join_.starts[i];
      const PartnerRanges ranges = partner_ranges(join_.view(), bases(), start);
      for (std::uint64_t k = 0; k < ranges.total(); ++k) {
        found.push_back(match_of(join_.view(), bases(), start, join_.partners[ranges[k]]));
      }
      std::sort(found.begin() + first, found.end());  // one side's position is equal in all
    }
    return found;
  }

 private:
  suffix::GenomeText bases() const { return {text_, separators_.view()}; }
  text::PackedView text_;
  suffix::SeparatorMap separators_;
  WordJoin<Pos> join_;
  int threads_;
};

}  // namespace

std::vector<std::uint64_t> run_ends_of(const std::vector<std::uint32_t>& counts, std::uint64_t most) {
  std::vector<std::uint64_t> ends;
  std::uint64_t matches = 0;
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    const bool is_full = matches > 0 && matches + counts[i] > most;
    if (is_full) ends.push_back(i), matches = 0;
    matches += counts[i];
  }
  if (!counts.empty()) ends.push_back(counts.size());
  return ends;
}

std::unique_ptr<MatchFinder> make_match_finder(const SequenceText& text, const MatchOptions& options,
                                               const Backend& backend) {
  if (options.min_length == 0) throw std::invalid_argument("make_match_finder: a match has at least one base");
  if (text.is_self() && options.uniqueness != Uniqueness::any) {
    throw std::invalid_argument("make_match_finder: uniqueness is between two sides");
  }
  if (!fits_narrow(text.genome().text.size)) {
    return std::make_unique<CpuMatchFinder<std::uint64_t>>(text, options, backend);
  }
  if (backend.kind == BackendKind::cuda) return cuda::make_match_finder(text, options, backend);
  return std::make_unique<CpuMatchFinder<std::uint32_t>>(text, options, backend);
}

}  // namespace warpseed::overlap
