/// Solves a problem on the ranks of an MPI job for those who cannot be one themselves: `rooftop solve tsp --ranks`.
/// Arguments: FILE DEADLINE ITERATIONS SEED THREADS OUT INITIAL; the deadline in seconds since 1970, iterations 0 for
/// as many as there is time for, the last two "" for none. The first rank alone reads the file and that of the INITIAL
/// tour, and writes the tour to OUT. It prints lines of JSON:
/// {"progress": [seconds, iterations, length]} as its own search goes on, and {"result": …} with everything at the end.
/// SIGUSR1 to the ranks (launchers pass it on) ends the search. Exit code 2 and one line on standard error for what is
/// no input.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "rooftop/routing_mpi.hpp"

namespace {

namespace routing = rooftop::routing;

std::int32_t stopped = 0;

void stop(int) { __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED); }

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// The file as the first rank has it, on every rank; throws InvalidInput there where it cannot be opened.
std::string file_of_first_rank(const char* path) {
  std::string text;
  if (rank_here() == 0) {
    std::ifstream file(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::int64_t size = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(size));
  constexpr std::int64_t most = 1 << 30;
  for (std::int64_t at = 0; at < size; at += most) {
    MPI_Bcast(text.data() + at, static_cast<int>(std::min(most, size - at)), MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  return text;
}

double seconds_left(double deadline) {
  constexpr double least = 0.01;
  double left = std::max(least, deadline - now());
  MPI_Bcast(&left, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return left;
}

void print(const routing::Progress& progress) {
  std::printf("[%.9g, %lld, %lld]", progress.seconds, static_cast<long long>(progress.iterations),
              static_cast<long long>(progress.length));
}

void print(const routing::Solution& solution) {
  std::printf("{\"result\": {\"length\": %lld, \"seconds\": %.9g, \"iterations\": %lld, \"history\": [",
              static_cast<long long>(solution.length), solution.seconds, static_cast<long long>(solution.iterations));
  for (std::size_t i = 0; i < solution.history.size(); ++i) {
    if (i > 0) std::printf(", ");
    print(solution.history[i]);
  }
  std::printf("], \"order\": [");
  for (std::size_t i = 0; i < solution.order.size(); ++i) std::printf(i > 0 ? ", %d" : "%d", solution.order[i]);
  std::printf("]}}\n");
}

bool watch(const routing::Progress& progress) {
  if (rank_here() == 0) {
    std::printf("{\"progress\": ");
    print(progress);
    std::printf("}\n");
    std::fflush(stdout);
  }
  return true;
}

void write(const routing::Solution& solution, const std::string& problem, const char* path) {
  const std::string name = (problem.empty() ? std::filesystem::path(path).stem().string() : problem) + ".tour";
  routing::write_tour_file(path, {name, "length " + std::to_string(solution.length), solution.order});
}

void search(char** arguments) {
  const std::string out = arguments[6], initial = arguments[7];
  std::istringstream text(file_of_first_rank(arguments[1]));
  const routing::Instance instance = routing::read_instance(text, arguments[1]);
  routing::Options options;
  options.iterations = std::atoll(arguments[3]);
  options.seed = std::strtoull(arguments[4], nullptr, 10);
  options.threads = std::atoi(arguments[5]);
  options.watch = watch;
  options.stop = &stopped;
  routing::Tour first;
  if (!initial.empty()) {
    std::istringstream order(file_of_first_rank(initial.c_str()));
    first = routing::read_tour(order, initial);
    options.initial = first.order;
  }
  options.seconds = seconds_left(std::atof(arguments[2]));
  const routing::Solution solution = routing::solve(instance, options, MPI_COMM_WORLD);
  if (rank_here() != 0) return;
  if (!out.empty()) write(solution, instance.name, out.c_str());
  print(solution);
}

}  // namespace

int main(int count, char** arguments) {
  constexpr int words = 8;
  static_cast<void>(std::signal(SIGUSR1, stop));
  int provided = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  int status = 2;
  if (count != words) {
    if (rank_here() == 0) std::fprintf(stderr, "expected FILE DEADLINE ITERATIONS SEED THREADS OUT INITIAL\n");
  } else {
    try {
      search(arguments);
      status = 0;
    } catch (const routing::InvalidInput& error) {  // the same on every rank, or after all that ranks do together
      if (rank_here() == 0) std::fprintf(stderr, "%s\n", error.what());
    }
  }
  MPI_Finalize();
  return status;
}
