/// A level of aggregation that ranks share: a rank has rows of its own nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "checked_mesh_part.hpp"
#include "communicator.hpp"
#include "node_exchange.hpp"
#include "stage.hpp"

namespace rooftop::elasticity {

/// Stands where Alone does for one process.
class SharedRows {
 public:
  /// `first`: so many rows need no copies, and are done while messages are under way.
  SharedRows(const MeshPart& part, std::int64_t first, NodeExchange& exchange)
      : part_(part), first_(first), exchange_(exchange) {}

  template <class Real, class Each>
  void for_rows(std::int64_t rows, int threads, std::vector<Real>& values, Each each) const {
    constexpr std::size_t of_node = components * sizeof(Real);
    exchange_.start(values.data(), of_node);
    elasticity::for_rows(Share{0, first_}, threads, each);
    exchange_.finish(values.data(), of_node);
    elasticity::for_rows(Share{first_, rows}, threads, each);
  }
  [[nodiscard]] double sum_of_all(double own) const { return exchange_.ranks().sum(own); }
  [[nodiscard]] std::int64_t number(std::int64_t row) const { return part_.numbers[static_cast<std::size_t>(row)]; }

 private:
  const MeshPart& part_;
  std::int64_t first_;
  NodeExchange& exchange_;
};

}  // namespace rooftop::elasticity
