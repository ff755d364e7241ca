#include "reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace elasticity {
namespace {

/// Other ranks wait while one verifies.
int threads_of(const Problem& problem) { return problem.threads * problem.ranks; }

/// Each thread sums up its part, in long doubles, which OpenMP's reductions cannot add up everywhere.
long double dot(const std::vector<double>& a, const std::vector<double>& b, int threads) {
  std::vector<long double> parts(static_cast<std::size_t>(threads));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (std::size_t part = 0; part < parts.size(); ++part) {
    long double sum = 0;
    for (std::size_t i = a.size() * part / parts.size(); i < a.size() * (part + 1) / parts.size(); ++i)
      sum += static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
    parts[part] = sum;
  }
  return std::accumulate(parts.begin(), parts.end(), 0.0L);
}

void apply_element(const Problem& problem, const Place& first, const double* x, double* result) {
  std::array<Index, values> where{};
  std::array<double, values> in{};
  std::size_t value = 0;
  for (int a = 0; a < corners; ++a) {
    const Place place{first.i + (a & 1), first.j + (a >> 1 & 1), first.k + (a >> 2)};
    const Index node = problem.mesh.node(place.i, place.j, place.k);
    for (int c = 0; c < components; ++c, ++value) {
      where[value] = held(place, c) ? -1 : components * node + c;
      in[value] = where[value] < 0 ? 0 : x[where[value]];
    }
  }
  for (std::size_t row = 0; row < values; ++row) {
    if (where[row] < 0) continue;
    double sum = 0;
    for (std::size_t column = 0; column < values; ++column)
      sum += problem.stiffness[row * values + column] * in[column];
    result[where[row]] += sum;
  }
}

}  // namespace

void apply(const Problem& problem, const double* x, double* result) {
  const Mesh& mesh = problem.mesh;
  const Index plane = components * mesh.nx * mesh.ny;
  [[maybe_unused]] const int threads = threads_of(problem);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index k = 0; k < mesh.nz; ++k) std::fill_n(result + plane * k, plane, 0.0);
  // Layers of even k on all threads, then those of odd k: no two threads add to one node. A load on one plane reaches
  // one plane further with each step, and layers that it has not reached add nothing.
  for (const Index parity : {0, 1}) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (Index k = parity; k < mesh.nz - 1; k += 2) {
      if (std::all_of(x + plane * k, x + plane * (k + 2), [](double value) { return value == 0; })) continue;
      for (Index j = 0; j + 1 < mesh.ny; ++j) {
        for (Index i = 0; i + 1 < mesh.nx; ++i) apply_element(problem, {i, j, k}, x, result);
      }
    }
  }
}

Steps reference(const Problem& problem) {
  const auto size = static_cast<std::size_t>(components * problem.mesh.nodes());
  std::vector<double> residual(problem.load, problem.load + size), direction = residual, product(size);
  [[maybe_unused]] const int threads = threads_of(problem);
  Steps steps{std::vector<double>(size), {1}};
  const long double loaded = dot(residual, residual, threads);
  long double squares = loaded;
  for (int step = 0; step < problem.iterations; ++step) {
    apply(problem, direction.data(), product.data());
    const auto alpha = static_cast<double>(squares / dot(direction, product, threads));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < size; ++i) {
      steps.displacement[i] += alpha * direction[i];
      residual[i] -= alpha * product[i];
    }
    const long double before = squares;
    squares = dot(residual, residual, threads);
    const auto beta = static_cast<double>(squares / before);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < size; ++i) direction[i] = residual[i] + beta * direction[i];
    steps.residuals.push_back(static_cast<double>(std::sqrt(squares / loaded)));
  }
  return steps;
}

}  // namespace elasticity
