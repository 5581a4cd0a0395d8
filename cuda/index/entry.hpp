// The CUDA functions that src/index calls: building and searching FM-indexes on a device.
// Defined by cuda/index/*.cu with CUDA, else by cuda/index/no_cuda.cpp, so that no caller needs an #ifdef.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "index/fm_index.hpp"
#include "index/searcher.hpp"
#include "text/genome_core.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::index::cuda {

/// index/fm_index.hpp: builds suffix array and FM-index on the device and copies only the index back.
FmIndex build_fm_index(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options,
                       const ProgressCallback& progress);

/// index/searcher.hpp
std::unique_ptr<Searcher> make_searcher(const FmView& fm, const Backend& backend);

}  // namespace warpseed::index::cuda
