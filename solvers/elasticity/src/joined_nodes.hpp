/// Which nodes of a mesh hang together.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace rooftop::elasticity {

/// Parts of a mesh: nodes that were joined, such as those of an element, are in one.
class JoinedNodes {
 public:
  explicit JoinedNodes(std::size_t nodes) : above_(nodes) { std::iota(above_.begin(), above_.end(), std::size_t{0}); }

  /// The part of a node, by one of its nodes.
  std::size_t of(std::size_t node) {
    while (above_[node] != node) node = above_[node] = above_[above_[node]];
    return node;
  }
  void join(std::size_t one, std::size_t other) { above_[of(one)] = of(other); }

 private:
  std::vector<std::size_t> above_;
};

}  // namespace rooftop::elasticity
