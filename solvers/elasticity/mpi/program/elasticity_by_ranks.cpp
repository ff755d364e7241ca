/// Solves a box by the ranks of an MPI job for those who cannot be one themselves: `rooftop solve elasticity --ranks`.
/// Words: FOLDER NX NY NZ PARTSX PARTSY PARTSZ PRECONDITIONER TOLERANCE ITERATIONS DEADLINE THREADS OVERLAP.
/// PARTS are those of the box in each direction, or three zeros: the ranks cut it. PRECONDITIONER and OVERLAP are
/// numbers as in C; the deadline is in seconds since 1970, "inf" for none.
///
/// FOLDER has arrays of the whole box, of which each rank reads its part: "load" (3 doubles for each node), "held" (3
/// bytes), "young" and "poisson" (a double, or one for each element), "displacement" (3 doubles for each node), and
/// "coordinates" unless elements are cubes with edges of 1. "displacement" is written to. The first rank prints lines
/// of JSON: {"started": true} when a signal can be heard, {"progress": [seconds, iterations, residual]} now and then,
/// and
/// {"result": ...} at the end. SIGUSR1 to the ranks (launchers pass it on) ends the iteration. Exit code 2 and one line
/// on standard error for what cannot be solved, 3 where memory is too small.
#include <fcntl.h>
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

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
#include <system_error>
#include <vector>

#include "rooftop/elasticity_mpi.hpp"

namespace {

namespace elasticity = rooftop::elasticity;
using Counts = std::array<std::int64_t, 3>;

std::int32_t stopped = 0;

void stop(int) { __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED); }

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// A file, closed with this object. Throws std::system_error.
class File {
 public:
  File(const std::string& path, int flags) : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC)) {
    if (number_ < 0) fail();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(number_); }

  [[nodiscard]] std::int64_t size() const {
    struct stat found {};
    if (::fstat(number_, &found) != 0) fail();
    return found.st_size;
  }
  void read(void* to, std::size_t bytes, std::int64_t at) const {
    each(bytes, at, [&](std::size_t done, std::size_t left, std::int64_t where) {
      return ::pread(number_, static_cast<char*>(to) + done, left, where);
    });
  }
  void write(const void* from, std::size_t bytes, std::int64_t at) const {
    each(bytes, at, [&](std::size_t done, std::size_t left, std::int64_t where) {
      return ::pwrite(number_, static_cast<const char*>(from) + done, left, where);
    });
  }

 private:
  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), path_); }
  template <class Move>
  void each(std::size_t bytes, std::int64_t at, Move move) const {
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t moved = move(done, bytes - done, at + static_cast<std::int64_t>(done));
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) fail();
      done += static_cast<std::size_t>(moved);
    }
  }

  std::string path_;
  int number_;
};

/// Lines of a part in an array of the whole box: visit(position in bytes, number of the line among the part's).
template <class Visit>
void for_lines(const Counts& whole, const Counts& first, const Counts& own, std::int64_t bytes, Visit visit) {
  std::int64_t line = 0;
  for (std::int64_t k = first[2]; k < first[2] + own[2]; ++k) {
    for (std::int64_t j = first[1]; j < first[1] + own[1]; ++j) {
      visit(bytes * ((k * whole[1] + j) * whole[0] + first[0]), line++);
    }
  }
}

template <class Value>
std::vector<Value> read_part(const std::string& path, const Counts& whole, const Counts& first, const Counts& own,
                             std::int64_t each) {
  const File file(path, O_RDONLY);
  const std::int64_t values = each * own[0], bytes = each * static_cast<std::int64_t>(sizeof(Value));
  std::vector<Value> result(static_cast<std::size_t>(values * own[1] * own[2]));
  for_lines(whole, first, own, bytes, [&](std::int64_t at, std::int64_t line) {
    file.read(result.data() + line * values, static_cast<std::size_t>(values) * sizeof(Value), at);
  });
  return result;
}

