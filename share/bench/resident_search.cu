#include "resident_search.hpp"

#include <optional>
#include <stdexcept>

#include "approximate/device_search.cuh"
#include "core/timing.hpp"
#include "index/device_index.cuh"
#include "text/device_genome.cuh"

namespace warpseed::cuda {

struct ResidentSearch::OnDevice {
  int threads;
  Stream stream;  // declared first: destroyed after its users
  index::cuda::DeviceIndex index;
  text::cuda::DeviceGenome genome;
  std::optional<approximate::cuda::DeviceStrandBatch> batch;
  std::uint64_t ends = 0;
  bool all_resident = true;

  OnDevice(const approximate::Target& target, const Backend& backend)
      : threads(backend.threads),
        stream(backend),
        index(index::cuda::upload_index(target.fm, stream, threads)),
        genome(target.genome, stream, threads) {}
};

ResidentSearch::ResidentSearch(const approximate::Target& target, const Backend& backend)
    : on_device_(std::make_unique<OnDevice>(target, backend)) {}

ResidentSearch::~ResidentSearch() = default;

void ResidentSearch::load(const approximate::StrandBatch& batch) {
  set_current_device(on_device_->stream.device());
  on_device_->batch.emplace(batch, on_device_->stream, on_device_->threads);
}

double ResidentSearch::find(unsigned mismatches) {
  OnDevice& held = *on_device_;
  set_current_device(held.stream.device());
  held.stream.wait();
  const Stopwatch watch;
  approximate::cuda::DeviceSearch<approximate::MismatchStates> search(
      held.index.view(), held.genome.view(), *held.batch, mismatches, held.stream, held.threads);
  search.find();
  search.ends().keep_best();
  held.stream.wait();
  const double seconds = watch.seconds();
  held.ends = search.ends().count();
  held.all_resident = search.ends().all_on_device();
  return seconds;
}

std::uint64_t ResidentSearch::ends() const {
  if (!on_device_->all_resident) throw std::runtime_error("the ends do not fit device memory; give --queries fewer");
  return on_device_->ends;
}

}  // namespace warpseed::cuda
