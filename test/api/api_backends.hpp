// The backends of this machine, as users of the library name them.
#pragma once

#include <string>
#include <vector>

#include "core/backend.hpp"

namespace warpseed::test {

inline std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Backend& backend : available_backends()) names.push_back(to_string(backend));
  return names;
}

}  // namespace warpseed::test
