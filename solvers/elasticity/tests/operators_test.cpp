// The forms of a matrix, held against products made element by element.
#include "operators.hpp"

#include <gtest/gtest.h>

#include "box_under_tension.hpp"
#include "element_operator.hpp"

namespace rooftop::elasticity {
namespace {

using elasticity_test::Mesh;
using elasticity_test::Random;

constexpr double poisson = 0.3, young = 1.0;

AlignedBox aligned_box(const Grid& grid, bool graded) {
  AlignedBox box{grid, {}, material(young, poisson)};
  const std::array<std::int64_t, 3> counts{grid.nx, grid.ny, grid.nz};
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::int64_t i = 0; i < counts[d]; ++i) {
      const auto x = static_cast<double>(i);
      box.at[d].push_back(graded ? x * (1 + x / 8) : x);
    }
  }
  return box;
}

FreeBox free_box(const Grid& grid, Mesh mesh) {
  auto box = elasticity_test::box_under_tension({grid.nx, grid.ny, grid.nz}, mesh);
  const Material same = material(young, poisson);
  const auto count = static_cast<std::size_t>(grid.elements());
  return {grid, std::move(box.coordinates), std::vector<double>(count, same.lame),
          std::vector<double>(count, same.shear)};
}

/// Each element's matrix, and the nodes of its corners.
class Elements {
 public:
  explicit Elements(const FreeBox& box) {
    const Grid& grid = box.grid;
    for (std::int64_t e = 0; e < grid.elements(); ++e) {
      const std::int64_t i = e % (grid.nx - 1), j = e / (grid.nx - 1) % (grid.ny - 1),
                         k = e / (grid.nx - 1) / (grid.ny - 1);
      ElementsJob job{};
      One& one = all_.emplace_back();
      for (std::size_t a = 0; a < corners; ++a) {
        const auto corner = static_cast<std::int64_t>(a);
        one.node[a] = static_cast<std::size_t>(grid.node(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)));
        for (std::size_t c = 0; c < components; ++c) job.at[a][c].fill(box.coordinates[components * one.node[a] + c]);
      }
      job.lame.fill(box.lame[static_cast<std::size_t>(e)]);
      job.shear.fill(box.shear[static_cast<std::size_t>(e)]);
      ElementsResult result;
      integrate(job, result);
      for (std::size_t pair = 0; pair < corner_pairs; ++pair) {
        for (std::size_t v = 0; v < components * components; ++v) one.blocks[pair][v] = result.blocks[pair][v][0];
      }
    }
  }

  /// y = A x
  [[nodiscard]] std::vector<double> multiply(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (const One& one : all_) {
      std::size_t pair = 0;
      for (std::size_t a = 0; a < corners; ++a) {
        for (std::size_t b = a; b < corners; ++b, ++pair) {
          for (std::size_t v = 0; v < components * components; ++v) {
            const std::size_t row = components * one.node[a] + v / components;
            const std::size_t column = components * one.node[b] + v % components;
            y[row] += one.blocks[pair][v] * x[column];
            if (a != b) y[column] += one.blocks[pair][v] * x[row];
          }
        }
      }
    }
    return y;
  }

  /// Value (r, c) of a node's block of the diagonal.
  [[nodiscard]] double diagonal(std::size_t node, std::size_t r, std::size_t c) const {
    double sum = 0;
    for (const One& one : all_) {
      std::size_t pair = 0;
      for (std::size_t a = 0; a < corners; pair += corners - a, ++a) {
        if (one.node[a] == node) sum += one.blocks[pair][components * r + c];
      }
    }
    return sum;
  }

 private:
  struct One {
    std::array<std::size_t, corners> node;
    std::array<std::array<double, components * components>, corner_pairs> blocks;
  };
  std::vector<One> all_;
};

