// The CUDA functions that src/approximate calls. Defined by cuda/approximate/*.cu with CUDA, else by no_cuda.cpp.
#pragma once

#include <memory>

#include "approximate/end_search.hpp"

namespace warpseed::approximate::cuda {

/// approximate/end_search.hpp
std::unique_ptr<EndSearch> make_end_search(const Target& target, const Backend& backend, const SearchOptions& options);

}  // namespace warpseed::approximate::cuda
