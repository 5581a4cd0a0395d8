// cuda/overlap/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "core/entry.hpp"
#include "overlap/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::overlap::cuda {

using warpseed::cuda::why_unavailable;

std::unique_ptr<MatchFinder> make_match_finder(const SequenceText&, const MatchOptions&, const Backend&) {
  throw BackendError(why_unavailable());
}

}  // namespace warpseed::overlap::cuda
