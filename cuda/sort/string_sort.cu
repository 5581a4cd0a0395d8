#include "sort/string_sort.cuh"

#include <bit>
#include <optional>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "sort/string_keys.cuh"
#include "sort/string_ties.cuh"

namespace warpseed::cuda {

namespace {

__global__ void number_kernel(std::uint32_t* values, std::uint64_t count) {
  const std::uint64_t i = thread_index();
  if (i < count) values[i] = static_cast<std::uint32_t>(i);
}

__global__ void pack_heads_kernel(const std::uint8_t* flags, std::uint64_t count, std::uint64_t words,
                                  std::uint32_t* heads) {
  const std::uint64_t row = thread_index();
  store_heads(heads, row, words, row < count && flags[row] != 0);
}

unsigned bits_for(std::uint64_t count) {
  return count <= 1 ? 0 : static_cast<unsigned>(std::bit_width(count - 1));
}

/// Sorts a round's pairs by the bits in which keys differ, unless those are of the groups alone, whose order they
/// have already.
void sort_by_key(SortablePairs& pairs, std::uint64_t count, KeyShape shape, std::uint64_t varying,
                 const Stream& stream) {
  const std::uint64_t of_strings = shape.bits() >= 64 ? varying : varying & ((std::uint64_t{1} << shape.bits()) - 1);
  if (of_strings == 0) return;
  pairs.sort(count, static_cast<unsigned>(std::bit_width(varying)), stream,
             static_cast<unsigned>(std::countr_zero(varying)));
}

}  // namespace

std::uint64_t string_sorting_bytes(std::uint64_t count) {
  return 42 * count + (std::uint64_t{64} << 20);  // the sort's histograms and the like beside it
}

template <class Text>
DeviceOrder sort_strings(const Strings<Text>& strings, const Stream& stream, const StageDone& done) {
  const auto say = [&](std::string_view stage) {
    if (done) done(stage);
  };
  const std::uint64_t count = strings.count;
  if (count == 0) return {};
  require_device_memory(string_sorting_bytes(count), "sorting strings");
  DeviceOrder sorted{{count, stream}, {count / 32 + 1, stream}};
  Buffer<std::uint8_t> flags(count, stream);
  const Places places{sorted.order.data(), flags.data()};
  KeyMaker<Text> maker(strings, stream);
  std::optional<Ties> ties;
  for (;;) {
    const SlotsView slots = ties ? ties->view() : SlotsView{nullptr, nullptr, nullptr, count};
    SortablePairs pairs(slots.count, stream);
    if (ties) {
      check(cudaMemcpyAsync(pairs.values.data(), slots.strings, slots.count * sizeof(std::uint32_t),
                            cudaMemcpyDeviceToDevice, stream.handle()),
            "copying strings' numbers");
    } else {
      launch("number_kernel", number_kernel, count, stream, pairs.values.data(), count);
    }
    const auto made = maker.make(slots, ties ? bits_for(ties->groups()) : 0, pairs.keys.data(), stream);
    say("keys");
    sort_by_key(pairs, slots.count, made.shape, made.varying, stream);
    say("radix sort");
    const SortedSlots after{pairs.keys.data(), pairs.values.data(), ties ? ties->rows() : nullptr,
                            slots.depths,      slots.count,         made.shape};
    Groups groups(slots.count, stream);
    settle(strings, after, places, groups, stream);
    groups.sum_up(stream);
    say("settle");
    if (groups.tied_count() == 0) break;
    Ties next(strings, after, groups, stream);
    ties = std::move(next);
    say("ties");
  }
  launch("pack_heads_kernel", pack_heads_kernel, 32 * sorted.heads.size(), stream, flags.data(), count,
         sorted.heads.size(), sorted.heads.data());
  say("heads");
  return sorted;
}

template DeviceOrder sort_strings(const Strings<ByteView>&, const Stream&, const StageDone&);
template DeviceOrder sort_strings(const Strings<PackedView>&, const Stream&, const StageDone&);

}  // namespace warpseed::cuda
