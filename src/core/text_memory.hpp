// Memory for the text of a file.
#pragma once

#include "core/huge_pages.hpp"

namespace warpseed {

/// Its bytes stay uninitialised until something is read into them.
using TextMemory = HugePageVector<char>;

}  // namespace warpseed
