// The search of one batch of patterns in an index, on a device.
//
// Nodes to extend are a stack in device memory. A launch extends as many of its top as there is room for, a thread a
// node, and their extensions replace them: breadth first while there are few nodes, depth first when there are many, so
// memory is bounded. Few nodes are extended by several bases before the host looks at their number, as its look takes
// longer than a launch. Rows to verify are collected, located and verified a thread a row.
#pragma once

#include <stdexcept>

#include "approximate/device_ends.cuh"
#include "approximate/device_patterns.cuh"
#include "approximate/end_search.hpp"
#include "approximate/verify_node_core.hpp"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::approximate::cuda {

/// How much a launch does and the lists hold.
struct SearchSizes {
  std::uint64_t launch_nodes = 4 << 20;
  std::uint64_t launch_rows = 4 << 20;
  std::uint64_t ends = 0;

  static constexpr std::uint64_t stack_launches = 8;  // nodes on the stack, in those of a launch
  static constexpr std::uint64_t leaf_launches = 8;
  static constexpr std::uint64_t children = 4;  // of a node, at most

  /// As large as three quarters of the free device memory allow, and at most the defaults.
  static SearchSizes within(std::uint64_t free_bytes, std::uint64_t node_bytes, std::uint64_t ends_per_row) {
    const std::uint64_t launch_bytes = (stack_launches + leaf_launches + children) * node_bytes;
    SearchSizes sizes;
    sizes.launch_nodes = std::clamp<std::uint64_t>(free_bytes / 2 / launch_bytes, 1024, sizes.launch_nodes);
    sizes.ends = DeviceEnds::room_within(free_bytes);
    sizes.launch_rows = std::min(sizes.launch_rows, sizes.ends / (2 * ends_per_row));
    return sizes;
  }
};

/// Is a node of a repeat whose pattern is given up? Then this is noted. given_up: [patterns]
template <class States>
__device__ bool gives_up(const index::FmView& fm, const StrandBatchView& batch, const Node<States>& node,
                         const Part& part, std::uint8_t* given_up) {
  const bool many = node.rows.count() > batch.patterns[node.pattern].give_up_rows;
  if (!many || !is_of_repeat(node, part, fm.row_count())) return false;
  given_up[node.pattern] = 1;
  return true;
}

/// One thread makes the first node of one part of a pattern. most_parts: of a pattern.
template <class States>
__global__ void first_nodes_kernel(index::FmView fm, StrandBatchView batch, std::uint32_t most_parts,
                                   Appender<Node<States>> nodes, Appender<Node<States>> leaves,
                                   std::uint8_t* given_up) {
  const auto pattern = static_cast<std::uint32_t>(thread_index() / most_parts);
  const auto part = static_cast<std::uint32_t>(thread_index() % most_parts);
  if (pattern >= batch.patterns.size || part >= batch.patterns[pattern].part_count) return;
  const Node<States> node = first_node<States>(fm, batch, pattern, batch.patterns[pattern].first_part + part);
  if (node.rows.empty()) return;
  if (gives_up(fm, batch, node, batch.parts[node.part], given_up)) return;
  if (is_leaf(node, batch.parts[node.part])) {
    leaves.add(node);
  } else {
    nodes.add(node);
  }
}

/// One thread extends one node. count: of nodes, at most that of threads.
template <class States>
__global__ void extend_kernel(index::FmView fm, StrandBatchView batch, const Node<States>* nodes,
                              const std::uint32_t* count, Appender<Node<States>> children,
                              Appender<Node<States>> leaves, std::uint8_t* given_up) {
  const std::uint64_t i = thread_index(), first_of_warp = i - lane_id();
  if (first_of_warp >= *count) return;
  const Node<States> node = nodes[i < *count ? i : first_of_warp];
  const bool active = i < *count && given_up[node.pattern] == 0;
  const Part part = batch.parts[node.part];
  const auto step = States::step(batch.pattern(node.pattern), part, node.length);
  const Extensions extensions = extend_all(fm, node.rows);
  for (unsigned base = 0; base < 4; ++base) {
    Node<States> next;
    const bool extends = active && extend_node(node, step, base, extensions.rows[base], next) &&
                         !gives_up(fm, batch, next, part, given_up);
    const bool leaf = extends && is_leaf(next, part);
    children.add_by_warp(extends && !leaf, next);
    leaves.add_by_warp(leaf, next);
  }
}

template <class States>
__global__ void leaf_sizes_kernel(View<Node<States>> leaves, const std::uint8_t* given_up, std::uint64_t* sizes) {
  const std::uint64_t i = thread_index();
  if (i > leaves.size) return;
  const bool wanted = i < leaves.size && given_up[leaves[i].pattern] == 0;
  sizes[i] = wanted ? leaves[i].rows.count() : 0;
}

