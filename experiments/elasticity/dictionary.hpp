/// The matrix of a uniform mesh: 27 kinds of rows, by where a node lies in each direction: first, between, or last.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "merged_sweeps.hpp"

namespace elasticity {

/// This rung uses that all elements are the same.
///
/// Nodes between are taken eight at a time, as 24 values one behind the other. Value m of a row of nodes gets something
/// from the values m - 5 to m + 5 of nine such rows, with factors that depend on m mod 3 only: no value has to be moved
/// to another lane. Two of the 11 factors are zero.
template <int lanes>
class Dictionary : public MergedSweeps {
 public:
  explicit Dictionary(const Problem& problem) : MergedSweeps(problem, 1), blocks_(kinds * 27 * block_values, 0.0) {
    const Mesh& mesh = problem.mesh;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const auto at = [&](std::size_t which, Index n) { return which == 0 ? 0 : which == 1 ? n - 2 : n - 1; };
      const Place row{at(kind % 3, mesh.nx), at(kind / 3 % 3, mesh.ny), at(kind / 9, mesh.nz)};
      for_neighbours(mesh, row, [&](const Place& place, Index) {
        const Index offset = (place.i - row.i + 1) + 3 * (place.j - row.j + 1) + 9 * (place.k - row.k + 1);
        fill_block(problem, row, place, block(kind, static_cast<std::size_t>(offset)));
      });
    }
    for (std::size_t kind = 0; kind < kinds / 3; ++kind) spread(kind);
  }

 private:
  static constexpr std::size_t kinds = 27;
  static constexpr int width = 8 * components;     // values that are computed at once
  static constexpr int shifts = 11;                // of values in a row of nodes
  static constexpr std::size_t rows_of_nodes = 9;  // that a node has neighbours in
  using Factors = std::array<std::array<double, width>, shifts>;
  using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;  // of both compilers
  using Between = std::array<Factors, rows_of_nodes>;

  void fill(const Part&) override {}

  double multiply(const Part& part, const double* x, double* y) override {
    const Mesh& mesh = problem().mesh;
    double sum = 0;
    for (Index begin = part.begin; begin < part.end;) {
      const Place first = place_of(mesh, begin);
      const Index end = std::min(begin + mesh.nx - first.i, part.end);  // of this row of nodes
      Index node = begin;
      if (first.i == 0) one(first, node++, x, y);
      const Index between = std::min(end, begin - first.i + mesh.nx - 1);
      const Between& factors = between_[kind_of(first.j, mesh.ny) + 3 * kind_of(first.k, mesh.nz)];
      if (node + 8 <= between) {
        for (; node + 8 <= between; node += 8) eight(factors, first, node, x, y);
        if (node < between) eight(factors, first, between - 8, x, y);  // some of them once more
        node = between;
      }
      for (; node < end; ++node) one({first.i + node - begin, first.j, first.k}, node, x, y);
      for (Index i = components * begin; i < components * end; ++i) sum += x[i] * y[i];
      begin = end;
    }
    return sum;
  }

  static std::size_t kind_of(Index i, Index n) { return i == 0 ? 0 : i == n - 1 ? 2 : 1; }

  [[nodiscard]] double* block(std::size_t kind, std::size_t offset) {
    return blocks_.data() + (kind * 27 + offset) * block_values;
  }

  /// Lays the blocks of a kind of row of nodes out for eight nodes between.
  void spread(std::size_t kind) {
    for (std::size_t row = 0; row < rows_of_nodes; ++row) {
      for (int value = 0; value < width; ++value) {
        const int r = value % components;
        for (int other = 0; other < 3 * components; ++other) {  // of three neighbours in a row of nodes
          const double* a = block(1 + 3 * kind, 3 * row + static_cast<std::size_t>(other / components));
          const int shift = other - components - r + shifts / 2;
          between_[kind][row][static_cast<std::size_t>(shift)][static_cast<std::size_t>(value)] =
              a[components * r + other % components];
        }
      }
    }
  }

  /// The neighbouring rows of nodes that are there, as visit(which, how many nodes away).
  template <class Visit>
  void for_rows(const Place& at, Visit visit) const {
    const Mesh& mesh = problem().mesh;
    for (Index dk = at.k == 0 ? 0 : -1; dk <= (at.k == mesh.nz - 1 ? 0 : 1); ++dk) {
      for (Index dj = at.j == 0 ? 0 : -1; dj <= (at.j == mesh.ny - 1 ? 0 : 1); ++dj) {
        visit(static_cast<std::size_t>(3 * (dk + 1) + dj + 1), (dk * mesh.ny + dj) * mesh.nx);
      }
    }
  }

  void eight(const Between& factors, const Place& at, Index node, const double* x, double* y) const {
    Lanes sum[width / lanes] = {};
    for_rows(at, [&](std::size_t row, Index away) {
      const double* in = x + components * (node + away) - shifts / 2;
      for (int shift = 0; shift < shifts; ++shift) {
        const double* factor = factors[row][static_cast<std::size_t>(shift)].data();
        for (int n = 0; n < width / lanes; ++n) sum[n] += load(factor + n * lanes) * load(in + shift + n * lanes);
      }
    });
    std::memcpy(y + components * node, sum, sizeof(sum));
  }

  static Lanes load(const double* from) {
    Lanes loaded;
    std::memcpy(&loaded, from, sizeof(loaded));
    return loaded;
  }

  void one(const Place& at, Index node, const double* x, double* y) {
    const Mesh& mesh = problem().mesh;
    const std::size_t kind = kind_of(at.i, mesh.nx) + 3 * (kind_of(at.j, mesh.ny) + 3 * kind_of(at.k, mesh.nz));
    double* out = y + components * node;
    out[0] = out[1] = out[2] = 0;
    for_rows(at, [&](std::size_t row, Index away) {
      for (Index di = at.i == 0 ? 0 : -1; di <= (at.i == mesh.nx - 1 ? 0 : 1); ++di) {
        const double* a = block(kind, 3 * row + static_cast<std::size_t>(di + 1));
        const double* in = x + components * (node + away + di);
        for (int r = 0; r < components; ++r) {
          for (int c = 0; c < components; ++c) out[r] += a[components * r + c] * in[c];
        }
      }
    });
  }

  [[nodiscard]] double matrix_bytes() const override {
    return sizeof(Between);
  }  // that of inner rows; the others are few
  [[nodiscard]] double matrix_flops() const override {
    return 2.0 * rows_of_nodes * shifts * components * static_cast<double>(problem().mesh.nodes());
  }

  std::vector<double> blocks_;                // 27 for each kind of row
  std::array<Between, kinds / 3> between_{};  // by a node's place in y and z
};

}  // namespace elasticity
