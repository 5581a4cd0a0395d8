// Everything the CPU side may call in the CUDA side: the whole seam, on one page.
// Built with CUDA, *.cu define these; built without, no_cuda.cpp does. No caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "core/progress.hpp"
#include "index/fm_index.hpp"
#include "index/searcher.hpp"
#include "overlap/matches/match_finder.hpp"
#include "simulate/synthetic.hpp"
#include "sort/segmented_sort_core.hpp"
#include "sort/string_sort.hpp"
#include "suffix/common_extension.hpp"
#include "suffix/compact_lcp.hpp"
#include "suffix/rmq_core.hpp"
#include "suffix/suffix_array.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

struct AlignOptions;  // align/align_options.hpp and batch_aligner.hpp, for who makes one
struct AlignerLimits;
class BatchAligner;
struct ReadSimulation;  // reads/simulated_reads.hpp

}  // namespace warpseed

namespace warpseed::cuda {

/// Usable devices: 0 without a GPU, without a driver, or in a build without CUDA. Never throws.
int device_count() noexcept;

/// Why device_count() is 0, in words for the user: "this build has no CUDA support".
std::string why_unavailable();

/// The most memory that buffers on a device have taken at a time.
std::uint64_t peak_device_bytes(int device);

/// One line about a device: name, compute capability, memory.
std::string describe_device(int device);

/// text/synthetic.hpp; the genome comes back without names.
void synthetic_bases(const SyntheticGenome& genome, std::uint64_t begin, std::span<char> letters,
                     const Backend& backend);
Genome synthetic_genome(const SyntheticGenome& genome, std::span<const std::uint64_t> contig_begins,
                        const Backend& backend);

/// reads/simulated_reads.hpp
void simulated_pairs(const GenomeView& genome, const ReadSimulation& simulation, std::uint64_t first_pair,
                     std::span<char> letters, const Backend& backend);

/// What GenomeBuilder makes of contigs that stand end to end, beginning at contig_begins[i] ([contigs + 1]); without
/// names. Throws InputError that names the first letter outside IUPAC by its place.
Genome pack_bases(std::span<const char> letters, std::span<const std::uint64_t> contig_begins, const Backend& backend);

/// suffix/suffix_array.hpp
template <class Pos>
std::vector<Pos> suffix_array(const GenomeView& genome, const Backend& backend, const SortOptions& options);
template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t> bytes, const Backend& backend, const SortOptions& options);

/// result[values[i]] = i if `values` is a permutation; else something, of the same size.
std::vector<std::uint32_t> inverse_permutation(const std::vector<std::uint32_t>& values, const Backend& backend);

/// suffix/lcp.hpp
std::vector<std::uint32_t> lcp_array(const GenomeView& genome, const std::vector<std::uint32_t>& suffixes,
                                     const Backend& backend);
std::vector<std::uint32_t> lcp_array(std::span<const std::uint8_t> bytes, const std::vector<std::uint32_t>& suffixes,
                                     const Backend& backend);

/// suffix/compact_lcp.hpp; the sizes must be right and not 0.
CompactLcp<std::uint32_t> compact_lcp_array(const GenomeView& genome, const std::vector<std::uint32_t>& suffixes,
                                            const Backend& backend);

/// suffix/rmq.hpp; no range may be empty or go beyond the array.
void range_minima(std::span<const std::uint32_t> values, std::span<const IndexRange<std::uint32_t>> ranges,
                  std::span<std::uint32_t> results, const Backend& backend);
void leftmost_minima(std::span<const std::uint32_t> values, std::span<const IndexRange<std::uint32_t>> ranges,
                     std::span<std::uint32_t> results, const Backend& backend);

/// suffix/common_extension.hpp
std::unique_ptr<CommonExtension<std::uint32_t>> make_common_extension(const GenomeView& genome, const Backend& backend);

/// index/fm_index.hpp: suffix array and FM-index made on the device, only the index comes back.
FmIndex build_fm_index(const GenomeView& genome, const Backend& backend, const IndexOptions& options,
                       const ProgressCallback& progress);

/// sort/segmented_sort.hpp; Value: NoValue for keys alone.
template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Backend& backend);

/// sort/key_order.hpp; nothing if the device has too little memory to spare.
std::optional<std::vector<std::uint32_t>> key_order(std::span<const std::uint64_t> keys, const Backend& backend);

/// index/searcher.hpp
std::unique_ptr<Searcher> make_searcher(const FmView& fm, const Backend& backend);

/// align/batch_placer.hpp
std::unique_ptr<BatchAligner> make_batch_aligner(const FmView& fm, const GenomeView& genome,
                                                 const AlignOptions& options, const Backend& backend,
                                                 const AlignerLimits& limits);

/// overlap/match_finder.hpp
std::unique_ptr<MatchFinder> make_match_finder(const SequenceText& text, const MatchOptions& options,
                                               const Backend& backend);

/// sort/string_sort.hpp
template <class Text>
StringOrder sort_strings(const Strings<Text>& strings, const Backend& backend);

}  // namespace warpseed::cuda
