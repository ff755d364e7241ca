/// Messages of numbers between ranks, for labs that write collectives from them.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace rooftop {

inline void send(const double* data, int count, int to) { MPI_Send(data, count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD); }

inline void receive(double* data, int count, int from) {
  MPI_Recv(data, count, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// Sends to one rank while it receives as many from that or from another.
inline void exchange(const double* out, int to, double* in, int from, int count) {
  MPI_Sendrecv(out, count, MPI_DOUBLE, to, 0, in, count, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// Brings the numbers of all ranks to the first.
inline void collect_on_first(const double* own, int count, double* all) {
  MPI_Gather(own, count, MPI_DOUBLE, all, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/// Writes one number of each cache line again, so that the lines are where those of data are that a program has just
/// computed: in this core's cache, changed. Without it every message but the first would come from lines that two
/// caches share, in half the time.
template <typename Number>
void as_just_written(Number* data, std::size_t count) {
  constexpr std::size_t line = 64 / sizeof(Number);
  volatile Number* lines = data;
  for (std::size_t i = 0; i < count; i += line) {
    const Number same = lines[i];
    lines[i] = same;
  }
}

}  // namespace rooftop
