#include "sort/string_ties.cuh"

#include "core/launch.cuh"

namespace warpseed::sort::cuda {

namespace {

/// A slot's run of equal keys, scanned only until it exceeds a small group.
struct Run {
  std::uint64_t begin, end;
};

__device__ Run run_of(const SortedSlots& slots, std::uint64_t slot) {
  const std::uint64_t key = slots.keys[slot];
  Run run{slot, slot + 1};
  while (run.begin > 0 && slot - run.begin < slots.small_group && slots.keys[run.begin - 1] == key) --run.begin;
  while (run.end < slots.count && run.end - run.begin <= slots.small_group && slots.keys[run.end] == key) ++run.end;
  return run;
}

/// Compares a slot's string with all others of its small group. This gives its rank, and whether it is the first of its
/// equals. All threads of a group do the same, so that none has to wait.
template <class Text>
__device__ void sort_by_comparing(const Strings<Text>& strings, const SortedSlots& slots, std::uint64_t slot, Run run,
                                  const SortedOutput& output) {
  const std::uint32_t mine = slots.strings[slot];
  const std::uint64_t depth = run.end - run.begin == 1 ? 0 : slots.depth(slot) + slots.shape.symbols;
  std::uint32_t before = 0;
  bool head = true;
  for (std::uint64_t other = run.begin; other < run.end; ++other) {
    if (other == slot) continue;
    const int order = part(strings, slots.strings[other], mine, depth).order;
    const bool equal_before = order == 0 && other < slot;
    if (equal_before) head = false;
    if (order < 0 || equal_before) ++before;
  }
  const std::uint32_t row = slots.row(run.begin + before);
  output.order[row] = mine, output.heads[row] = head;
}

template <class Text>
__global__ void write_settled_kernel(Strings<Text> strings, SortedSlots slots, SortedOutput output, std::uint64_t words,
                                     std::uint32_t* tie_heads, std::uint32_t* any_ties) {
  const std::uint64_t slot = thread_index();
  bool head = true;  // a settled string is a group of its own
  if (slot < slots.count) {
    const std::uint64_t key = slots.keys[slot];
    const bool first = slot == 0 || slots.keys[slot - 1] != key;
    if (slots.shape.has_ended(key)) {
      const std::uint32_t row = slots.row(slot);
      output.order[row] = slots.strings[slot], output.heads[row] = first;
    } else {
      const Run run = run_of(slots, slot);
      if (run.end - run.begin <= slots.small_group) {
        sort_by_comparing(strings, slots, slot, run, output);
      } else {
        head = first;
        if (first) *any_ties = 1;
      }
    }
  }
  store_heads(tie_heads, slot, words, head);
}

struct TieArrays {
  std::uint32_t *strings, *rows, *group_of, *firsts, *known, *depths;
};

__global__ void gather_kernel(SortedSlots slots, GroupsView groups, bool extend, TieArrays ties) {
  const std::uint64_t slot = thread_index();
  if (slot >= slots.count || !groups.is_tied(slot)) return;
  const std::uint32_t number = groups.tied_number(slot), group = groups.group_number(slot);
  const std::uint32_t string = slots.strings[slot];
  ties.strings[number] = string;
  ties.rows[number] = slots.row(slot);
  ties.group_of[number] = group;
  if (groups.head_of(slot) != slot) return;
  ties.firsts[group] = string;
  ties.known[group] = slots.depth(slot) + slots.shape.symbols;
  ties.depths[group] = extend ? all_equal : ties.known[group];
}

/// The prefix length that all strings of a group share is the minimum over comparisons with its first string.
template <class Text>
__global__ void extend_kernel(Strings<Text> strings, TieArrays ties, std::uint64_t count) {
  const std::uint64_t slot = thread_index();
  if (slot >= count) return;
  const std::uint32_t group = ties.group_of[slot], first = ties.firsts[group], mine = ties.strings[slot];
  if (mine == first) return;
  const std::uint32_t limit = *static_cast<volatile std::uint32_t*>(&ties.depths[group]);
  const FirstDifference parting = part(strings, first, mine, ties.known[group], limit);
  if (parting.order != 0 && parting.common < limit) {
    atomicMin(&ties.depths[group], static_cast<std::uint32_t>(parting.common));
  }
}

}  // namespace

template <class Text>
bool write_settled(const Strings<Text>& strings, const SortedSlots& slots, const SortedOutput& output, Groups& ties,
                   const Stream& stream) {
  Buffer<std::uint32_t> any(1, stream);
  any.fill_zero();
  launch("write_settled_kernel", write_settled_kernel<Text>, ties.head_threads(), stream, strings, slots, output,
         ties.head_threads() / 32, ties.heads(), any.data());
  return any.value_at(0) != 0;
}

template <class Text>
Ties::Ties(const Strings<Text>& strings, const SortedSlots& slots, const Groups& groups, bool extend,
           const Stream& stream)
    : strings_(groups.tied_count(), stream),
      rows_(groups.tied_count(), stream),
      group_of_(groups.tied_count(), stream),
      firsts_(groups.tied_groups(), stream),
      known_(groups.tied_groups(), stream),
      depths_(groups.tied_groups(), stream) {
  const TieArrays arrays{strings_.data(), rows_.data(),  group_of_.data(),
                         firsts_.data(),  known_.data(), depths_.data()};
  launch("gather_kernel", gather_kernel, slots.count, stream, slots, groups.view(), extend, arrays);
  if (extend) launch("extend_kernel", extend_kernel<Text>, count(), stream, strings, arrays, count());
}

template bool write_settled(const Strings<ByteView>&, const SortedSlots&, const SortedOutput&, Groups&, const Stream&);
template bool write_settled(const Strings<text::PackedView>&, const SortedSlots&, const SortedOutput&, Groups&,
                            const Stream&);
template Ties::Ties(const Strings<ByteView>&, const SortedSlots&, const Groups&, bool, const Stream&);
template Ties::Ties(const Strings<text::PackedView>&, const SortedSlots&, const Groups&, bool, const Stream&);

}  // namespace warpseed::sort::cuda