/// One value, or one for each element.
std::vector<double> read_material(const std::string& path, const Counts& nodes, const elasticity::PartOfBox& part) {
  const File file(path, O_RDONLY);
  if (file.size() == sizeof(double)) {
    std::vector<double> result(1);
    file.read(result.data(), sizeof(double), 0);
    return result;
  }
  return read_part<double>(path, {nodes[0] - 1, nodes[1] - 1, nodes[2] - 1}, part.first, part.elements, 1);
}

void print(const elasticity::Result& result, const elasticity::Parts& parts) {
  std::printf(
      "{\"result\": {\"parts\": [%d, %d, %d], \"outcome\": %d, \"iterations\": %lld, \"setup_seconds\": %.9g, "
      "\"seconds\": %.9g, ",
      parts[0], parts[1], parts[2], static_cast<int>(result.outcome), static_cast<long long>(result.iterations),
      result.setup_seconds, result.seconds);
  std::printf("\"bytes\": %.17g, \"residual\": ", result.bytes);
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

void solve(char** words) {
  const std::string folder = words[1];
  Counts nodes{};
  elasticity::PartOfBody body;
  for (std::size_t d = 0; d < 3; ++d) {
    body.nodes[d] = nodes[d] = std::atoll(words[2 + d]);
    body.parts[d] = std::atoi(words[5 + d]);
  }
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (body.parts == elasticity::Parts{}) body.parts = elasticity::parts_of(nodes, ranks);
  elasticity::OptionsByRanks options;
  options.preconditioner = static_cast<elasticity::Preconditioner>(std::atoi(words[8]));
  options.tolerance = std::atof(words[9]);
  options.iterations = std::atoll(words[10]);
  options.threads = std::atoi(words[12]);
  options.overlap = std::atoi(words[13]) != 0;
  options.stop = &stopped;
  options.watch = watch;
  const elasticity::PartOfBox part = elasticity::part_of(nodes, body.parts, rank_here());
  const auto of_nodes = [&](const char* name) {
    return read_part<double>(folder + "/" + name, nodes, part.first, part.nodes, 3);
  };
  std::vector<double> coordinates;
  if (::access((folder + "/coordinates").c_str(), R_OK) == 0) coordinates = of_nodes("coordinates");
  const std::vector<double> load = of_nodes("load");
  const auto held = read_part<std::uint8_t>(folder + "/held", nodes, part.first, part.nodes, 3);
  const std::vector<double> young = read_material(folder + "/young", nodes, part);
  const std::vector<double> poisson = read_material(folder + "/poisson", nodes, part);
  std::vector<double> displacement = of_nodes("displacement");
  body.coordinates = coordinates;
  body.load = load;
  body.held = held;
  body.young = young;
  body.poisson = poisson;
  constexpr double least = 0.01;
  options.seconds = std::max(least, std::atof(words[11]) - now());
  const elasticity::Result result = elasticity::solve(body, options, displacement, MPI_COMM_WORLD);
  const File file(folder + "/displacement", O_WRONLY);
  const auto line_bytes = static_cast<std::size_t>(3 * part.nodes[0]) * sizeof(double);
  for_lines(nodes, part.first, part.nodes, 3 * sizeof(double), [&](std::int64_t at, std::int64_t line) {
    file.write(displacement.data() + line * 3 * part.nodes[0], line_bytes, at);
  });
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_here() == 0) print(result, body.parts);
}

}  // namespace

int main(int count, char** words) {
  constexpr int expected = 14;
  static_cast<void>(std::signal(SIGUSR1, stop));
  int provided = 0;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
  int status = 2;
  if (count != expected) {
    if (rank_here() == 0) {
      std::fprintf(stderr,
                   "expected FOLDER NX NY NZ PARTSX PARTSY PARTSZ PRECONDITIONER TOLERANCE ITERATIONS "
                   "DEADLINE THREADS OVERLAP\n");
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
    solve(words);
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
