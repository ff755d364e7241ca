/// Runs one h5bench benchmark on the ranks of an MPI job, for `rooftop solve h5`. asked.hpp describes the arguments.
///
/// The first rank prints lines of JSON: {"started": true}, {"step": number} after each synchronous step, and
/// {"result": ...} at the end, with the seconds of each rank. On an error the exit code is 2, with one line on standard
/// error.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "by_solver.hpp"
#include "clock.hpp"
#include "plain_rate.hpp"
#include "steps.hpp"

namespace {

using namespace h5bench;

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int ranks_here() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

/// Returns the path of this rank's file.
std::string path_here(const Asked& asked) {
  if (!asked.file_per_rank) return asked.file;
  const std::size_t at = asked.file.rfind('/') + 1;
  return asked.file.substr(0, at) + "rank_" + std::to_string(rank_here()) + "_" + asked.file.substr(at);
}

Properties access_of(const Asked& asked) {
  Properties access(H5Pcreate(H5P_FILE_ACCESS), "properties");
  if (asked.file_per_rank) return access;
#ifdef H5_HAVE_PARALLEL
  checked(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "MPI-IO");
  H5Pset_all_coll_metadata_ops(access, asked.collective_metadata);
  H5Pset_coll_metadata_write(access, asked.collective_metadata);
#else
  throw std::runtime_error("this HDF5 has no MPI: install libhdf5-openmpi-dev");
#endif
  if (asked.alignment > 0) checked(H5Pset_alignment(access, asked.alignment_threshold, asked.alignment), "alignment");
  if (asked.creates()) {  // as in h5bench: metadata stays in memory until the file is flushed
    H5AC_cache_config_t cache{};
    cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
    checked(H5Pget_mdc_config(access, &cache), "the metadata cache");
    cache.set_initial_size = true;
    cache.initial_size = std::size_t{16} << 20U;
    cache.evictions_enabled = false;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
    checked(H5Pset_mdc_config(access, &cache), "the metadata cache");
  }
  return access;
}

/// Throws std::invalid_argument if an existing dataset cannot be written as requested.
void require_writable(const Asked& asked, hid_t dataset, const Extent& whole, const Extent& most) {
  const Properties creation(H5Dget_create_plist(dataset), "properties");
  const bool compressed = !asked.file_per_rank && H5Pget_nfilters(creation) > 0;
  if (compressed && asked.particles_in_memory != asked.particles_in_file) {
    throw std::invalid_argument(asked.file + " is compressed: expected the same MEM_PATTERN and FILE_PATTERN");
  }
  if (compressed && !asked.collective_data) {
    throw std::invalid_argument(asked.file +
                                " is compressed, which ranks write collectively: expected COLLECTIVE_DATA=YES");
  }
  if (!asked.append) return;
  if (whole[0] > most[0]) {
    throw std::invalid_argument(asked.file + " has datasets of " + std::to_string(most[0]) +
                                " rows at most, which cannot grow: append to what write-unlimited has written");
  }
  for (std::size_t d = 1; d < 3; ++d) {
    if (whole[d] != asked.extent[d]) {
      throw std::invalid_argument("dimension " + std::to_string(d + 1) + " of the file has " +
                                  std::to_string(whole[d]) + " elements, expected DIM_" + std::to_string(d + 1) + ", " +
                                  std::to_string(asked.extent[d]));
    }
  }
}

/// Returns the extent of the array of all ranks together: from the configuration, or from the file plus what is
/// appended.
Extent whole_of(const Asked& asked) {
  Extent whole = asked.extent;
  const auto ranks = static_cast<std::uint64_t>(ranks_here());
  if (asked.creates()) {
    whole[0] = asked.shares.empty() ? whole[0] * ranks
                                    : std::accumulate(asked.shares.begin(), asked.shares.end(), std::uint64_t{0});
    return whole;
  }
  const File file(H5Fopen(path_here(asked).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), asked.file);
  const std::string name = std::string("Timestep_0/") + (asked.particles_in_file ? "particles" : "x");
  const Dataset dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), asked.file + " has no " + name);
  const Space space(H5Dget_space(dataset), name);
  if (H5Sget_simple_extent_ndims(space) != asked.dimensions) {
    throw std::invalid_argument(asked.file + ": " + name + " has " + std::to_string(H5Sget_simple_extent_ndims(space)) +
                                " dimensions, expected " + std::to_string(asked.dimensions));
  }
  whole = {1, 1, 1};
  Extent most{1, 1, 1};
  H5Sget_simple_extent_dims(space, whole.data(), most.data());
  if (asked.append) whole[0] += asked.extent[0] * ranks;
  if (asked.write) require_writable(asked, dataset, whole, most);
  return whole;
}

