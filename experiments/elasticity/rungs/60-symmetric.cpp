/// Only the diagonal and the blocks above it are kept; each serves its own row and, transposed, that of its column.
/// Changed from 40-merged-sweeps: half of the matrix. What a thread adds to rows of the next one goes to a buffer,
/// which that thread adds when all are done: rows ahead by a plane, a row and a node at most. Limit attacked: the bytes
/// of the matrix, 86 % of all that is moved. Evidence: at the memory's limit nearly half of the time; twice the core's
/// work for each byte. Source: Lee, Vuduc, Demmel and Yelick, Performance models for evaluation and automatic tuning of
/// symmetric sparse matrix-vector multiply, ICPP 2004.
#include <array>
#include <cstdint>

#include "merged_sweeps.hpp"

namespace {

using elasticity::block_values;
using elasticity::components;
using elasticity::Index;
using elasticity::Part;
using elasticity::Place;

/// Nodes from one to its last neighbour.
Index reach(const elasticity::Mesh& mesh) { return mesh.nx * mesh.ny + mesh.nx + 1; }

class Symmetric : public elasticity::MergedSweeps {
 public:
  explicit Symmetric(const elasticity::Problem& problem)
      : MergedSweeps(problem, 1), start_(static_cast<std::size_t>(problem.mesh.nodes() + 1)) {
    const auto& mesh = problem.mesh;
    Index block = 0;
    for (Index node = 0; node < mesh.nodes(); ++node) {
      start_[static_cast<std::size_t>(node)] = block;
      elasticity::for_neighbours(mesh, elasticity::place_of(mesh, node),
                                 [&](const Place&, Index neighbour) { block += neighbour >= node ? 1 : 0; });
    }
    start_[static_cast<std::size_t>(mesh.nodes())] = block;
    column_ = rooftop::AlignedArray<std::int32_t>(static_cast<std::size_t>(block));
    value_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(block_values * block));
    ahead_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(components * reach(mesh) * problem.threads));
  }

 private:
  void fill(const Part& part) override {
    for (Index node = part.begin; node < part.end; ++node) {
      const Place row = elasticity::place_of(problem().mesh, node);
      Index block = start_.data()[node];
      elasticity::for_neighbours(problem().mesh, row, [&](const Place& place, Index neighbour) {
        if (neighbour < node) return;
        column_.data()[block] = static_cast<std::int32_t>(neighbour);
        elasticity::fill_block(problem(), row, place, value_.data() + block_values * block);
        ++block;
      });
    }
  }

  double multiply(const Part& part, const double* x, double* y) override {
    const Index most = components * reach(problem().mesh);
    double* ahead = ahead_.data() + most * part.thread;
    std::fill_n(ahead, most, 0.0);
    std::fill_n(y + components * part.begin, components * (part.end - part.begin), 0.0);
    for (Index node = part.begin; node < part.end; ++node) {
      const Index first = start_.data()[node];
      const double* in = x + components * node;
      const double x0 = in[0], x1 = in[1], x2 = in[2];
      const double* a = value_.data() + block_values * first;
      double sum0 = a[0] * x0 + a[1] * x1 + a[2] * x2;
      double sum1 = a[3] * x0 + a[4] * x1 + a[5] * x2;
      double sum2 = a[6] * x0 + a[7] * x1 + a[8] * x2;
      for (Index block = first + 1; block < start_.data()[node + 1]; ++block) {
        a = value_.data() + block_values * block;
        const Index column = column_.data()[block];
        const double* other = x + components * column;
        double* out = column < part.end ? y + components * column : ahead + components * (column - part.end);
        sum0 += a[0] * other[0] + a[1] * other[1] + a[2] * other[2];
        sum1 += a[3] * other[0] + a[4] * other[1] + a[5] * other[2];
        sum2 += a[6] * other[0] + a[7] * other[1] + a[8] * other[2];
        out[0] += a[0] * x0 + a[3] * x1 + a[6] * x2;
        out[1] += a[1] * x0 + a[4] * x1 + a[7] * x2;
        out[2] += a[2] * x0 + a[5] * x1 + a[8] * x2;
      }
      double* own = y + components * node;
      own[0] += sum0, own[1] += sum1, own[2] += sum2;
    }
#pragma omp barrier
    add_from_before(part, y);
    double sum = 0;
    for (Index i = components * part.begin; i < components * part.end; ++i) sum += x[i] * y[i];
    return sum;
  }

  /// Adds what threads before have for rows of this part. A part may be smaller than the reach.
  void add_from_before(const Part& part, double* y) {
    const Index team = omp_get_num_threads();
    for (Index thread = 0; thread < part.thread; ++thread) {
      const Index begin = part_of(thread, team).end;
      const Index end = std::min(begin + reach(problem().mesh), part.end);
      const double* ahead = ahead_.data() + components * reach(problem().mesh) * thread;
      for (Index i = components * std::max(begin, part.begin); i < components * end; ++i) {
        y[i] += ahead[i - components * begin];
      }
    }
  }

  [[nodiscard]] double matrix_bytes() const override {
    return static_cast<double>(start_.size() * sizeof(Index) + column_.size() * sizeof(std::int32_t) +
                               value_.size() * sizeof(double));
  }
  [[nodiscard]] double vectors_moved_besides() const override {
    return 2;
  }  // y is read again, and x, for their product

  rooftop::AlignedArray<Index> start_;
  rooftop::AlignedArray<std::int32_t> column_;
  rooftop::AlignedArray<double> value_;
  rooftop::AlignedArray<double> ahead_;  // a part for each thread
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Symmetric);
