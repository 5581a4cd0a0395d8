// The classical algorithm for range minima, as an oracle: Cartesian tree, Euler tour, +-1 RMQ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpseed::test {

/// Bender and Farach-Colton, "The LCA problem revisited", LATIN 2000. Written for clarity: a stack replaces recursion,
/// blocks of the tour are half a logarithm long, and a table indexed by the pattern of steps answers queries inside a
/// block.
class EulerRmq {
 public:
  explicit EulerRmq(const std::vector<std::uint32_t>& values) : first_visit_(values.size()) {
    if (values.empty()) return;
    tour(cartesian_tree(values));
    block_ = 1;
    while ((std::size_t{1} << 2 * (block_ + 1)) <= depths_.size()) ++block_;
    index_blocks();
  }

  /// The first position in [begin, end) that holds the smallest value.
  std::size_t leftmost(std::size_t begin, std::size_t end) const {
    auto [left, right] = std::minmax(first_visit_[begin], first_visit_[end - 1]);
    const std::size_t a = left / block_, b = right / block_;
    if (a == b) return nodes_[a * block_ + in_block(a, left % block_, right % block_)];
    std::size_t best = a * block_ + in_block(a, left % block_, block_ - 1);
    best = shallower(best, b * block_ + in_block(b, 0, right % block_));
    if (a + 1 < b) best = shallower(best, between(a + 1, b - 1));
    return nodes_[best];
  }

 private:
  struct Node {
    std::size_t left = none, right = none;
  };
  struct Tree {
    std::vector<Node> nodes;
    std::size_t root = 0;
  };
  static constexpr std::size_t none = ~std::size_t{0};

  /// Of equal values the first is the ancestor.
  static Tree cartesian_tree(const std::vector<std::uint32_t>& values) {
    Tree tree{std::vector<Node>(values.size()), 0};
    std::vector<std::size_t> rightmost;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::size_t under = none;
      while (!rightmost.empty() && values[rightmost.back()] > values[i]) under = rightmost.back(), rightmost.pop_back();
      tree.nodes[i].left = under;
      if (!rightmost.empty()) tree.nodes[rightmost.back()].right = i;
      rightmost.push_back(i);
    }
    tree.root = rightmost.front();
    return tree;
  }

  void visit(std::size_t node, std::uint32_t depth) { nodes_.push_back(node), depths_.push_back(depth); }

  void tour(const Tree& tree) {
    struct Frame {
      std::size_t node;
      int children_done;
    };
    std::vector<Frame> path = {{tree.root, 0}};
    while (!path.empty()) {
      Frame& frame = path.back();
      const auto depth = static_cast<std::uint32_t>(path.size());
      if (frame.children_done == 0) first_visit_[frame.node] = nodes_.size();
      if (frame.children_done == 0) visit(frame.node, depth);
      const Node& node = tree.nodes[frame.node];
      const std::size_t child = frame.children_done == 0 ? node.left : frame.children_done == 1 ? node.right : none;
      if (frame.children_done == 2) {
        path.pop_back();
        if (!path.empty()) visit(path.back().node, depth - 1);
        continue;
      }
      ++frame.children_done;
      if (child != none) path.push_back({child, 0});
    }
  }

  std::size_t shallower(std::size_t a, std::size_t b) const { return depths_[b] < depths_[a] ? b : a; }

  void index_blocks() {
    while (depths_.size() % block_ != 0) visit(nodes_.back(), depths_.back() + 1);  // padding, never minimal
    const std::size_t blocks = depths_.size() / block_, patterns = std::size_t{1} << (block_ - 1);
    answers_.resize(patterns * block_ * block_);
    for (std::size_t pattern = 0; pattern < patterns; ++pattern) fill_pattern(pattern);
    sparse_.emplace_back(blocks);
    for (std::size_t block = 0; block < blocks; ++block) {
      std::size_t pattern = 0;
      for (std::size_t i = 1; i < block_; ++i) {
        const std::size_t at = block * block_ + i;
        if (depths_[at] > depths_[at - 1]) pattern |= std::size_t{1} << (i - 1);
      }
      patterns_.push_back(pattern);
      sparse_[0][block] = block * block_ + in_block(block, 0, block_ - 1);
    }
    for (std::size_t half = 1; 2 * half <= blocks; half *= 2) {
      const std::vector<std::size_t>& above = sparse_.back();
      std::vector<std::size_t> row(blocks - 2 * half + 1);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = shallower(above[i], above[i + half]);
      sparse_.push_back(std::move(row));
    }
  }

  void fill_pattern(std::size_t pattern) {
    for (std::size_t left = 0; left < block_; ++left) {
      std::int64_t height = 0, lowest = 0;
      std::size_t best = left;
      for (std::size_t right = left; right < block_; ++right) {
        if (right > left) height += pattern >> (right - 1) & 1 ? 1 : -1;
        if (height < lowest) lowest = height, best = right;
        answers_[(pattern * block_ + left) * block_ + right] = best;
      }
    }
  }

  std::size_t in_block(std::size_t block, std::size_t left, std::size_t right) const {
    return answers_[(patterns_[block] * block_ + left) * block_ + right];
  }

  std::size_t between(std::size_t first, std::size_t last) const {
    std::size_t row = 0;
    while ((std::size_t{2} << row) <= last - first + 1) ++row;
    return shallower(sparse_[row][first], sparse_[row][last + 1 - (std::size_t{1} << row)]);
  }

  std::vector<std::size_t> first_visit_, nodes_, patterns_, answers_;
  std::vector<std::uint32_t> depths_;
  std::vector<std::vector<std::size_t>> sparse_;
  std::size_t block_ = 1;
};

}  // namespace warpseed::test
