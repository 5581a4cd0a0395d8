// cuda/index/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "core/entry.hpp"
#include "core/error.hpp"
#include "index/entry.hpp"

namespace warpseed::index::cuda {

using warpseed::cuda::why_unavailable;

FmIndex build_fm_index(const text::GenomeView&, const Backend&, const IndexOptions&, const ProgressCallback&) {
  throw BackendError(why_unavailable());
}

std::unique_ptr<Searcher> make_searcher(const FmView&, const Backend&) {
  throw BackendError(why_unavailable());
}

}  // namespace warpseed::index::cuda
