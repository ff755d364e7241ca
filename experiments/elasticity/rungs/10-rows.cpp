/// The matrix as the lecture's program keeps it: diagonal blocks, lower blocks and upper blocks, each with its index.
/// Limit attacked: none; this is the program as it is written down, on one thread.
/// Evidence: time is that of reading the matrix once an iteration, and more where its three parts are not streamed
/// well. Source: the lecture that the README names; its arrays D, AL and AU.
#include <cstdint>
#include <vector>

#include "conjugate_gradients.hpp"

namespace {

using elasticity::block_values;
using elasticity::components;
using elasticity::Index;

/// Blocks on one side of the diagonal, by rows.
struct Side {
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;

  [[nodiscard]] double bytes() const {
    return static_cast<double>(start.size() * sizeof(start[0]) + column.size() * sizeof(column[0]) +
                               value.size() * sizeof(double));
  }
};

void add_product(const double* a, const double* x, double* y) {
  for (int r = 0; r < components; ++r) {
    for (int c = 0; c < components; ++c) y[r] += a[components * r + c] * x[c];
  }
}

class Rows : public elasticity::ConjugateGradients {
 public:
  explicit Rows(const elasticity::Problem& problem) : ConjugateGradients(problem, 1) {
    const auto nodes = static_cast<std::size_t>(problem.mesh.nodes());
    const std::size_t blocks = (static_cast<std::size_t>(block_count(problem.mesh)) - nodes) / 2;
    diagonal_.reserve(block_values * nodes);
    for (Side* side : {&lower_, &upper_}) {
      side->start.reserve(nodes + 1);
      side->column.reserve(blocks);
      side->value.reserve(block_values * blocks);
    }
    for (Index node = 0; node < problem.mesh.nodes(); ++node) {
      const auto row = elasticity::place_of(problem.mesh, node);
      elasticity::for_neighbours(problem.mesh, row, [&](const elasticity::Place& place, Index neighbour) {
        auto& values = neighbour == node ? diagonal_ : (neighbour < node ? lower_ : upper_).value;
        values.resize(values.size() + block_values);
        elasticity::fill_block(problem, row, place, &values[values.size() - block_values]);
        if (neighbour != node)
          (neighbour < node ? lower_ : upper_).column.push_back(static_cast<std::int32_t>(neighbour));
      });
      for (Side* side : {&lower_, &upper_}) side->start.push_back(static_cast<std::int64_t>(side->column.size()));
    }
  }

 private:
  void multiply(const double* x, double* y) override {
    for (Index node = 0; node < problem().mesh.nodes(); ++node) {
      double* out = y + components * node;
      out[0] = out[1] = out[2] = 0;
      add_product(diagonal_.data() + block_values * node, x + components * node, out);
      for (const Side* side : {&lower_, &upper_}) {
        for (std::int64_t block = side->start.data()[node]; block < side->start.data()[node + 1]; ++block) {
          add_product(side->value.data() + block_values * block,
                      x + std::int64_t{components} * side->column.data()[block], out);
        }
      }
    }
  }

  [[nodiscard]] double matrix_bytes() const override {
    return lower_.bytes() + upper_.bytes() + static_cast<double>(diagonal_.size() * sizeof(double));
  }

  std::vector<double> diagonal_;
  Side lower_, upper_;
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Rows);