template <class T>
void expect_product(const Operator<T>& matrix, const Elements& elements, int threads, double tolerance) {
  const Grid& grid = matrix.grid();
  Random random;
  std::vector<double> x(static_cast<std::size_t>(components * grid.nodes()));
  for (double& value : x) value = random();
  const std::vector<double> expected = elements.multiply(x);
  double dot = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    dot += x[i] * expected[i];
    largest = std::max(largest, std::abs(expected[i]));
  }
  Field<T> in(grid, threads), out(grid, threads);
  for (int c = 0; c < components; ++c) {
    for (std::int64_t n = 0; n < grid.nodes(); ++n) {
      in[c][n] = static_cast<T>(x[static_cast<std::size_t>(components * n + c)]);
      out[c][n] = 1;
    }
  }
  for (const bool add : {false, true}) {
    EXPECT_NEAR(static_cast<double>(matrix.multiply(in, out, add ? -1 : 2, add)), dot, tolerance * std::abs(dot));
    for (int c = 0; c < components; ++c) {
      for (std::int64_t n = 0; n < grid.nodes(); ++n) {
        // First twice the product, then that less once.
        const double value = expected[static_cast<std::size_t>(components * n + c)] * (add ? 1 : 2);
        ASSERT_NEAR(static_cast<double>(out[c][n]), value, tolerance * largest) << "component " << c << " node " << n;
      }
    }
  }
  for (const std::int64_t node : {std::int64_t{0}, grid.nodes() / 2, grid.nodes() - 1}) {
    const auto diagonal = matrix.diagonal(node);
    constexpr std::array<std::array<std::size_t, 2>, diagonal_values> at{
        {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
    for (std::size_t v = 0; v < at.size(); ++v) {
      const double value = elements.diagonal(static_cast<std::size_t>(node), at[v][0], at[v][1]);
      EXPECT_NEAR(static_cast<double>(diagonal[v]), value, tolerance * largest);
    }
  }
}

constexpr std::array<Grid, 7> grids{
    {{2, 2, 2}, {3, 5, 2}, {9, 7, 8}, {17, 3, 11}, {5, 4, 23}, {230, 2, 3}, {200, 4, 3}}};

TEST(Tensor, MultipliesAsElementsDo) {
  for (const Grid& grid : grids) {
    for (const bool graded : {false, true}) {
      const Elements elements(free_box(grid, graded ? Mesh::graded : Mesh::cubes));
      for (const int threads : {1, 3}) {
        const AlignedBox box = aligned_box(grid, graded);
        expect_product(TensorOperator<double>(box, threads), elements, threads, 1e-13);
        expect_product(TensorOperator<float>(box, threads), elements, threads, 1e-5);
      }
    }
  }
}

TEST(Stencil, MultipliesAsElementsDo) {
  for (const Grid& grid : grids) {
    for (const Mesh mesh : {Mesh::cubes, Mesh::distorted}) {
      FreeBox box = free_box(grid, mesh);
      for (std::size_t e = 0; e < box.lame.size(); ++e) box.shear[e] *= 1 + static_cast<double>(e % 7);
      const Elements elements(box);
      for (const int threads : {1, 2, 5}) {
        const StencilOperator<double> matrix = assemble(box, threads, [] { return true; });
        expect_product(matrix, elements, threads, 1e-13);
        expect_product(StencilOperator<float>(matrix, threads), elements, threads, 1e-5);
        expect_product(StencilOperator<double, float>(matrix, threads), elements, threads, 1e-6);
      }
    }
  }
}

TEST(ElementOperator, MultipliesAsElementsDo) {
  for (const Grid& grid : grids) {
    for (const Mesh mesh : {Mesh::cubes, Mesh::distorted}) {
      FreeBox box = free_box(grid, mesh);
      for (const bool one_material : {true, false}) {
        for (std::size_t e = 0; !one_material && e < box.lame.size(); ++e) {
          box.lame[e] *= 1 + static_cast<double>(e % 3);
          box.shear[e] *= 1 + static_cast<double>(e % 7);
        }
        const Elements elements(box);
        for (const int threads : {1, 2, 5}) expect_product(ElementOperator(box, threads), elements, threads, 1e-13);
      }
    }
  }
}

// A motion of all nodes by one rotation strains nothing.
TEST(Stencil, RigidMotionNeedsNoForce) {
  const FreeBox box = free_box({6, 5, 9}, Mesh::distorted);
  const StencilOperator<double> matrix = assemble(box, 2, [] { return true; });
  Field<double> x(box.grid, 1), y(box.grid, 1);
  for (std::int64_t n = 0; n < box.grid.nodes(); ++n) {
    x[0][n] = 1 - box.coordinates[static_cast<std::size_t>(3 * n + 1)];
    x[1][n] = 2 + box.coordinates[static_cast<std::size_t>(3 * n)];
    x[2][n] = 3;
  }
  EXPECT_NEAR(matrix.multiply(x, y, 1, false), 0, 1e-11);
  for (int c = 0; c < components; ++c) {
    for (std::int64_t n = 0; n < box.grid.nodes(); ++n) EXPECT_NEAR(y[c][n], 0, 1e-12);
  }
}

}  // namespace
}  // namespace rooftop::elasticity
