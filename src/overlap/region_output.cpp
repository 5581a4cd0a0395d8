#include "overlap/region_output.hpp"

#include <type_traits>

namespace warpseed {

RegionOutput::RegionOutput(const SequenceText& text, const OutputPlan& plan)
    : plan_(plan),
      format_(plan.format, text.targets(), text.queries(),
              {plan.counts, plan.target_labels != nullptr, plan.query_labels != nullptr}),
      lines_(plan.path) {
  lines_.write(format_.header());
}

std::vector<RegionLabel> RegionOutput::labels(const RegionLabeller* labeller, std::span<const CommonRegion> regions,
                                              bool query) const {
  std::vector<RegionLabel> labels;
  if (labeller == nullptr) return labels;
  for (const CommonRegion& region : regions) {
    const std::uint64_t begin = query ? region.query_begin : region.target_begin;
    labels.push_back(labeller->label(query ? region.query : region.target, begin, begin + region.length));
  }
  return labels;
}

template <class Region>
void RegionOutput::append(std::span<const Region> found, Portion& portion) const {
  std::vector<CommonRegion> regions;
  for (const Region& one : found) {
    if constexpr (std::is_same_v<Region, CommonRegion>) {
      regions.push_back(one);
    } else {
      regions.push_back(one.region);
    }
  }
  const std::vector<RegionLabel> target_labels = labels(plan_.target_labels, regions, false);
  const std::vector<RegionLabel> query_labels = labels(plan_.query_labels, regions, true);
  format_.append(found, portion.lines, {target_labels, query_labels});
  portion.regions += regions.size();
}

template void RegionOutput::append(std::span<const CommonRegion>, Portion&) const;
template void RegionOutput::append(std::span<const LongestRegion>, Portion&) const;

void RegionOutput::write(const Portion& portion) {
  lines_.write(portion.lines);
  written_ += portion.regions;
}

void RegionOutput::commit() {
  lines_.commit();
}

}  // namespace warpseed
