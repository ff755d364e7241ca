/// Solves a body by the ranks of an MPI job for those who cannot be one themselves: `rooftop solve elasticity --ranks`.
/// Words: FOLDER PRECONDITIONER TOLERANCE ITERATIONS DEADLINE THREADS OVERLAP, and of a box NX NY NZ PARTSX PARTSY
/// PARTSZ. PRECONDITIONER and OVERLAP are numbers as in C; the deadline is in seconds since 1970, "inf" for none. PARTS
/// are those of the box in each direction, or three zeros: the ranks cut it.
///
/// FOLDER has arrays of the whole body, of which each rank takes its part: "load" (3 doubles for each node), "held" (3
/// bytes), "young" and "poisson" (a double, or one for each element), "displacement" (3 doubles for each node), which
/// is written to, and "coordinates" unless elements are cubes with edges of 1. A mesh has also "blocks"
/// (of each its kind and how many numbers of nodes it has, 64 bits), "elements" (these numbers, 64 bits) and "ranks"
/// (which has a node, 32 bits). The first rank prints lines of JSON: {"started": true} when a signal can be heard,
/// {"progress": [seconds, iterations, residual]} now and then, and {"result": ...} at the end. SIGUSR1 to the ranks
/// (launchers pass it on) ends the iteration. Exit code 2 and one line on standard error for what cannot be solved, 3
/// where memory is too small.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "solve_shared.hpp"

namespace {

namespace elasticity = rooftop::elasticity;

std::int32_t stopped = 0;

void stop(int) { __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED); }

using elasticity_by_ranks::rank_here;

void print(const elasticity::Result& result, const elasticity::Parts& parts) {
  std::printf(
      "{\"result\": {\"parts\": [%d, %d, %d], \"outcome\": %d, \"iterations\": %lld, \"setup_seconds\": %.9g, "
      "\"seconds\": %.9g, ",
      parts[0], parts[1], parts[2], static_cast<int>(result.outcome), static_cast<long long>(result.iterations),
      result.setup_seconds, result.seconds);
  std::printf("\"bytes\": %.17g, \"rounding\": %.9g, \"stretched\": %d, \"replaced\": %d, \"residual\": ", result.bytes,
              std::isfinite(result.rounding) ? result.rounding : 0.0, result.stretched ? 1 : 0,
              result.replaced ? 1 : 0);
  std::printf(std::isfinite(result.residual) ? "%.17g" : "null", result.residual);
  std::printf(", \"residuals\": [");
  for (std::size_t i = 0; i < result.residuals.size(); ++i) {
    std::printf(i > 0 ? ", %.9g" : "%.9g", std::isfinite(result.residuals[i]) ? result.residuals[i] : 1e308);
  }
  std::printf("]}}\n");
}

bool watch(const elasticity::Progress& progress) {
  if (rank_here() == 0) {
    std::printf("{\"progress\": [%.9g, %lld, %.9g]}\n", progress.seconds, static_cast<long long>(progress.iterations),
                std::isfinite(progress.residual) ? progress.residual : 1e308);
    std::fflush(stdout);
  }
  return true;
}

elasticity::OptionsByRanks options_of(char** words) {
  elasticity::OptionsByRanks options;
  options.preconditioner = static_cast<elasticity::Preconditioner>(std::atoi(words[2]));
  options.tolerance = std::atof(words[3]);
  options.iterations = std::atoll(words[4]);
  options.threads = std::atoi(words[6]);
  options.overlap = std::atoi(words[7]) != 0;
  options.stop = &stopped;
  options.watch = watch;
  return options;
}

constexpr int of_mesh = 8, of_box = 14;  // words

elasticity::Result solve_any(int count, char** words, elasticity::Parts& parts) {
  const std::string folder = words[1];
  const double deadline = std::atof(words[5]);
  if (count == of_mesh) return elasticity_by_ranks::solve_mesh(folder, options_of(words), deadline);
  elasticity_by_ranks::Counts nodes{};
  for (std::size_t d = 0; d < 3; ++d) {
    nodes[d] = std::atoll(words[of_mesh + d]);
    parts[d] = std::atoi(words[of_mesh + 3 + d]);
  }
  return elasticity_by_ranks::solve_box(folder, nodes, parts, options_of(words), deadline);
}

void solve(int count, char** words) {
  elasticity::Parts parts{};  // of a box
  const elasticity::Result result = solve_any(count, words, parts);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_here() == 0) print(result, parts);
}

}  // namespace

namespace elasticity_by_ranks {

double seconds_until(double deadline) {
  constexpr double least = 0.01;
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return std::max(least, deadline - now.count());
}

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

}  // namespace elasticity_by_ranks

int main(int count, char** words) {
  static_cast<void>(std::signal(SIGUSR1, stop));
  int provided = 0;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
  int status = 2;
  if (count != of_mesh && count != of_box) {
    if (rank_here() == 0) {
      std::fprintf(stderr,
                   "expected FOLDER PRECONDITIONER TOLERANCE ITERATIONS DEADLINE THREADS OVERLAP "
                   "[NX NY NZ PARTSX PARTSY PARTSZ]\n");
    }
    MPI_Finalize();
    return status;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_here() == 0) {
    std::printf("{\"started\": true}\n");
    std::fflush(stdout);
  }
  try {
    solve(count, words);
    status = 0;
  } catch (const elasticity::InvalidInput& error) {  // the same on every rank
    if (rank_here() == 0) std::fprintf(stderr, "%s\n", error.what());
  } catch (const std::bad_alloc&) {
    // Of the solver on every rank; of what is read perhaps on one alone, which the others would wait for.
    std::fprintf(stderr, "there is not enough memory\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", rank_here(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