/// What verifying needs of the text and the patterns.
struct VerifyView {
  text::GenomeView genome;
  StrandBatchView batch;
  PackedEnd packing;
  std::uint32_t differences;
};

/// A row to verify.
struct Candidate {
  TextPos position;
  std::uint64_t leaf;
};

/// One thread locates one row of rows [first, first + count) of all leaves. offsets: [leaves + 1] of their rows.
template <class States>
__global__ void locate_kernel(index::FmView fm, View<Node<States>> leaves, const std::uint64_t* offsets,
                              std::uint64_t first, std::uint64_t count, Candidate* candidates) {
  if (thread_index() >= count) return;
  const std::uint64_t item = first + thread_index();
  const std::uint64_t leaf = text::last_not_above(leaves.size, item, [&](std::uint64_t i) { return offsets[i]; });
  candidates[thread_index()] = {index::locate(fm, leaves[leaf].rows.begin + (item - offsets[leaf])), leaf};
}

/// One thread verifies one row. Four blocks per multiprocessor, as measured: with fewer the memory's latency shows, with
/// more the registers do not suffice.
template <class States>
__global__ void __launch_bounds__(threads_per_block, 4)
    verify_kernel(VerifyView view, View<Node<States>> leaves, const Candidate* candidates, std::uint64_t count,
                  Appender<std::uint64_t> found) {
  if (thread_index() >= count) return;
  const TextPos position = candidates[thread_index()].position;
  const Node<States>& leaf = leaves[candidates[thread_index()].leaf];
  const std::uint64_t segment = text::segment_at(view.genome, position);
  verify_node(view.genome.text, view.batch, leaf, position, view.genome.segments[segment].text_begin,
              view.genome.separator_of(segment), view.differences, [&](TextPos end, std::uint32_t differences) {
                found.add(view.packing.pack(leaf.pattern, end, differences));
              });
}

/// A list that kernels append to.
template <class T>
struct DeviceList {
  Buffer<T> values;
  std::uint64_t count = 0;  // as last read

  DeviceList(std::uint64_t room, const Stream& stream) : values(room, stream) {}
  View<T> view() const { return {values.data(), count}; }
  std::uint64_t room() const { return values.size() - count; }
  Appender<T> appender(std::uint32_t* device_count) {
    return {values.data(), device_count, static_cast<std::uint32_t>(values.size())};
  }
};

/// The search of one batch.
template <class States>
class DeviceSearch {
 public:
  /// All that is given must outlive the search. threads: for copies of ends to host memory.
  DeviceSearch(const index::FmView& fm, const text::GenomeView& genome, const DeviceStrandBatch& batch,
               std::uint32_t differences, const Stream& stream, int threads)
      : stream_(stream),
        fm_(fm),
        view_{genome, batch.view(), PackedEnd(genome.text.size), differences},
        patterns_(view_.batch.patterns.size),
        most_parts_(batch.most_parts()),
        first_nodes_(patterns_ * most_parts_),
        sizes_(SearchSizes::within(stream.pool().free_bytes(), sizeof(Node<States>), ends_per_row())),
        reserve_((SearchSizes::children - 1) * (batch.longest_pattern() + differences)),
        nodes_(SearchSizes::stack_launches * sizes_.launch_nodes + first_nodes_ + reserve_, stream),
        children_(SearchSizes::children * sizes_.launch_nodes, stream),
        leaves_(std::max(SearchSizes::leaf_launches * sizes_.launch_nodes, first_nodes_), stream),
        ends_(view_.packing, patterns_, sizes_.ends, stream, threads),
        counts_(1, stream),
        given_up_(patterns_, stream) {
    if (patterns_ > view_.packing.most_patterns()) throw std::invalid_argument("find: too many patterns");
    given_up_.fill_zero();
  }

  /// Finds all ends.
  void find() {
    if (first_nodes_ == 0) return;
    set_counts(0);
    launch("first_nodes_kernel", first_nodes_kernel<States>, first_nodes_, stream_, fm_, view_.batch, most_parts_,
           nodes_.appender(counts_.data()->nodes), leaves_.appender(&counts_.data()->leaves), given_up_.data());
    nodes_.count = read_counts().nodes[0];
    while (nodes_.count > 0) extend();
    verify_leaves();
  }

  DeviceEnds& ends() { return ends_; }

  /// The numbers of the patterns that were given up.
  std::vector<std::uint32_t> given_up() const {
    std::vector<std::uint8_t> flags(patterns_);
    given_up_.read(flags);
    std::vector<std::uint32_t> numbers;
    for (std::uint64_t i = 0; i < patterns_; ++i) {
      if (flags[i] != 0) numbers.push_back(static_cast<std::uint32_t>(i));
    }
    return numbers;
  }

