// The CUDA path of approximate/end_search.hpp.
#include <algorithm>

#include "approximate/device_search.cuh"
#include "approximate/entry.hpp"
#include "approximate/scan_table.hpp"
#include "approximate/text_scan.cuh"
#include "core/parallel.hpp"
#include "index/device_index.cuh"
#include "text/device_genome.cuh"

namespace warpseed::approximate::cuda {

namespace {

template <class States>
class CudaEndSearch : public EndSearch {
 public:
  CudaEndSearch(const Target& target, const Backend& backend, const SearchOptions& options)
      : threads_(backend.threads),
        stream_(backend),
        index_(index::cuda::upload_index(target.fm, stream_, backend.threads)),
        genome_(target.genome, stream_, backend.threads),
        packing_(target.genome.text.size),
        options_(options) {}

  EndBatch find(const StrandBatch& batch) override {
    set_current_device(stream_.device());
    const auto table = ScanTable::make(batch, options_, genome_.view().text.size, costs);
    return table ? unpacked(scanned(*table, batch), batch.patterns.size()) : followed(batch);
  }

 private:
  static constexpr SearchCosts costs = {0.15, 0.005, 0.06, 0.008};  // measured on an H100

  PackedEnds scanned(const ScanTable& table, const StrandBatch& batch) const {
    return scan_text(genome_.view(), table, packing_, batch.patterns.size(), stream_, threads_);
  }

  /// The search in the index.
  EndBatch followed(const StrandBatch& batch) const {
    const DeviceStrandBatch on_device(batch, stream_, threads_);
    DeviceSearch<States> search(index_.view(), genome_.view(), on_device, options_.differences, stream_, threads_);
    search.find();
    EndBatch all = unpacked(search.ends().take(), batch.patterns.size());
    all.given_up = search.given_up();
    return all;
  }

  EndBatch unpacked(const PackedEnds& found, std::uint64_t patterns) const {
    constexpr std::uint64_t block = 1 << 16;
    EndBatch batch;
    batch.of_patterns.resize(patterns);
    ZeroedArray<AlignmentEnd>& ends = batch.ends.emplace_back(found.size());
    const auto pattern_of = [&](std::uint64_t each) { return packing_.pattern(each); };
    for_blocks(threads_, found.size(), block, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        ends[i] = packing_.end(found[i]);
        const std::uint64_t pattern = pattern_of(found[i]);
        if (i > 0 && pattern_of(found[i - 1]) == pattern) continue;
        const auto others = std::ranges::upper_bound(found.begin() + static_cast<std::ptrdiff_t>(i), found.end(),
                                                     pattern, {}, pattern_of);
        batch.of_patterns[pattern] = {ends.data() + i, static_cast<std::size_t>(others - found.begin()) - i};
      }
    });
    return batch;
  }

  int threads_;
  Stream stream_;  // constructed before the members that use it
  index::cuda::DeviceIndex index_;
  text::cuda::DeviceGenome genome_;
  PackedEnd packing_;
  SearchOptions options_;
};

}  // namespace

std::unique_ptr<EndSearch> make_end_search(const Target& target, const Backend& backend, const SearchOptions& options) {
  if (options.metric == Metric::mismatches) {
    return std::make_unique<CudaEndSearch<MismatchStates>>(target, backend, options);
  }
  return with_constant(options.differences, [&]<unsigned K>() -> std::unique_ptr<EndSearch> {
    return std::make_unique<CudaEndSearch<EditNodeStates<K>>>(target, backend, options);
  });
}

}  // namespace warpseed::approximate::cuda
