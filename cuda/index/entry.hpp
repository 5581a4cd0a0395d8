// What src/index may call in the CUDA path: FM-indexes made and searched on a device.
// Defined by cuda/index/*.cu with CUDA, else by cuda/index/no_cuda.cpp, so that no caller needs an #ifdef.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "core/progress.hpp"
#include "index/fm_index.hpp"
#include "index/searcher.hpp"
#include "text/genome_core.hpp"

namespace warpseed::index::cuda {

/// index/fm_index.hpp: suffix array and FM-index are made on the device, only the index comes back.
FmIndex build_fm_index(const text::GenomeView& genome, const Backend& backend, const IndexOptions& options,
                       const ProgressCallback& progress);

/// index/searcher.hpp
std::unique_ptr<Searcher> make_searcher(const FmView& fm, const Backend& backend);

}  // namespace warpseed::index::cuda
