/// What MPI programs of the benchmark share: who has what, and how rank 0 gets it for the verification.
#pragma once

#include <mpi.h>

#include <vector>

#include "initial.hpp"
#include "problem.hpp"

namespace ft {

/// From `first` on, `count` planes, rows or pieces.
struct Part {
  Index first, count;
};

/// Share `i` of n things in `parts` shares that differ by one at most.
constexpr Part part_of(Index n, Index i, Index parts) { return {n * i / parts, n * (i + 1) / parts - n * i / parts}; }

/// Draws U0's planes z of a part, one after the other.
inline void draw_planes(const Problem& p, const Part& z, Complex* planes) {
#pragma omp parallel for num_threads(p.threads) schedule(static)
  for (Index line = 0; line < p.ny * z.count; ++line) {
    draw_initial((z.first * p.ny + line) * p.nx, p.nx, planes + line * p.nx);
  }
}

/// What a rank has of an array: rows y of planes z, whole along x, a plane after the other, or a row of all planes
/// after the other.
struct Box {
  Part y, z;
  bool row_by_row = false;
};

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

/// Brings every rank's box into the whole array on rank 0.
inline void collect(const Problem& p, const Box& box, const Complex* own) {
  const Index mine[] = {box.y.first, box.y.count, box.z.first, box.z.count};
  std::vector<Index> boxes(static_cast<std::size_t>(4 * p.ranks));
  MPI_Gather(mine, 4, MPI_INT64_T, boxes.data(), 4, MPI_INT64_T, 0, MPI_COMM_WORLD);
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(2 * p.nx), MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  std::vector<MPI_Request> requests(1);
  MPI_Isend(own, static_cast<int>(box.y.count * box.z.count), row, 0, 0, MPI_COMM_WORLD, requests.data());
  const MPI_Aint row_bytes = static_cast<MPI_Aint>(sizeof(Complex)) * p.nx, plane_bytes = row_bytes * p.ny;
  for (int rank = 0; p.rank == 0 && rank < p.ranks; ++rank) {
    const Index* const theirs = &boxes[4 * static_cast<std::size_t>(rank)];
    const int rows = static_cast<int>(theirs[1]), planes = static_cast<int>(theirs[3]);
    MPI_Datatype inner = MPI_DATATYPE_NULL, whole = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(box.row_by_row ? planes : rows, 1, box.row_by_row ? plane_bytes : row_bytes, row, &inner);
    MPI_Type_create_hvector(box.row_by_row ? rows : planes, 1, box.row_by_row ? row_bytes : plane_bytes, inner, &whole);
    MPI_Type_commit(&whole);
    MPI_Irecv(p.field + (theirs[2] * p.ny + theirs[0]) * p.nx, 1, whole, rank, 0, MPI_COMM_WORLD,
              &requests.emplace_back());
    MPI_Type_free(&inner);
    MPI_Type_free(&whole);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  MPI_Type_free(&row);
}

}  // namespace ft
