// cuda/text/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "core/entry.hpp"
#include "text/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::text::cuda {

using warpseed::cuda::why_unavailable;

Genome pack_bases(std::span<const char>, std::span<const std::uint64_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

}  // namespace warpseed::text::cuda
