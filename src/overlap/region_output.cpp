#include "overlap/region_output.hpp"

#include <type_traits>

namespace warpseed::overlap {

RegionOutput::RegionOutput(const SequenceText& text, const OutputPlan& plan, RegionSink* sink)
    : plan_(plan),
      format_(plan.format, text.targets(), text.queries(),
              {plan.counts, plan.target_labels != nullptr, plan.query_labels != nullptr}),
      lines_(plan.path),
      fasta_(text.genome(), text.targets(), text.queries()),
      sink_(sink) {
  if (!plan.fasta_path.empty()) fasta_file_.emplace(plan.fasta_path);
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
  if (fasta_file_) fasta_.append(regions, portion.fasta);
  portion.regions.insert(portion.regions.end(), regions.begin(), regions.end());
}

template void RegionOutput::append(std::span<const CommonRegion>, Portion&) const;
template void RegionOutput::append(std::span<const LongestRegion>, Portion&) const;

void RegionOutput::write(const Portion& portion) {
  lines_.write(portion.lines);
  if (fasta_file_) fasta_file_->write(portion.fasta);
  if (sink_) sink_->add(portion.regions);
  written_ += portion.regions.size();
}

void RegionOutput::commit() {
  lines_.flush();
  if (fasta_file_) fasta_file_->flush();
  if (sink_) sink_->write();
  if (fasta_file_) fasta_file_->commit();
  lines_.commit();
}

}  // namespace warpseed::overlap
