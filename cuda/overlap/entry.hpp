// What src/overlap may call in the CUDA path: maximal matches found on a device.
// Built with CUDA, cuda/overlap/*.cu define it; built without, cuda/overlap/no_cuda.cpp does. No caller needs an #ifdef.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "overlap/matches/match_finder.hpp"

namespace warpseed::overlap::cuda {

/// overlap/matches/match_finder.hpp
std::unique_ptr<MatchFinder> make_match_finder(const SequenceText& text, const MatchOptions& options,
                                               const Backend& backend);

}  // namespace warpseed::overlap::cuda
