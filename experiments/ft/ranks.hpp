/// What MPI programs of the benchmark share: who has what, and how rank 0 gets what the verification looks at.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "box.hpp"
#include "digest.hpp"
#include "initial.hpp"
#include "problem.hpp"

namespace ft {

/// Draws U0's planes z of a part, one after the other.
inline void draw_planes(const Problem& p, const Part& z, Complex* planes) {
#pragma omp parallel for num_threads(p.threads) schedule(static)
  for (Index line = 0; line < p.ny * z.count; ++line) {
    draw_initial((z.first * p.ny + line) * p.nx, p.nx, planes + line * p.nx);
  }
}

/// What a rank's box of the field, a plane after the other, adds to a checksum.
inline Complex part_of_checksum(const Problem& p, const Box& box, const Complex* values) {
  Complex own{0, 0};
  for (Index j = 1; j <= checksum_points; ++j) {
    const Index plane = 5 * j % p.nz - box.z.first, row = 3 * j % p.ny - box.y.first;
    if (plane < 0 || plane >= box.z.count || row < 0 || row >= box.y.count) continue;
    const Complex value = values[(plane * box.y.count + row) * p.nx + j % p.nx];
    own = {own.re + value.re, own.im + value.im};
  }
  const auto n = static_cast<double>(p.size());
  return {own.re / n, own.im / n};
}

/// Adds up what every rank has in `count` checksums from the first one given on; rank 0 has the sums.
inline void add_checksums(const Problem& p, Complex* first, int count) {
  MPI_Reduce(p.rank == 0 ? MPI_IN_PLACE : first, first, 2 * count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

/// Sets checksum t on rank 0 from what each rank has of the field.
inline void sum_box(const Problem& p, int t, const Box& box, const Complex* values) {
  p.checksums[t - 1] = part_of_checksum(p, box, values);
  add_checksums(p, &p.checksums[t - 1], 1);
}
/// The same from planes.
inline void sum_planes(const Problem& p, int t, const Part& z, const Complex* planes) {
  sum_box(p, t, {{0, p.ny}, z}, planes);
}

/// Hands over to the verification on rank 0 what it looks at in every rank's box.
inline void hand_over(const Problem& p, const Box& box, const Complex* own) {
  const Digest mine = digest_of(p, Sampling(p), box, own);
  const std::size_t ranks = p.rank == 0 ? static_cast<std::size_t>(p.ranks) : 0, samples = mine.samples.size();
  std::vector<Digest::Sample> seen(ranks * samples);
  std::vector<Digest::Sums> sums(ranks);
  std::vector<Digest::NotFinite> not_finite(ranks);
  const auto gather = [](const void* from, std::size_t bytes, void* to) {
    const int count = static_cast<int>(bytes);
    MPI_Gather(from, count, MPI_BYTE, to, count, MPI_BYTE, 0, MPI_COMM_WORLD);
  };
  gather(mine.samples.data(), samples * sizeof(Digest::Sample), seen.data());
  gather(&mine.sums, sizeof mine.sums, sums.data());
  gather(&mine.not_finite, sizeof mine.not_finite, not_finite.data());
  if (p.rank != 0) return;
  Digest all;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto first = seen.begin() + static_cast<std::ptrdiff_t>(rank * samples);
    add({{first, first + static_cast<std::ptrdiff_t>(samples)}, sums[rank], not_finite[rank]}, all);
  }
  *p.digest = all;
}

}  // namespace ft
