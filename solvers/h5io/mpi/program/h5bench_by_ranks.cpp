/// Runs one benchmark of h5bench's by the ranks of an MPI job, for `rooftop solve h5`. Words are those of asked.hpp.
///
/// The first rank prints lines of JSON: {"started": true}, {"step": number} after each step that is not asynchronous,
/// and
/// {"result": ...} at the end, with the seconds of each rank. Exit code 2 and one line on standard error for what
/// cannot be done.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

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

/// Where this rank's file is.
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
  if (asked.write) {  // as h5bench has it: metadata stays in memory until the file is flushed
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

/// Of all ranks' together: as the configuration has it, or as the file does.
Extent whole_of(const Asked& asked) {
  Extent whole = asked.extent;
  if (asked.write) {
    whole[0] *= static_cast<std::uint64_t>(ranks_here());
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
  H5Sget_simple_extent_dims(space, whole.data(), nullptr);
  return whole;
}

Times run(const Asked& asked, Steps& steps) {
  const Properties access = access_of(asked);
  const std::string path = path_here(asked);
  if (asked.cold && !asked.write) drop_from_cache(path, !asked.file_per_rank);
  Times times;
  Clock clock;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = clock.now();
  File file(asked.write ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)
                        : H5Fopen(path.c_str(), H5F_ACC_RDONLY, access),
            path);
  times.open = clock.now() - begun;
  MPI_Barrier(MPI_COMM_WORLD);
  const double opened = asked.write ? begun : clock.now();
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

/// Of the first rank that has found something wrong; "" where none has.
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

void benchmark(const Asked& asked) {
  const Extent whole = whole_of(asked);
  const Selection selection(asked, whole, rank_here(), ranks_here());
  const std::uint64_t all = whole[0] * whole[1] * whole[2];
  const std::uint64_t bytes = selection.elements() * particle_bytes * static_cast<std::uint64_t>(asked.steps);
  const std::string path = path_here(asked);
  const bool known = asked.write || has_known_values(File(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path));
  const double before = plain_rate(asked, path, bytes);
  Times times;
  std::string wrong;
  {
    Steps steps(asked, selection, all, known);
    times = run(asked, steps);
    const bool everywhere = asked.part == Part::whole && asked.elements == 0;
    if (asked.write && everywhere && (asked.file_per_rank || rank_here() == 0)) mark_known_values(path);
    MPI_Barrier(MPI_COMM_WORLD);
    wrong = first_wrong(steps.wrong(File(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path)));
  }
  const double after = plain_rate(asked, path, bytes);
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
  print_all("wall", times.wall, true);
  if (rank_here() == 0) std::printf("}}\n");
}

}  // namespace

int main(int count, char** words) {
  int provided = 0;
  // Either this thread or the one that reads and writes calls MPI, never both at once.
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
    // Perhaps of this rank alone, for which the others would wait.
    std::fprintf(stderr, "rank %d: %s\n", rank_here(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return 0;
}
