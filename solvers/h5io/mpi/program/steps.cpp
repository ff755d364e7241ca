#include "steps.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <thread>

namespace h5bench {

namespace {

std::string group_of(int step) { return "Timestep_" + std::to_string(step); }
const char* dataset_name(const Asked& asked, std::size_t number) {
  return asked.particles_in_file ? "particles" : names[number];
}
std::size_t datasets_of(const Asked& asked) { return asked.particles_in_file ? 1 : variables; }

Properties transfer_of(const Asked& asked) {
  Properties transfer(H5Pcreate(H5P_DATASET_XFER), "properties");
#ifdef H5_HAVE_PARALLEL
  if (!asked.file_per_rank) {
    H5Pset_dxpl_mpio(transfer, asked.collective_data ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
  }
#endif
  return transfer;
}

/// Calls `move(number of the dataset, variable)` for each transfer.
template <class Move>
void each_transfer(const Asked& asked, const Move& move) {
  const bool once = asked.particles_in_file && asked.particles_in_memory;
  for (std::size_t v = 0; v < (once ? 1 : variables); ++v) move(asked.particles_in_file ? 0 : v, v);
}

}  // namespace

Steps::Steps(const Asked& asked, const Selection& selection, const Values& values, bool known)
    : asked_(asked),
      selection_(selection),
      values_(values),
      known_(known),
      together_(asked.asynchronous || !known),
      in_file_(selection.in_file()),
      in_memory_(selection.in_memory()),
      creation_(H5Pcreate(H5P_DATASET_CREATE), "properties"),
      access_(H5Pcreate(H5P_DATASET_ACCESS), "properties"),
      transfer_(transfer_of(asked)),
      steps_(static_cast<std::size_t>(asked.steps)),
      queue_(asked.asynchronous) {
  if (asked.chunk[0] > 0) {
    constexpr unsigned strongest = 9;  // as in h5bench
    checked(H5Pset_chunk(creation_, asked.dimensions, asked.chunk.data()), "chunks");
    if (asked.deflate) checked(H5Pset_deflate(creation_, strongest), "compression");
  }
#ifdef H5_HAVE_PARALLEL
  if (!asked.creates() && !asked.file_per_rank) H5Pset_all_coll_metadata_ops(access_, asked.collective_metadata);
#endif
  // Asynchronous steps overlap and need memory of their own. Others share it, unless they are read again at the end.
  std::shared_ptr<Particles> shared;
  for (Step& step : steps_) {
    if (!shared || together_) {
      shared = std::make_shared<Particles>(selection.elements(), asked.particles_in_memory);
    }
    step.particles = shared;
    const int number = static_cast<int>(&step - steps_.data());
    if (asked.write && asked.asynchronous) step.particles->fill(selection, values.all, number + values.later);
  }
}

void Steps::run(hid_t file, Clock& clock, Times& times) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int number = 0; number < asked_.steps; ++number) {
    Step& step = steps_[static_cast<std::size_t>(number)];
    if (!asked_.asynchronous) {
      clock.pause([&] {
        if (asked_.write) {
          step.particles->fill(selection_, values_.all, number + values_.later);
        } else {
          step.particles->poison();
        }
      });
    }
    begin(step, number, file, clock, times);
    move(step, clock, times);
    if (asked_.delay == 0) close(step, clock, times);
    if (!asked_.asynchronous) {
      clock.pause([&] {
        if (!asked_.write && !together_ && wrong_.empty()) {
          const std::string found = step.particles->wrong(selection_, values_.all, number + values_.later);
          if (!found.empty()) wrong_ = group_of(number) + ": " + found;
        }
        if (rank == 0) {
          std::printf("{\"step\": %d}\n", number + 1);
          std::fflush(stdout);
        }
      });
    }
    if (number + 1 < asked_.steps) std::this_thread::sleep_for(std::chrono::microseconds(asked_.compute_us));
  }
  for (Step& step : steps_) {
    if (!step.closing) close(step, clock, times);
  }
  for (Step& step : steps_) wait(step, clock, times);
}

