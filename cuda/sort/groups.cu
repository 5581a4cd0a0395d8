#include "sort/groups.cuh"

#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::sort::cuda {

namespace {

/// One thread per word: its last head, its tied slots, its heads of tied groups; the word past the end has none.
__global__ void count_words_kernel(GroupsView groups, std::uint64_t words, std::uint32_t* last_head,
                                   std::uint32_t* tied, std::uint32_t* tied_groups) {
  const std::uint64_t word = thread_index();
  if (word > words) return;
  std::uint32_t head = 0, ties = 0, ties_begun = 0;
  if (word < words) {
    const std::uint32_t heads = groups.heads[word], tied_bits = groups.tied_in(word);
    if (heads != 0)
      head = static_cast<std::uint32_t>(32 * word + 31 - static_cast<unsigned>(__clz(static_cast<int>(heads))));
    ties = static_cast<std::uint32_t>(__popc(tied_bits));
    ties_begun = static_cast<std::uint32_t>(__popc(heads & tied_bits));
  }
  last_head[word] = head, tied[word] = ties, tied_groups[word] = ties_begun;
}

__global__ void heads_kernel(View<std::uint64_t> keys, std::uint64_t count, std::uint64_t words, std::uint32_t* heads) {
  const std::uint64_t slot = thread_index();
  store_heads(heads, slot, words, slot == 0 || slot >= count || keys[slot] != keys[slot - 1]);
}

/// One thread per listed slot: a head there becomes a head at `slots[i]` of the longer list.
__global__ void add_heads_kernel(GroupsView listed, const std::uint32_t* slots, std::uint32_t* heads) {
  const std::uint64_t i = thread_index();
  if (i < listed.count && listed.is_head(i)) atomicOr(&heads[slots[i] / 32], 1U << slots[i] % 32);
}

std::uint64_t words_for(std::uint64_t slots) {
  return (slots + 31) / 32;
}

}  // namespace

Groups::Groups(std::uint64_t count, const Stream& stream)
    : count_(count),
      heads_(words_for(count) + 1, stream),
      head_before_(words_for(count) + 1, stream),
      tied_before_(words_for(count) + 1, stream),
      groups_before_(words_for(count) + 1, stream) {}

void Groups::sum_up(const Stream& stream) {
  const std::uint64_t words = words_for(count_);
  launch("count_words_kernel", count_words_kernel, words + 1, stream, view(), words, head_before_.data(),
         tied_before_.data(), groups_before_.data());
  exclusive_max(head_before_, stream);
  exclusive_sum(tied_before_, stream);
  exclusive_sum(groups_before_, stream);
  tied_count_ = tied_before_.value_at(words);
  tied_groups_ = groups_before_.value_at(words);
}

void Groups::add_heads(const GroupsView& listed, const std::uint32_t* slots, const Stream& stream) {
  launch("add_heads_kernel", add_heads_kernel, listed.count, stream, listed, slots, heads_.data());
}

Groups groups_of_keys(const Buffer<std::uint64_t>& keys, std::uint64_t count, const Stream& stream) {
  Groups groups(count, stream);
  launch("heads_kernel", heads_kernel, groups.head_threads(), stream, keys.view(), count, groups.head_threads() / 32,
         groups.heads());
  groups.sum_up(stream);
  return groups;
}

}  // namespace warpseed::sort::cuda
