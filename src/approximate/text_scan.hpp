// The scan of a text on the CPU.
#pragma once

#include <vector>

#include "approximate/found_end.hpp"
#include "approximate/scan_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::approximate {

/// All occurrences of the table's patterns, in no order, each once. The threads share the text.
/// Memory: 24 bytes for each occurrence, twice.
std::vector<FoundEnd> scan_text(const text::GenomeView& genome, const ScanView& scan, int threads);

}  // namespace warpseed::approximate
