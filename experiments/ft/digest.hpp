/// What the verification looks at in a field: a few numbers, which those of its parts add up to. Ranks that hold a
/// field together hand these over, and none has to have it all.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "box.hpp"
#include "sampling.hpp"

namespace ft {

struct Digest {
  /// A value at one of the sampled places, and how many boxes had it.
  struct Sample {
    Complex value{0, 0};
    double times = 0;
  };
  /// Over all values that were looked at: how many, their sum weighed as Sampling has it, their squares' sum, and the
  /// sum of those that a checksum counts, as often as it does. Not divided by the size of the grid.
  struct Sums {
    double values = 0, squares = 0;
    Complex weighed{0, 0}, checksum{0, 0};
  };
  /// The first value that is infinite or not a number, and its index in the whole field; infinity where there is none.
  struct NotFinite {
    double index = std::numeric_limits<double>::infinity();
    Complex value{0, 0};
  };

  std::vector<Sample> samples;  ///< in the order of Sampling::for_each; empty where nothing has been looked at
  Sums sums;
  NotFinite not_finite;

  [[nodiscard]] bool empty() const { return samples.empty(); }
};

inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }

namespace digested {

inline void add_lines(const Problem& p, const Sampling& s, const Box& box, const Complex* values, Digest& to) {
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  double squares = 0, re = 0, im = 0;
  const Index none = p.size();
  Index first = none;
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : squares, re, im) reduction(min : first)
  for (Index i = 0; i < box.y.count * box.z.count; ++i) {
    const Index y = box.y.first + i % box.y.count, z = box.z.first + i / box.y.count;
    const Complex* const line = values + p.nx * box.line(y, z);
    double of_line = 0;
    Complex weighed{0, 0};
    for (Index x = 0; x < p.nx; ++x) {
      const double weight = s.weight_x[at(x)];
      of_line += line[x].re * line[x].re + line[x].im * line[x].im;
      weighed = {weighed.re + weight * line[x].re, weighed.im + weight * line[x].im};
    }
    const double weight = s.weight_y[at(y)] * s.weight_z[at(z)];
    squares += of_line, re += weight * weighed.re, im += weight * weighed.im;
    if (std::isfinite(weighed.re) && std::isfinite(weighed.im)) continue;
    for (Index x = 0; x < p.nx; ++x) {
      if (!std::isfinite(line[x].re) || !std::isfinite(line[x].im)) first = std::min(first, (z * p.ny + y) * p.nx + x);
    }
  }
  to.sums.values = static_cast<double>(p.nx * box.y.count * box.z.count);
  to.sums.squares = squares;
  to.sums.weighed = {re, im};
  if (first == none) return;
  const Index line = first / p.nx;
  to.not_finite = {static_cast<double>(first), values[p.nx * box.line(line % p.ny, line / p.ny) + first % p.nx]};
}

}  // namespace digested

/// Looks at a box of the field.
inline Digest digest_of(const Problem& p, const Sampling& s, const Box& box, const Complex* values) {
  Digest found;
  digested::add_lines(p, s, box, values, found);
  const auto value_at = [&](Index x, Index y, Index z) { return values[p.nx * box.line(y, z) + x]; };
  s.for_each([&](Index x, Index y, Index z, std::size_t /*reference*/) {
    const bool here = box.has(y, z);
    found.samples.push_back(here ? Digest::Sample{value_at(x, y, z), 1} : Digest::Sample{});
  });
  for (Index j = 1; j <= checksum_points; ++j) {
    const Index y = 3 * j % p.ny, z = 5 * j % p.nz;
    if (box.has(y, z)) found.sums.checksum = found.sums.checksum + value_at(j % p.nx, y, z);
  }
  return found;
}

/// Adds what was seen of another part of the same field.
inline void add(const Digest& part, Digest& to) {
  if (part.empty()) return;
  to.samples.resize(part.samples.size());
  for (std::size_t i = 0; i < part.samples.size(); ++i) {
    to.samples[i] = {to.samples[i].value + part.samples[i].value, to.samples[i].times + part.samples[i].times};
  }
  to.sums = {to.sums.values + part.sums.values, to.sums.squares + part.sums.squares,
             to.sums.weighed + part.sums.weighed, to.sums.checksum + part.sums.checksum};
  if (part.not_finite.index < to.not_finite.index) to.not_finite = part.not_finite;
}

}  // namespace ft
