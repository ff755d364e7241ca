/// The FT benchmark of the NAS Parallel Benchmarks: a diffusion equation solved by 3-D fast Fourier transforms.
#pragma once

#include <cstdint>

#include "timeline.hpp"

namespace ft {

using Index = std::int64_t;

struct Complex {
  double re, im;
};

struct Digest;

/// How an MPI program that can choose exchanges values between ranks.
struct Exchange {
  bool messages = false;  ///< also between ranks of one node
  bool pipelined = true;  ///< works on two iterations at a time, where ranks are on several nodes
  int pieces = 0;         ///< that an exchange is cut into, to go on computing meanwhile; 0: as the program likes
};

/// U0 is random (initial.hpp), and U1 its forward transform. Iteration t = 1, 2, … multiplies U1's mode (i, j, k) by
/// exp(-4 alpha pi^2 (ī^2 + j̄^2 + k̄^2) t), transforms back without dividing, and sums 1024 values over nx ny nz:
/// checksum t. ī is i, or i - nx from nx / 2 on. All of it is timed, as NPB does.
///
/// No iterations: the forward transform alone, in place and not divided. U0 lies in `field` before the first run, and a
/// run transforms what it finds there.
///
/// Where ranks hold it together, a rung has each rank's share in memory of its own, and hands over in finish() what the
/// verification looks at; only rank 0 fills in the checksums. For the transform alone it draws its share of U0 by
/// itself in the first run after each change of `draws`.
struct Problem {
  Index nx, ny, nz;  ///< x varies fastest in memory
  int iterations;
  int threads;         ///< of each rank
  Complex* field;      ///< nx*ny*nz, 64-byte aligned: what the last iteration transformed back; of one process
  Complex* checksums;  ///< one for each iteration
  int rank = 0, ranks = 1;
  std::uint64_t draws = 0;       ///< how often poison() has been called
  Exchange exchange = {};        ///< what a user has asked for
  Timeline* timeline = nullptr;  ///< to be told what this rank does when
  Digest* digest = nullptr;      ///< of the field that ranks hold together, to be handed over on rank 0

  [[nodiscard]] Index size() const { return nx * ny * nz; }
  [[nodiscard]] bool transform_only() const { return iterations == 0; }
};

inline constexpr double alpha = 1e-6;
inline constexpr Index checksum_points = 1024;

/// A mode's signed wave number: 0, 1, …, n/2 - 1, -n/2, …, -1.
constexpr Index wave_number(Index i, Index n) { return i < (n + 1) / 2 ? i : i - n; }

}  // namespace ft
