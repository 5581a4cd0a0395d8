// cuda/align/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "align/entry.hpp"
#include "core/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::align::cuda {

using warpseed::cuda::why_unavailable;

std::unique_ptr<BatchAligner> make_batch_aligner(const index::FmView&, const text::GenomeView&, const AlignOptions&,
                                                 const Backend&, const AlignerLimits&) {
  throw BackendError(why_unavailable());
}

}  // namespace warpseed::align::cuda
