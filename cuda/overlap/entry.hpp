// The CUDA functions that src/overlap calls: finding maximal matches on a device.
// Defined by cuda/overlap/*.cu with CUDA, else by cuda/overlap/no_cuda.cpp, so that no caller needs an #ifdef.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "overlap/matches/match_finder.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap::cuda {

/// overlap/matches/match_finder.hpp
std::unique_ptr<MatchFinder> make_match_finder(const SequenceText& text, const MatchOptions& options,
                                               const Backend& backend);

}  // namespace warpseed::overlap::cuda
