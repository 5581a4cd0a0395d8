// Where a suffix array goes while it is made.
#pragma once

#include <cstdint>
#include <functional>

namespace warpseed::cuda {

template <class T>
class Buffer;

/// Takes the suffix array in ascending order of rows: rows [first_row, first_row + suffixes.size()), all of them at
/// once or in parts. It may queue work on `suffixes` and take their memory over.
template <class Pos>
using RowsSink = std::function<void(std::uint64_t first_row, Buffer<Pos>& suffixes)>;

}  // namespace warpseed::cuda
