// Groups in a sorted list: runs of slots that compare equal so far. One bit per slot marks where a group begins. Scans
// over the words of bits, a thirty-second of the list's length, give everything else.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/lanes.cuh"

namespace warpseed::sort::cuda {

/// View of groups for kernels; owns nothing. A slot is tied if its group has more than one slot.
struct GroupsView {
  const std::uint32_t* heads = nullptr;          // [words + 1] bit j%32 of word j/32: slot j begins a group
  const std::uint32_t* head_before = nullptr;    // [words + 1] the last head in earlier words, 0 if there is none
  const std::uint32_t* tied_before = nullptr;    // [words + 1] tied slots in earlier words
  const std::uint32_t* groups_before = nullptr;  // [words + 1] heads of tied groups in earlier words
  std::uint64_t count = 0;                       // slots

  /// The first slot of this slot's group.
  __device__ std::uint32_t head_of(std::uint64_t slot) const {
    const std::uint64_t word = slot / 32;
    const std::uint32_t bits = heads[word] & up_to(slot);
    if (bits == 0) return head_before[word];
    return static_cast<std::uint32_t>(word * 32 + 31 - static_cast<unsigned>(__clz(static_cast<int>(bits))));
  }

  /// The same of four slots from `slot` on, a multiple of 4.
  __device__ void heads_of_four(std::uint64_t slot, std::uint32_t (&found)[4]) const {
    const std::uint64_t word = slot / 32;
    const std::uint32_t bits = heads[word], before = head_before[word], first = static_cast<std::uint32_t>(word * 32);
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t so_far = bits & up_to(slot + i);
      found[i] = so_far == 0 ? before : first + 31 - static_cast<unsigned>(__clz(static_cast<int>(so_far)));
    }
  }

  /// Bit i: slot 32 * word + i is tied. Bits past the last slot are heads, hence not tied.
  __device__ std::uint32_t tied_in(std::uint64_t word) const {
    return ~(heads[word] & __funnelshift_r(heads[word], heads[word + 1], 1));
  }
  __device__ bool is_head(std::uint64_t slot) const { return heads[slot / 32] >> (slot % 32) & 1; }
  __device__ bool is_tied(std::uint64_t slot) const { return tied_in(slot / 32) >> (slot % 32) & 1; }

  /// The index of a tied slot among all tied slots.
  __device__ std::uint32_t tied_number(std::uint64_t slot) const {
    const std::uint32_t earlier = tied_in(slot / 32) & up_to(slot);
    return tied_before[slot / 32] + static_cast<std::uint32_t>(__popc(earlier)) - 1;
  }

  /// The index of a tied slot's group among all tied groups.
  __device__ std::uint32_t group_number(std::uint64_t slot) const {
    const std::uint32_t heads_so_far = heads[slot / 32] & tied_in(slot / 32) & up_to(slot);
    return groups_before[slot / 32] + static_cast<std::uint32_t>(__popc(heads_so_far)) - 1;
  }

  /// The bits of a word from its first slot to this one.
  __device__ static std::uint32_t up_to(std::uint64_t slot) {
    return 0xFFFFFFFFU >> (31 - static_cast<unsigned>(slot % 32));
  }
};

/// Owns the bits and the sums over them: half a byte per slot.
class Groups {
 public:
  Groups(std::uint64_t count, const Stream& stream);

  /// Turns every head of `listed` into a head here, at its slot in `slots` [listed.count]. Call sum_up() afterwards.
  void add_heads(const GroupsView& listed, const std::uint32_t* slots, const Stream& stream);

  /// Where a kernel with head_threads() threads stores its head bits, one word per warp; bits past the last slot are
  /// set.
  std::uint32_t* heads() { return heads_.data(); }
  std::uint64_t head_threads() const { return 32 * heads_.size(); }

  /// Call after the head bits are written: computes the sums, and waits for the two totals.
  void sum_up(const Stream& stream);

  GroupsView view() const {
    return {heads_.data(), head_before_.data(), tied_before_.data(), groups_before_.data(), count_};
  }
  std::uint64_t tied_count() const { return tied_count_; }
  std::uint64_t tied_groups() const { return tied_groups_; }

 private:
  std::uint64_t count_;
  Buffer<std::uint32_t> heads_, head_before_, tied_before_, groups_before_;
  std::uint64_t tied_count_ = 0, tied_groups_ = 0;
};

/// The groups of equal keys in [0, count) of a sorted list.
Groups groups_of_keys(const Buffer<std::uint64_t>& keys, std::uint64_t count, const Stream& stream);

/// Stores a warp's head bits. All threads of the warp must call it; slot: the thread's, even past the end.
__device__ inline void store_heads(std::uint32_t* heads, std::uint64_t slot, std::uint64_t words, bool head) {
  const std::uint32_t bits = __ballot_sync(all_lanes, head);
  if (slot % 32 == 0 && slot / 32 < words) heads[slot / 32] = bits;
}

}  // namespace warpseed::sort::cuda