Times run(const Asked& asked, Steps& steps) {
  const Properties access = access_of(asked);
  const std::string path = path_here(asked);
  if (asked.cold && !asked.creates()) drop_from_cache(path, !asked.file_per_rank);
  Times times;
  Clock clock;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = clock.now();
  File file(asked.creates() ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)
                            : H5Fopen(path.c_str(), asked.write ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access),
            path);
  times.open = clock.now() - begun;
  MPI_Barrier(MPI_COMM_WORLD);
  const double opened = asked.creates() ? begun : clock.now();
  steps.run(file, clock, times);
  if (asked.write) {
    timed(clock, times.flush, [&] {
      checked(H5Fflush(file, H5F_SCOPE_LOCAL), path);
      MPI_Barrier(MPI_COMM_WORLD);
    });
  }
  MPI_Barrier(MPI_COMM_WORLD);
  timed(clock, times.close, [&] { file.close(path); });
  MPI_Barrier(MPI_COMM_WORLD);
  times.observed = clock.now() - opened;
  times.wall = clock.now() - begun;
  if (asked.cold && asked.write) timed(clock, times.sync, [&] { drop_from_cache(path, !asked.file_per_rank); });
  return times;
}

/// Returns the first wrong value found by the lowest rank that found one; "" if none did.
std::string first_wrong(const std::string& wrong) {
  const int none = ranks_here();
  int first = wrong.empty() ? none : rank_here();
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == none) return "";
  std::string found = wrong;
  int length = static_cast<int>(found.size());
  MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD);
  found.resize(static_cast<std::size_t>(length));
  MPI_Bcast(found.data(), length, MPI_CHAR, first, MPI_COMM_WORLD);
  return "rank " + std::to_string(first) + ": " + found;
}

void print_all(const char* name, double own, bool last = false) {
  std::vector<double> all(static_cast<std::size_t>(ranks_here()));
  MPI_Gather(&own, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank_here() != 0) return;
  std::printf("\"%s\": [", name);
  for (const double& one : all) std::printf("%s%.9g", &one == all.data() ? "" : ", ", one);
  std::printf(last ? "]" : "], ");
}

/// Returns the values of a file before it is written; nothing if they are not known.
std::optional<Values> values_before(const Asked& asked, const std::string& path, std::uint64_t all) {
  if (asked.creates()) return Values{.all = all};
  return known_values(File(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path), all);
}

/// Returns the values to write, or those to read if known. An overwrite writes other values than before.
Values values_of(const Asked& asked, const std::optional<Values>& before, std::uint64_t all) {
  Values values = before.value_or(Values{.all = all});
  if (asked.existing && !asked.append) values.later += asked.steps;
  return values;
}

/// Whether all values of the file will follow one formula once everything is written.
bool known_after(const Asked& asked, const std::optional<Values>& before, const Extent& whole,
                 const std::string& path) {
  if (asked.part != Part::whole || asked.elements > 0) return false;
  if (asked.creates()) return true;
  if (asked.append) return before.has_value();
  const File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path);
  const std::string next = "Timestep_" + std::to_string(asked.steps);
  Extent written = asked.extent;
  written[0] *= static_cast<std::uint64_t>(ranks_here());
  return written == whole && H5Lexists(file, next.c_str(), H5P_DEFAULT) == 0;
}

