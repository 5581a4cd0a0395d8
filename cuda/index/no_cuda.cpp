// cuda/index/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "core/entry.hpp"
#include "index/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::index::cuda {

using warpseed::cuda::why_unavailable;

FmIndex build_fm_index(const text::GenomeView&, const Backend&, const BuildOptions&, const ProgressCallback&) {
  throw BackendError(why_unavailable());
}

std::unique_ptr<Searcher> make_searcher(const FmView&, const Backend&) {
  throw BackendError(why_unavailable());
}

}  // namespace warpseed::index::cuda