 private:
  static constexpr unsigned most_levels = 8;
  static constexpr std::uint64_t few_nodes = 1 << 20;  // so many threads without work cost less than a look at counts

  /// Counts in device memory.
  struct Counts {
    std::uint32_t leaves;
    std::uint32_t nodes[most_levels + 1];  // to extend, and after each level
  };

  /// nodes: to extend.
  void set_counts(std::uint64_t nodes) {
    host_counts_ = {static_cast<std::uint32_t>(leaves_.count), {static_cast<std::uint32_t>(nodes)}};
    counts_.upload({&host_counts_, 1});
  }

  const Counts& read_counts() {
    counts_.read({&host_counts_, 1});
    leaves_.count = host_counts_.leaves;
    return host_counts_;
  }

  /// Bases by which all nodes on the stack can be extended one after the other, as even then they are few: an even number,
  /// so that the last extensions are on the stack again. Else one, of the top.
  unsigned levels_at_once() const {
    const std::uint64_t few = std::min(few_nodes, sizes_.launch_nodes);
    unsigned levels = 0;
    while (levels < most_levels && most_after(levels + 2, nodes_.count) <= few) levels += 2;
    return std::max(levels, 1U);
  }

  /// The most nodes that some can become with so many bases more.
  static std::uint64_t most_after(unsigned levels, std::uint64_t nodes) { return nodes << 2 * levels; }

  void extend() {
    const unsigned levels = levels_at_once();
    const std::uint64_t room = nodes_.room() > reserve_ ? nodes_.room() - reserve_ : 0;
    const std::uint64_t fitting = std::max<std::uint64_t>(1, room / (SearchSizes::children - 1));
    const std::uint64_t count = levels > 1 ? nodes_.count : std::min({nodes_.count, sizes_.launch_nodes, fitting});
    if (leaves_.room() < most_after(levels, count)) verify_leaves();
    set_counts(count);
    nodes_.count -= count;
    Node<States>* const top = nodes_.values.data() + nodes_.count;
    for (unsigned level = 0; level < levels; ++level) {
      const bool from_stack = level % 2 == 0;
      const auto most = static_cast<std::uint32_t>(most_after(level + 1, count));
      launch(
          "extend_kernel", extend_kernel<States>, most_after(level, count), stream_, fm_, view_.batch,
          from_stack ? top : children_.values.data(), counts_.data()->nodes + level,
          Appender<Node<States>>{from_stack ? children_.values.data() : top, counts_.data()->nodes + level + 1, most},
          leaves_.appender(&counts_.data()->leaves), given_up_.data());
    }
    const std::uint64_t added = read_counts().nodes[levels];
    if (levels == 1) {
      check(cudaMemcpyAsync(top, children_.values.data(), added * sizeof(Node<States>), cudaMemcpyDeviceToDevice,
                            stream_.handle()),
            "moving nodes");
    }
    nodes_.count += added;
  }

  void verify_leaves() {
    if (leaves_.count == 0) return;
    Buffer<std::uint64_t> offsets(leaves_.count + 1, stream_);
    launch("leaf_sizes_kernel", leaf_sizes_kernel<States>, offsets.size(), stream_, leaves_.view(), given_up_.data(),
           offsets.data());
    exclusive_sum(offsets, stream_);
    const std::uint64_t total = offsets.value_at(leaves_.count);
    require_memory_for(total, view_.differences);
    Buffer<Candidate> candidates(std::min(sizes_.launch_rows, total), stream_);
    for (std::uint64_t first = 0; first < total; first += sizes_.launch_rows) {
      const std::uint64_t count = std::min(sizes_.launch_rows, total - first);
      ends_.make_room(count * ends_per_row());
      launch("locate_kernel", locate_kernel<States>, count, stream_, fm_, leaves_.view(), offsets.data(), first, count,
             candidates.data());
      launch("verify_kernel", verify_kernel<States>, count, stream_, view_, leaves_.view(), candidates.data(), count,
             ends_.appender());
      ends_.accept();
    }
    leaves_.count = 0;
  }

  /// The most ends of a verified row: one for each length of the text to the right of its part.
  std::uint64_t ends_per_row() const { return 2 * view_.differences + 1; }

  const Stream& stream_;
  index::FmView fm_;
  VerifyView view_;
  std::uint64_t patterns_;
  std::uint32_t most_parts_;
  std::uint64_t first_nodes_;  // at most
  SearchSizes sizes_;
  std::uint64_t reserve_;  // nodes that the stack grows by when a full one is extended node by node
  DeviceList<Node<States>> nodes_, children_, leaves_;
  DeviceEnds ends_;
  Counts host_counts_ = {};
  Buffer<Counts> counts_;
  Buffer<std::uint8_t> given_up_;  // [patterns]
};

}  // namespace warpseed::approximate::cuda
