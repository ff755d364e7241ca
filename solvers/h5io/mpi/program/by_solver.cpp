#include "by_solver.hpp"

#include <mpi.h>

#include <rooftop/h5io_mpi.hpp>
#include <vector>

#include "plain_rate.hpp"

namespace h5bench {

namespace h5io = rooftop::h5io;

std::optional<BySolver> read_by_solver(const Asked& asked, const Selection& selection, const Values& values, bool known,
                                       const std::string& path) {
  const bool one_part = asked.part == Part::whole || asked.part == Part::strided;
  if (asked.write || asked.file_per_rank || asked.particles_in_file || asked.particles_in_memory || !one_part) {
    return std::nullopt;
  }
  std::vector<h5io::Span> spans;
  const Slab& slab = selection.slabs().front();
  for (std::size_t d = 0; d < static_cast<std::size_t>(asked.dimensions); ++d) {
    spans.push_back({slab.start[d], slab.count[d], slab.stride[d], slab.block[d]});
  }
  Particles particles(selection.elements(), false);
  if (asked.cold) drop_from_cache(path, true);
  MPI_Barrier(MPI_COMM_WORLD);
  BySolver found;
  double begin = MPI_Wtime();
  const h5io::FileByRanks file(path, MPI_COMM_WORLD);
  h5io::OptionsByRanks options;
  options.threads = 1;
  for (int step = 0; step < asked.steps; ++step) {
    const std::string group = "Timestep_" + std::to_string(step) + "/";
    for (std::size_t v = 0; v < variables; ++v) {
      const h5io::DatasetByRanks dataset = file.dataset(group + names[v]);
      if (step == 0 && v == 0) options.costs = dataset.measured_costs();
      dataset.read(spans, particles.data(v), selection.elements() * value_bytes, options);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    found.seconds += MPI_Wtime() - begin;
    if (found.wrong.empty()) {
      const File alone(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path);
      const std::string wrong = known ? particles.wrong(selection, values.all, step + values.later)
                                      : particles.wrong(read_alone(asked, selection, alone, step));
      if (!wrong.empty()) found.wrong = "read by h5io: " + group + " " + wrong;
    }
    particles.poison();
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
  }
  return found;
}

}  // namespace h5bench
