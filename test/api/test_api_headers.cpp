// All headers of the interface in one file: no two of them define one name.
#include "warpseed/aligner.hpp"
#include "warpseed/context.hpp"
#include "warpseed/device_arrays.hpp"
#include "warpseed/error.hpp"
#include "warpseed/index.hpp"
#include "warpseed/overlap.hpp"
#include "warpseed/progress.hpp"
#include "warpseed/reads.hpp"
#include "warpseed/search.hpp"
#include "warpseed/sequence.hpp"
#include "warpseed/sort.hpp"
#include "warpseed/suffix_array.hpp"
#include "warpseed/version.hpp"

#include <mutex>

#include "catch.hpp"

namespace warpseed {

TEST_CASE("a context reports the progress of its work", "[api]") {
  std::vector<std::string> stages;
  std::mutex mutex;
  const Context context({"cpu", 2, [&](const Progress& progress) {
                           const std::lock_guard lock(mutex);
                           stages.emplace_back(progress.stage);
                         }});
  std::string bases;
  for (unsigned i = 0, state = 1; i < 100000; ++i, state = state * 1664525 + 1013904223) bases += "ACGT"[state >> 30];
  const Index index = Index::build({{"g", bases}}, context);
  CHECK(index.contig(0).length == bases.size());
  CHECK_FALSE(stages.empty());
  CHECK(version.find('.') != std::string_view::npos);
}

}  // namespace warpseed
