#include "sort/string_splitters.cuh"

#include <algorithm>

#include "core/launch.cuh"
#include "sort/string_sort.cuh"
#include "sort/string_ties.cuh"

namespace warpseed::sort::cuda {

namespace {

template <class Text>
__global__ void sample_kernel(Strings<Text> strings, SlotsView slots, std::uint64_t sample, std::uint64_t* begins,
                              std::uint64_t* ends) {
  const std::uint64_t i = thread_index();
  if (i >= sample) return;
  const std::uint32_t string = slots.string(i * slots.count / sample);
  begins[i] = strings.begin(string), ends[i] = begins[i] + strings.length(string);
}

template <class Text>
__global__ void reorder_kernel(Strings<Text> strings, const std::uint32_t* order, std::uint64_t* begins,
                               std::uint64_t* ends) {
  const std::uint64_t i = thread_index();
  if (i >= strings.count) return;
  begins[i] = strings.begins[order[i]], ends[i] = strings.ends[order[i]];
}

template <class Text>
__global__ void depths_kernel(Strings<Text> splitters, std::uint32_t* depths) {
  const std::uint64_t k = thread_index();
  if (k > splitters.count) return;
  const bool between = k > 0 && k < splitters.count;
  depths[2 * k] = between ? static_cast<std::uint32_t>(part(splitters, k - 1, k, 0).common) : 0;
  if (k < splitters.count) depths[2 * k + 1] = all_equal;
}

/// Binary search for the first splitter that is not smaller. The prefix that a string shares with both borders of a
/// range is shared by all splitters between, so that no symbol is compared twice without need.
///
/// Manber and Myers, "Suffix arrays: a new method for on-line string searches", SODA 1990: their simple accelerant.
template <class Text>
__global__ void buckets_kernel(Strings<Text> strings, SlotsView slots, Strings<Text> splitters, std::uint64_t* keys) {
  const std::uint64_t slot = thread_index();
  if (slot >= slots.count) return;
  const Span mine = strings.span(slots.string(slot));
  std::uint64_t low = 0, high = splitters.count;  // splitters before low are smaller, those from high on are not
  std::uint64_t shared_low = 0, shared_high = 0;
  bool equal = false;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    const std::uint64_t from = shared_low < shared_high ? shared_low : shared_high;
    const FirstDifference parting = part(splitters.text, splitters.span(middle), mine, from);
    if (parting.order < 0) {
      low = middle + 1, shared_low = parting.common;
    } else {
      high = middle, shared_high = parting.common, equal = parting.order == 0;
    }
  }
  keys[slot] = 2 * high + (equal ? 1 : 0);
}

}  // namespace

template <class Text>
Splitters<Text>::Splitters(const Strings<Text>& strings, const SlotsView& slots, const Stream& stream)
    : strings_(strings),
      begins_(std::min(sample, slots.count), stream),
      ends_(begins_.size(), stream),
      depths_(2 * begins_.size() + 1, stream) {
  const std::uint64_t count = begins_.size();
  Buffer<std::uint64_t> begins(count, stream), ends(count, stream);
  launch("sample_kernel", sample_kernel<Text>, count, stream, strings, slots, count, begins.data(), ends.data());
  const Strings<Text> sampled{strings.text, begins.data(), ends.data(), count};
  const DeviceOrder order = sort_strings(sampled, stream);
  launch("reorder_kernel", reorder_kernel<Text>, count, stream, sampled, order.order.data(), begins_.data(),
         ends_.data());
  launch("depths_kernel", depths_kernel<Text>, count + 1, stream, sorted(), depths_.data());
}

template <class Text>
void Splitters<Text>::find_buckets(const SlotsView& slots, std::uint64_t* keys, const Stream& stream) const {
  launch("buckets_kernel", buckets_kernel<Text>, slots.count, stream, strings_, slots, sorted(), keys);
}

template class Splitters<ByteView>;
template class Splitters<text::PackedView>;

}  // namespace warpseed::sort::cuda
