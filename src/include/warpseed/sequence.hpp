// Sequences of bases as the library takes them, and the strands of a search.
#pragma once

#include <string_view>

namespace warpseed {

/// A named sequence: IUPAC letters, U read as T, lower case as upper case; every letter but A, C, G, T and U is an N,
/// which matches nothing. Both views must be valid during the call that they are given to.
struct Sequence {
  std::string_view name;
  std::string_view bases;
};

/// The strands on which patterns or queries are searched.
enum class Strands { both, forward, reverse };

}  // namespace warpseed
