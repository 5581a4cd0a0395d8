// The CUDA functions that src/align calls: the aligner of batches on devices.
// Built with CUDA, cuda/align/*.cu define it; built without, cuda/align/no_cuda.cpp does. No caller needs an #ifdef.
#pragma once

#include <memory>

#include "align/align_options.hpp"
#include "align/pipeline/batch_aligner.hpp"
#include "core/backend.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// See align/pipeline/batch_aligner.hpp.
std::unique_ptr<BatchAligner> make_batch_aligner(const index::FmView& fm, const text::GenomeView& genome,
                                                 const AlignOptions& options, const Backend& backend,
                                                 const AlignerLimits& limits);

}  // namespace warpseed::align::cuda
