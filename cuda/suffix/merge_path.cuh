// Merges sorted lists of suffixes.
#pragma once

#include <cstdint>

#include "suffix/suffix_list.cuh"

namespace warpseed::suffix::cuda {

/// SuffixList or MergedList: the lists that are merged.
using ThreeLists = MergedList<MergedList<SuffixList, SuffixList>, SuffixList>;
using TwoLists = MergedList<SuffixList, SuffixList>;

/// The order in which two lists are merged by key; equal keys of the first list come first.
///
/// Source: Green, McColl and Bader, "GPU Merge Path", ICS 2012.
/// Cost:   the keys read once, a bit written per suffix.
template <class First, class Second>
class MergeOrder {
 public:
  MergeOrder(const First& first, const Second& second, const Stream& stream);

  MergedList<First, Second> list() const {
    return {first_, second_, from_second_.data(), second_before_.data(), first_.size + second_.size};
  }

 private:
  First first_;
  Second second_;
  Buffer<std::uint32_t> from_second_, second_before_;
};

/// Merges two lists by key in the same order. Keeps only bits of the keys: bit i%32 of word i/32 of heads shows whether
/// key i differs from the one before it. A key without `tie_bit` (0: all have it) differs from every other. Bits past
/// the last suffix are set.
///
/// positions: [first.size + second.size]; heads: [head_words], at least enough for all suffixes.
/// Cost: keys and positions read once.
template <class First, class Second>
void merge_into(const First& first, const Second& second, std::uint64_t tie_bit, std::uint32_t* positions,
                std::uint32_t* heads, std::uint64_t head_words, const Stream& stream);

extern template class MergeOrder<SuffixList, SuffixList>;
extern template class MergeOrder<TwoLists, SuffixList>;
extern template void merge_into(const SuffixList&, const SuffixList&, std::uint64_t, std::uint32_t*, std::uint32_t*,
                                std::uint64_t, const Stream&);
extern template void merge_into(const ThreeLists&, const TwoLists&, std::uint64_t, std::uint32_t*, std::uint32_t*,
                                std::uint64_t, const Stream&);

}  // namespace warpseed::suffix::cuda
