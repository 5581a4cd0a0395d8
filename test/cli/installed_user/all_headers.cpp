// All headers of the interface in one file.
#include "warpseed/align_options.hpp"
#include "warpseed/aligner.hpp"
#include "warpseed/context.hpp"
#include "warpseed/error.hpp"
#include "warpseed/index.hpp"
#include "warpseed/index_options.hpp"
#include "warpseed/overlap.hpp"
#include "warpseed/progress.hpp"
#include "warpseed/search.hpp"
#include "warpseed/sequence.hpp"
#include "warpseed/sort.hpp"
#include "warpseed/suffix_array.hpp"
#include "warpseed/version.hpp"

#include "user.hpp"

std::string version_text() {
  return std::string(warpseed::version);
}