/// Does what h5bench does before a step: closes earlier steps that are due, and waits for some if the memory limit
/// leaves no room for this one.
void Steps::begin(Step& step, int number, hid_t file, Clock& clock, Times& times) {
  used_ += step.particles->bytes();
  if (asked_.asynchronous) {
    if (number >= asked_.delay) {
      for (Step& earlier : steps_) {
        if (&earlier == &step) break;
        if (!earlier.closing) close(earlier, clock, times);
      }
    }
    for (Step& earlier : steps_) {
      if (&earlier == &step || used_ < asked_.memory_limit) break;
      if (earlier.closing && !earlier.waited) wait(earlier, clock, times);
    }
  }
  timed(clock, times.metadata, [&] {
    queue_.add([&step, number, file, creates = asked_.creates()] {
      const std::string name = group_of(number);
      step.group = Group(creates ? H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                                 : H5Gopen2(file, name.c_str(), H5P_DEFAULT),
                         "group " + name);
    });
    for (std::size_t d = 0; d < datasets_of(asked_); ++d) {
      step.opened = queue_.add([this, &step, d] { step.datasets.push_back(opened_dataset(step.group, d)); });
    }
  });
}

Dataset Steps::opened_dataset(hid_t group, std::size_t number) const {
  const std::string name = dataset_name(asked_, number);
  if (!asked_.creates()) {
    Dataset dataset(H5Dopen2(group, name.c_str(), access_), "dataset " + name);
    if (asked_.append) grow(dataset, name);
    return dataset;
  }
  // From structures, h5bench writes datasets of structures with one member.
  const hid_t single = asked_.particles_in_memory ? types_.member(number) : number_type(number);
  const hid_t type = asked_.particles_in_file ? types_.structure() : single;
  return {H5Dcreate2(group, name.c_str(), type, in_file_, H5P_DEFAULT, creation_, access_), "dataset " + name};
}

/// Extends a dataset to the selection's extent. Collective. Throws std::invalid_argument if it cannot grow.
void Steps::grow(hid_t dataset, const std::string& name) const {
  Extent now{1, 1, 1}, wanted{1, 1, 1};
  const Space space(H5Dget_space(dataset), "dataset " + name);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  if (dimensions == asked_.dimensions) {
    H5Sget_simple_extent_dims(space, now.data(), nullptr);
    H5Sget_simple_extent_dims(in_file_, wanted.data(), nullptr);
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    now[0] += asked_.extent[0] * static_cast<std::uint64_t>(ranks);
  }
  if (now != wanted) throw std::invalid_argument("dataset " + name + " of a later step has another shape");
  checked(H5Dset_extent(dataset, wanted.data()), "dataset " + name);
}

void Steps::move(Step& step, Clock& clock, Times& times) {
  timed(clock, times.raw, [&] {
    each_transfer(asked_, [&](std::size_t dataset, std::size_t variable) {
      step.moved = queue_.add([this, &step, dataset, variable] {
        const hid_t from = step.datasets[dataset];
        const hid_t type = types_.of(from, variable, asked_.particles_in_memory);
        void* data = step.particles->data(variable);
        const herr_t done = asked_.write ? H5Dwrite(from, type, in_memory_, in_file_, transfer_, data)
                                         : H5Dread(from, type, in_memory_, in_file_, transfer_, data);
        checked(done, std::string("dataset ") + dataset_name(asked_, dataset));
      });
    });
  });
}

void Steps::close(Step& step, Clock& clock, Times& times) {
  timed(clock, times.metadata, [&] {
    step.closed = queue_.add([&step] {
      for (Dataset& dataset : step.datasets) dataset.close("a dataset");
      step.group.close("a group");
    });
  });
  step.closing = true;
}

