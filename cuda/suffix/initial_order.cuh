// The suffixes with their first 32 bases, listed so that a stable sort by those leaves the right order.
#pragma once

#include "core/primitives.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::cuda {

/// Fills pairs[i] with (key, text position) for every suffix of the text.
///
/// A suffix is short when its separator is among its first 32 symbols; its key has zeros from there on, which
/// read as A. Among suffixes of one key the order of the text is: the short ones, the shorter first, those of
/// one length by position; then the long ones. Listed in that order, a stable sort by the key alone needs no
/// further bits.
///
/// pairs: room for text.size() pairs.
void list_suffixes(const DeviceText& text, SortablePairs& pairs, const Stream& stream);

}  // namespace warpseed::cuda
