// Patterns of `query`: PatternSource compared with lines and kept reads, then the plans of their searches.
// Covers: src/reads/pattern_source.cpp src/approximate/pattern_batch.cpp src/approximate/search_plan.cpp
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "approximate/pattern_batch.hpp"
#include "approximate/pattern_words_core.hpp"
#include "approximate/search_plan.hpp"
#include "fuzz.hpp"
#include "fuzz_reads.hpp"
#include "reads/pattern_source.hpp"

namespace {

using namespace warpseed;
using fuzz::Read;

std::vector<Read> read_patterns(const std::string& path) {
  std::vector<Read> patterns;
  reads::PatternSource source(path);
  for (reads::ReadBatch batch; source.next(batch);) fuzz::add_reads(batch, patterns);
  return patterns;
}

/// One pattern a line.
std::vector<Read> expected_patterns(std::string_view input) {
  std::vector<Read> patterns;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    std::string line(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
    if (line.ends_with('\r')) line.pop_back();
    fuzz::require(line.find_first_not_of("ACGTURYSWKMBDHVNacgturyswkmbdhvn") == std::string::npos,
                  "a pattern with something else than IUPAC codes", line);
    patterns.push_back({line, "", line, "", ""});
  }
  return patterns;
}

/// Plans the searches of patterns that are long enough; a plan's parts cover the pattern.
void plan_searches(const std::vector<Read>& patterns, fuzz::Choices& choices) {
  approximate::SearchOptions options;
  options.metric = choices.below(2) == 0 ? approximate::Metric::mismatches : approximate::Metric::edits;
  options.differences = static_cast<unsigned>(choices.below(approximate::max_differences + 1));
  options.exact_end = static_cast<std::uint32_t>(choices.below(4));
  approximate::SearchPlanner planner({3'000'000'000, 12, 0}, options);
  approximate::SetBatch sets;
  for (const Read& pattern : patterns) {
    const std::size_t least = options.differences + options.exact_end + 1;
    if (pattern.bases.empty() || pattern.bases.size() >= least) sets.add_iupac(pattern.bases);
  }
  const approximate::StrandBatch batch = approximate::prepare(sets, planner, 1);
  const approximate::StrandBatchView view = batch.view();
  ZeroedArray<std::uint64_t> words_of_all;
  approximate::write_words(batch, 1, words_of_all);
  for (std::uint64_t i = 0; i < batch.patterns.size(); ++i) {
    const approximate::StrandPattern& pattern = batch.patterns[i];
    fuzz::require(pattern.length == 0 || pattern.part_count > 0, "a pattern without a plan");
    fuzz::require(pattern.first_part + pattern.part_count <= batch.parts.size(), "parts that there are not");
    for (std::uint32_t part = 0; part < pattern.part_count; ++part) {
      const approximate::Part& at = batch.parts[pattern.first_part + part];
      fuzz::require(at.begin <= at.end && at.end <= pattern.length, "a part outside its pattern");
    }
    const approximate::PatternWithWords alone(batch, i);
    const std::uint64_t words = approximate::word_count(batch.metric, pattern.length);
    fuzz::require(alone.view().length == view.pattern(i).length, "another pattern alone");
    fuzz::require(std::equal(words_of_all.data() + pattern.first_word, words_of_all.data() + pattern.first_word + words,
                             alone.view().words),
                  "other words alone");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  fuzz::Choices choices(input);
  const fuzz::InputFile file(input);
  std::vector<Read> patterns;
  if (!fuzz::accepts(file.path(), [&] { patterns = read_patterns(file.path()); })) return 0;
  const bool by_line = !input.starts_with('>') && !input.starts_with('@') && !input.starts_with("\x1F\x8B");
  if (by_line) fuzz::require(patterns == expected_patterns(input), "other patterns than the lines");
  plan_searches(patterns, choices);
  return 0;
}
