#include "warpseed/overlap.hpp"

#include <stdexcept>
#include <utility>

#include "api/context_state.hpp"
#include "api/sequences.hpp"
#include "overlap/longest/longest.hpp"
#include "overlap/matches/match_run.hpp"
#include "overlap/pairs/pair_extender.hpp"
#include "overlap/sequence_text.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

std::vector<overlap::SequenceFile> files_of(const std::vector<Sequence>& sequences, const std::string& what) {
  std::vector<overlap::SequenceFile> files;
  if (!sequences.empty()) files.emplace_back(what, api::genome_of(sequences, what));
  return files;
}

overlap::SequenceText text_of(const std::vector<Sequence>& targets, const std::vector<Sequence>& queries,
                              Strands strands, const Context& context) {
  if (targets.empty()) throw InputError("there are no targets; give at least one sequence");
  if (queries.empty() && strands == Strands::reverse)
    throw InputError("a set compared with itself is on both strands or the forward one");
  return {files_of(targets, "target"), files_of(queries, "query"), strands, context.threads()};
}

void check(const MatchOptions& options, bool self) {
  if (options.min_length == 0) throw InputError("a match has at least one base; give a min_length above 0");
  if (self && options.uniqueness != Uniqueness::any)
    throw InputError("uniqueness is between targets and queries; give queries");
}

template <class Pos>
std::vector<std::uint64_t> extend_pairs(const overlap::SequenceText& text, const std::vector<StrandPositionPair>& pairs,
                                        const Backend& backend) {
  const overlap::PairSides sides = {text.targets(), text.targets(), 0};
  overlap::PairExtender<Pos> extender(text, sides, backend);
  overlap::PairAnswers<Pos> answers;
  extender.find_positions(pairs, answers);
  extender.find_lengths(answers);
  return {answers.lengths.begin(), answers.lengths.end()};
}

void check(const StrandPosition& position, const std::vector<Sequence>& sequences) {
  if (position.sequence >= sequences.size() || position.position >= sequences[position.sequence].bases.size())
    throw std::invalid_argument("common_extensions: a position is outside its sequence");
}

}  // namespace

std::vector<CommonRegion> maximal_matches(const std::vector<Sequence>& targets, const std::vector<Sequence>& queries,
                                          const MatchOptions& options, const Context& context) {
  std::vector<CommonRegion> all;
  for_each_maximal_match(targets, queries, options, context,
                         [&](std::span<const CommonRegion> some) { all.insert(all.end(), some.begin(), some.end()); });
  return all;
}

void for_each_maximal_match(const std::vector<Sequence>& targets, const std::vector<Sequence>& queries,
                            const MatchOptions& options, const Context& context,
                            const std::function<void(std::span<const CommonRegion>)>& visit) {
  check(options, queries.empty());
  api::run(context, [&] {
    const overlap::SequenceText text = text_of(targets, queries, options.strands, context);
    overlap::for_each_match(text, options, context.state().backend, visit);
  });
}

std::vector<LongestRegion> longest_regions(const std::vector<Sequence>& targets, const std::vector<Sequence>& queries,
                                           const LongestOptions& options, const Context& context) {
  return api::run(context, [&] {
    const overlap::SequenceText text = text_of(targets, queries, options.strands, context);
    return overlap::longest_regions(text, options, context.state().backend);
  });
}

std::vector<std::uint64_t> common_extensions(const std::vector<Sequence>& sequences,
                                             const std::vector<StrandPositionPair>& pairs, const Context& context) {
  for (const StrandPositionPair& pair : pairs) check(pair.target, sequences), check(pair.query, sequences);
  if (pairs.empty()) return {};
  return api::run(context, [&] {
    const overlap::SequenceText text = text_of(sequences, {}, Strands::both, context);
    const Backend& backend = context.state().backend;
    return fits_narrow(text.genome().text.size) ? extend_pairs<std::uint32_t>(text, pairs, backend)
                                                : extend_pairs<std::uint64_t>(text, pairs, backend);
  });
}

}  // namespace warpseed
