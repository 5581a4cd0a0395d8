// cuda/simulate/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "core/entry.hpp"
#include "simulate/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::simulate::cuda {

using warpseed::cuda::why_unavailable;

void synthetic_bases(const SyntheticGenome&, std::uint64_t, std::span<char>, const Backend&) {
  throw BackendError(why_unavailable());
}

text::Genome synthetic_genome(const SyntheticGenome&, std::span<const std::uint64_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

void simulated_pairs(const text::GenomeView&, const ReadSimulation&, std::uint64_t, std::span<char>, const Backend&) {
  throw BackendError(why_unavailable());
}

}  // namespace warpseed::simulate::cuda
