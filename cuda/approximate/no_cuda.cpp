// cuda/approximate/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "approximate/entry.hpp"
#include "core/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::approximate::cuda {

std::unique_ptr<EndSearch> make_end_search(const Target&, const Backend&, const SearchOptions&) {
  throw BackendError(warpseed::cuda::why_unavailable());
}

}  // namespace warpseed::approximate::cuda
