#include "align/pair/read_group_insert_sizes.hpp"

#include <utility>

namespace warpseed::align {

void ReadGroupInsertSizes::set(InsertSizeDistributions distributions) {
  default_ = std::move(distributions);
  given_ = true;
}

void ReadGroupInsertSizes::set_learnt(std::uint32_t read_group, InsertSizeDistributions distributions) {
  if (read_group >= groups_.size()) groups_.resize(read_group + std::size_t{1});
  groups_[read_group] = {std::move(distributions), {}, reads_to_learn_from, true, false};
}

bool ReadGroupInsertSizes::is_final(std::uint32_t read_group) const {
  return seen(read_group) && (given_ || groups_[read_group].final);
}

bool ReadGroupInsertSizes::learns_from(std::span<const std::uint32_t> groups) const {
  for (std::size_t i = 0; i < groups.size(); i += 2) {
    if (!is_final(groups[i])) return true;
  }
  return false;
}

void ReadGroupInsertSizes::learn(std::span<const std::uint32_t> groups, std::span<const ReadAlignments> aligned,
                                 const Scoring& scoring) {
  for (std::size_t i = 0; i + 1 < aligned.size(); i += 2) {
    const std::uint32_t number = groups[i];
    if (number >= groups_.size()) groups_.resize(number + std::size_t{1});
    Group& group = groups_[number];
    group.reads += 2;
    if (given_ || group.final) continue;
    group.sample.add(aligned[i], aligned[i + 1]);
    group.has_more = true;
  }
  for (Group& group : groups_) {
    if (group.has_more) update(group, scoring);
  }
}

void ReadGroupInsertSizes::update(Group& group, const Scoring& scoring) {
  group.distributions = group.sample.learn(scoring);
  group.has_more = false;
  group.final = group.distributions.known() && group.reads >= reads_to_learn_from;
  if (group.final) group.sample = {};
}

const InsertSizeDistributions& ReadGroupInsertSizes::of(std::uint32_t read_group) const {
  return given_ || !seen(read_group) ? default_ : groups_[read_group].distributions;
}

bool ReadGroupInsertSizes::seen(std::uint32_t read_group) const {
  return read_group < groups_.size() && groups_[read_group].reads > 0;
}

}  // namespace warpseed::align
