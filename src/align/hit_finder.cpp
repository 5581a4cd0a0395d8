#include "align/hit_finder.hpp"

#include "align/seeder.hpp"
#include "entry.hpp"

namespace warpseed {

std::unique_ptr<HitFinder> make_hit_finder(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                           const Backend& backend, std::uint64_t narrow_rows) {
  if (backend.kind == BackendKind::cuda) return cuda::make_hit_finder(fm, genome, options, backend, narrow_rows);
  return std::make_unique<Seeder>(fm, genome, options);
}

}  // namespace warpseed