void Steps::wait(Step& step, Clock& clock, Times& times) {
  if (step.waited) return;
  timed(clock, times.metadata, [&] { queue_.wait(step.opened); });
  timed(clock, times.raw, [&] { queue_.wait(step.moved); });
  timed(clock, times.metadata, [&] { queue_.wait(step.closed); });
  step.waited = true;
  used_ -= step.particles->bytes();
}

std::string Steps::wrong(hid_t file) const {
  if (!asked_.write && !together_) return wrong_;
  for (int number = 0; number < asked_.steps; ++number) {
    if (std::string found = wrong_step(number, file); !found.empty()) return group_of(number) + ": " + found;
  }
  return "";
}

std::string Steps::wrong_step(int number, hid_t file) const {
  const int step = number + values_.later;
  if (asked_.write) return read_alone(asked_, selection_, file, number).wrong(selection_, values_.all, step);
  const Particles& found = *steps_[static_cast<std::size_t>(number)].particles;
  return known_ ? found.wrong(selection_, values_.all, step)
                : found.wrong(read_alone(asked_, selection_, file, number));
}

Particles read_alone(const Asked& asked, const Selection& selection, hid_t file, int step) {
  const MemoryTypes types;
  Particles particles(selection.elements(), asked.particles_in_memory);
  const Space in_file = selection.in_file(), in_memory = selection.in_memory();
  each_transfer(asked, [&](std::size_t dataset, std::size_t variable) {
    const std::string path = group_of(step) + "/" + dataset_name(asked, dataset);
    const Dataset from(H5Dopen2(file, path.c_str(), H5P_DEFAULT), path);
    const hid_t type = types.of(from, variable, asked.particles_in_memory);
    checked(H5Dread(from, type, in_memory, in_file, H5P_DEFAULT, particles.data(variable)), path);
  });
  return particles;
}

std::string wrong_rows(const Asked& asked, const Extent& whole, std::uint64_t first, std::uint64_t rows,
                       const Values& values, hid_t file, int step) {
  constexpr std::uint64_t most_elements = 1U << 20U;  // at a time
  const std::uint64_t piece = std::max<std::uint64_t>(most_elements / (whole[1] * whole[2]), 1);
  for (std::uint64_t row = first; row < rows; row += piece) {
    const Selection part(asked.dimensions, whole,
                         {.start = {row, 0, 0}, .block = {std::min(piece, rows - row), whole[1], whole[2]}});
    const std::string found = read_alone(asked, part, file, step).wrong(part, values.all, step + values.later);
    if (!found.empty()) return group_of(step) + ": " + found;
  }
  return "";
}

namespace {
constexpr const char* mark = "rooftop-h5bench";
}  // namespace

std::optional<Values> known_values(hid_t file, std::uint64_t all) {
  if (H5Aexists(file, mark) <= 0) return {};
  const Attribute attribute(H5Aopen(file, mark, H5P_DEFAULT), mark);
  const Space space(H5Aget_space(attribute), mark);
  if (H5Sget_simple_extent_npoints(space) != 2) return Values{.all = all};  // an older version wrote one number
  std::array<std::uint64_t, 2> numbers{};
  checked(H5Aread(attribute, H5T_NATIVE_UINT64, numbers.data()), mark);
  return Values{.all = numbers[0], .later = static_cast<int>(numbers[1])};
}

void mark_known_values(const std::string& path, const std::optional<Values>& values) {
  File file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), path);
  if (H5Aexists(file, mark) > 0) checked(H5Adelete(file, mark), path);
  if (values) {
    const std::array<std::uint64_t, 2> numbers{values->all, static_cast<std::uint64_t>(values->later)};
    const hsize_t count = numbers.size();
    const Space space(H5Screate_simple(1, &count, nullptr), "a space");
    const Attribute attribute(H5Acreate2(file, mark, H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT), path);
    checked(H5Awrite(attribute, H5T_NATIVE_UINT64, numbers.data()), path);
  }
  file.close(path);
}

}  // namespace h5bench
