/// Arrays with a value for each node, whatever that is, at copies of other ranks' nodes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "communicator.hpp"
#include "neighbours.hpp"

namespace rooftop::elasticity {

/// Copies values from the ranks that have the nodes, one array at a time.
class NodeExchange {
 public:
  /// `most_bytes`: of a node's value.
  NodeExchange(const std::vector<Neighbour>& neighbours, std::size_t most_bytes, const Communicator& ranks);

  /// Sends this rank's values on their way, `each` bytes for a node.
  void start(const void* values, std::size_t each);
  /// Waits for the others' values, and puts them into the array.
  void finish(void* values, std::size_t each);

  template <class Value>
  void fetch(std::vector<Value>& values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    start(values.data(), sizeof(Value));
    finish(values.data(), sizeof(Value));
  }

  [[nodiscard]] const std::vector<Neighbour>& neighbours() const { return neighbours_; }
  [[nodiscard]] const Communicator& ranks() const { return ranks_; }

 private:
  const Communicator& ranks_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::vector<std::byte>> sending_, receiving_;
  std::vector<MPI_Request> requests_;
};

}  // namespace rooftop::elasticity
