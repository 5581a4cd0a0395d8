// The CPU path of sort/string_sort.hpp.
#pragma once

#include "sort/string_sort.hpp"

namespace warpseed::sort {

/// Text: ByteView or PackedView.
template <class Text>
StringOrder sort_strings_on_cpu(const Strings<Text>& strings, int threads);

}  // namespace warpseed::sort