/// Checks this rank's share of the data that was there before the append, in all steps. Returns the first wrong value,
/// or "".
std::string wrong_before(const Asked& asked, const Extent& whole, const Values& values, const std::string& path) {
  const File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path);
  const auto ranks = static_cast<std::uint64_t>(ranks_here()), own = static_cast<std::uint64_t>(rank_here());
  const std::uint64_t rows = whole[0] - ranks * asked.extent[0];
  for (int step = 0; step < asked.steps; ++step) {
    const std::string found =
        wrong_rows(asked, whole, rows * own / ranks, rows * (own + 1) / ranks, values, file, step);
    if (!found.empty()) return found + ", before what was appended";
  }
  return "";
}

void benchmark(const Asked& asked) {
  const Extent whole = whole_of(asked);
  const Selection selection(asked, whole, rank_here(), ranks_here());
  const std::uint64_t all = whole[0] * whole[1] * whole[2];
  const std::uint64_t bytes = selection.elements() * particle_bytes * static_cast<std::uint64_t>(asked.steps);
  const std::string path = path_here(asked);
  const std::optional<Values> before_it = values_before(asked, path, all);
  const Values values = values_of(asked, before_it, all);
  const bool known = asked.write || before_it;
  const bool marks = asked.write && (asked.file_per_rank || rank_here() == 0);
  const bool known_then = asked.write && known_after(asked, before_it, whole, path);
  MPI_Barrier(MPI_COMM_WORLD);
  if (marks && asked.existing) mark_known_values(path, std::nullopt);  // until all is written
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = plain_rate(asked, path, bytes);
  Times times;
  std::string wrong;
  {
    Steps steps(asked, selection, values, known);
    times = run(asked, steps);
    if (marks && known_then) mark_known_values(path, values);
    MPI_Barrier(MPI_COMM_WORLD);
    std::string found = steps.wrong(File(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path));
    if (asked.append && before_it && found.empty()) found = wrong_before(asked, whole, values, path);
    wrong = first_wrong(found);
  }
  const double after = plain_rate(asked, path, bytes);
  const std::optional<BySolver> by_solver = read_by_solver(asked, selection, values, known, path);
  if (by_solver && wrong.empty()) wrong = first_wrong(by_solver->wrong);
  if (rank_here() == 0) {
    std::printf("{\"result\": {\"plain\": [%.9g, %.9g], \"known\": %s, \"wrong\": \"%s\", ", before, after,
                known ? "true" : "false", wrong.c_str());
  }
  print_all("bytes", static_cast<double>(bytes));
  print_all("open", times.open);
  print_all("raw", times.raw);
  print_all("metadata", times.metadata);
  print_all("flush", times.flush);
  print_all("close", times.close);
  print_all("observed", times.observed);
  print_all("sync", times.sync);
  if (by_solver) print_all("by_solver", by_solver->seconds);
  print_all("wall", times.wall, true);
  if (rank_here() == 0) std::printf("}}\n");
}

}  // namespace

int main(int count, char** words) {
  int provided = 0;
  // The main thread and the I/O thread both call MPI, but never at the same time.
  MPI_Init_thread(&count, &words, MPI_THREAD_SERIALIZED, &provided);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (provided < MPI_THREAD_SERIALIZED) {
    std::fprintf(stderr, "this MPI does not let another thread than the first one call it\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (rank_here() == 0) {
    std::printf("{\"started\": true}\n");
    std::fflush(stdout);
  }
  try {
    benchmark(asked_by({words + 1, words + count}));
  } catch (const std::exception& error) {
    // Only this rank may have failed, and the others would wait for it.
    std::fprintf(stderr, "rank %d: %s\n", rank_here(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return 0;
}
