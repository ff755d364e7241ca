/// The C interface: checks what a C++ caller cannot get wrong and turns exceptions into statuses.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "c_structures.hpp"
#include "rooftop/h5io.h"
#include "rooftop/h5io.hpp"
#include "rooftop/h5io_later.hpp"
#include "status.hpp"

struct rooftop_h5io_file {
  rooftop::h5io::File file;
};
struct rooftop_h5io_dataset {
  rooftop::h5io::Dataset dataset;
};
struct rooftop_h5io_output {
  rooftop::h5io::OutputFile file;
};
struct rooftop_h5io_output_dataset {
  rooftop::h5io::OutputDataset dataset;
};
struct rooftop_h5io_request {
  rooftop::h5io::Request request;
};

namespace {

namespace h5io = rooftop::h5io;
namespace c_interface = rooftop::c_interface;
using namespace h5io::c_structures;

static_assert(ROOFTOP_H5IO_EXTERNAL == static_cast<int>(h5io::Layout::external));
static_assert(ROOFTOP_H5IO_LIBRARY == static_cast<int>(h5io::Way::library));
static_assert(ROOFTOP_H5IO_INTERNAL_ERROR == c_interface::internal_error);
static_assert(ROOFTOP_H5IO_STOPPED == c_interface::stopped);

/// Runs what a function does by one of the guards that all solvers share. A file's error has a status of its own.
template <typename Guard, typename Body>
int guarded_by(const Guard& guard, const Body& body) noexcept {
  bool of_file = false;
  const int status = guard([&] {
    try {
      body();
    } catch (const h5io::FileError&) {
      of_file = true;
      throw;
    }
  });
  return of_file ? ROOFTOP_H5IO_FILE_ERROR : status;
}

/// What may lead a team of threads.
template <typename Body>
int guarded(const Body& body) noexcept {
  return guarded_by(
      [](const auto& inner) { return c_interface::guarded_team<h5io::InvalidArgument, h5io::Stopped>(inner); }, body);
}

/// What the calling thread does alone.
template <typename Body>
int guarded_alone(const Body& body) noexcept {
  return guarded_by([](const auto& inner) { return c_interface::guarded<h5io::InvalidArgument, h5io::Stopped>(inner); },
                    body);
}

/// Makes a request by `body`.
template <typename Body>
int requested(rooftop_h5io_request** request, const Body& body) noexcept {
  if (request != nullptr) *request = nullptr;
  return guarded([&] {
    require_pointer(request, "request");
    *request = new rooftop_h5io_request{body()};
  });
}

}  // namespace

int rooftop_h5io_abi_version(void) { return ROOFTOP_H5IO_ABI_VERSION; }

const char* rooftop_h5io_last_error(void) { return c_interface::last_error; }

int rooftop_h5io_add_plugins(const char* folder) {
  return guarded([&] {
    require_pointer(folder, "folder");
    h5io::add_plugins(folder);
  });
}

int rooftop_h5io_open(const char* path, rooftop_h5io_file** file) {
  if (file != nullptr) *file = nullptr;
  return guarded([&] {
    require_pointer(path, "path");
    require_pointer(file, "file");
    *file = new rooftop_h5io_file{h5io::File(path)};
  });
}

void rooftop_h5io_close(rooftop_h5io_file* file) { delete file; }

int rooftop_h5io_datasets(const rooftop_h5io_file* file, char* names, size_t room, size_t* bytes) {
  return guarded([&] {
    require_pointer(file, "file");
    require_pointer(bytes, "bytes");
    std::string all;
    for (const std::string& name : file->file.datasets()) all.append(name).push_back('\0');
    *bytes = all.size();
    if (all.size() > room) return;
    if (!all.empty()) require_pointer(names, "names");
    if (!all.empty()) std::memcpy(names, all.data(), all.size());
  });
}

int rooftop_h5io_dataset_open(const rooftop_h5io_file* file, const char* name, rooftop_h5io_dataset** dataset) {
  if (dataset != nullptr) *dataset = nullptr;
  return guarded([&] {
    require_pointer(file, "file");
    require_pointer(name, "name");
    require_pointer(dataset, "dataset");
    *dataset = new rooftop_h5io_dataset{file->file.dataset(name)};
  });
}

void rooftop_h5io_dataset_close(rooftop_h5io_dataset* dataset) { delete dataset; }

int rooftop_h5io_describe(const rooftop_h5io_dataset* dataset, rooftop_h5io_description* description) {
  return guarded([&] {
    require_pointer(dataset, "dataset");
    require_pointer(description, "description");
    describe(dataset->dataset.description(), *description);
  });
}

int rooftop_h5io_structure(const rooftop_h5io_dataset* dataset, char* text, size_t room, size_t* bytes,
                           int32_t* as_stored) {
  return guarded([&] {
    require_pointer(dataset, "dataset");
    require_pointer(bytes, "bytes");
    require_pointer(as_stored, "as_stored");
    const h5io::Description& description = dataset->dataset.description();
    *bytes = description.structure.size();
    *as_stored = description.as_stored;
    if (*bytes > room) return;
    require_pointer(text, "text");
    std::memcpy(text, description.structure.data(), *bytes);
  });
}

int rooftop_h5io_reclaim(const rooftop_h5io_dataset* dataset, void* values, uint64_t elements) {
  return guarded([&] {
    require_pointer(dataset, "dataset");
    if (elements > 0) require_pointer(values, "values");
    dataset->dataset.reclaim(values, elements);
  });
}

int rooftop_h5io_filter(const rooftop_h5io_dataset* dataset, int32_t i, int32_t* id, char* name, size_t room) {
  return guarded([&] {
    require_pointer(dataset, "dataset");
    require_pointer(id, "id");
    require_pointer(name, "name");
    const auto& filters = dataset->dataset.description().filters;
    if (i < 0 || static_cast<std::size_t>(i) >= filters.size()) {
      throw h5io::InvalidArgument("i is " + std::to_string(i) + "; the dataset has " + std::to_string(filters.size()) +
                                  " filters, numbered from 0");
    }
    *id = filters[static_cast<std::size_t>(i)].id;
    copy_text(filters[static_cast<std::size_t>(i)].name, name, room);
  });
}

void rooftop_h5io_default_options(rooftop_h5io_options* options) {
  const h5io::Options all;
  if (options != nullptr) *options = {all.threads, 0, all.gap_bytes, nullptr};
}

int rooftop_h5io_read(const rooftop_h5io_dataset* dataset, int32_t dimensions, const rooftop_h5io_span* spans, void* to,
                      size_t to_bytes, const rooftop_h5io_options* options, rooftop_h5io_report* report) {
  return guarded([&] {
    require_pointer(dataset, "dataset");
    const auto selection = selection_of(dimensions, spans);
    if (dataset->dataset.selected_bytes(selection) > 0) require_pointer(to, "to");
    tell(dataset->dataset.read(selection, to, to_bytes, options_of(options)), report);
  });
}

int rooftop_h5io_read_brief(const rooftop_h5io_dataset* dataset, int32_t dimensions, const rooftop_h5io_span* spans,
                            void* to, size_t to_bytes, rooftop_h5io_report* report) {
  bool read = false;
  const int status = guarded_alone([&] {
    require_pointer(dataset, "dataset");
    if (to_bytes > 0) require_pointer(to, "to");
    const auto done = dataset->dataset.read_brief(selection_of(dimensions, spans), to, to_bytes);
    read = done.has_value();
    if (read) tell(*done, report);
  });
  return status != ROOFTOP_H5IO_OK || read ? status : ROOFTOP_H5IO_NOT_BRIEF;
}

int rooftop_h5io_read_at_once(const rooftop_h5io_dataset* dataset, int32_t dimensions, const rooftop_h5io_span* spans,
                              void* to, size_t to_bytes, const rooftop_h5io_options* options,
                              rooftop_h5io_report* report) {
  bool read = false;
  const int status = guarded([&] {
    require_pointer(dataset, "dataset");
    if (to_bytes > 0) require_pointer(to, "to");
    const auto done = dataset->dataset.read_at_once(selection_of(dimensions, spans), to, to_bytes, options_of(options));
    read = done.has_value();
    if (read) tell(*done, report);
  });
  return status != ROOFTOP_H5IO_OK || read ? status : ROOFTOP_H5IO_NOT_BRIEF;
}

int rooftop_h5io_create(const char* path, int32_t replace, rooftop_h5io_output** output) {
  if (output != nullptr) *output = nullptr;
  return guarded([&] {
    require_pointer(path, "path");
    require_pointer(output, "output");
    *output = new rooftop_h5io_output{h5io::OutputFile(path, replace != 0)};
  });
}

int rooftop_h5io_change(const char* path, rooftop_h5io_output** output) {
  if (output != nullptr) *output = nullptr;
  return guarded([&] {
    require_pointer(path, "path");
    require_pointer(output, "output");
    *output = new rooftop_h5io_output{h5io::OutputFile::existing(path)};
  });
}

int rooftop_h5io_finish(rooftop_h5io_output* output) {
  return guarded([&] {
    require_pointer(output, "output");
    output->file.close();
  });
}

void rooftop_h5io_output_destroy(rooftop_h5io_output* output) { delete output; }

int rooftop_h5io_dataset_create(rooftop_h5io_output* output, const char* name, const rooftop_h5io_creation* creation,
                                rooftop_h5io_output_dataset** dataset) {
  if (dataset != nullptr) *dataset = nullptr;
  return guarded([&] {
    require_pointer(output, "output");
    require_pointer(name, "name");
    require_pointer(creation, "creation");
    require_pointer(dataset, "dataset");
    *dataset = new rooftop_h5io_output_dataset{output->file.dataset(name, creation_of(*creation))};
  });
}

int rooftop_h5io_dataset_change(const rooftop_h5io_output* output, const char* name,
                                rooftop_h5io_output_dataset** dataset) {
  if (dataset != nullptr) *dataset = nullptr;
  return guarded([&] {
    require_pointer(output, "output");
    require_pointer(name, "name");
    require_pointer(dataset, "dataset");
    *dataset = new rooftop_h5io_output_dataset{output->file.dataset(name)};
  });
}

int rooftop_h5io_output_describe(const rooftop_h5io_output_dataset* dataset, rooftop_h5io_description* description) {
  return guarded([&] {
    require_pointer(dataset, "dataset");
    require_pointer(description, "description");
    describe(dataset->dataset.description(), *description);
  });
}

void rooftop_h5io_output_dataset_destroy(rooftop_h5io_output_dataset* dataset) { delete dataset; }

int rooftop_h5io_write(const rooftop_h5io_output_dataset* dataset, int32_t dimensions, const rooftop_h5io_span* spans,
                       const void* from, size_t from_bytes, const rooftop_h5io_options* options,
                       rooftop_h5io_report* report) {
  return guarded([&] {
    require_pointer(dataset, "dataset");
    if (from_bytes > 0) require_pointer(from, "from");
    tell(dataset->dataset.write(selection_of(dimensions, spans), from, from_bytes, options_of(options)), report);
  });
}

int rooftop_h5io_read_later(const rooftop_h5io_dataset* dataset, int32_t dimensions, const rooftop_h5io_span* spans,
                            void* to, size_t to_bytes, const rooftop_h5io_options* options,
                            rooftop_h5io_request** request) {
  return requested(request, [&] {
    require_pointer(dataset, "dataset");
    const auto selection = selection_of(dimensions, spans);
    if (dataset->dataset.selected_bytes(selection) > 0) require_pointer(to, "to");
    return dataset->dataset.read_later(selection, to, to_bytes, options_of(options));
  });
}

int rooftop_h5io_write_later(const rooftop_h5io_output_dataset* dataset, int32_t dimensions,
                             const rooftop_h5io_span* spans, const void* from, size_t from_bytes,
                             const rooftop_h5io_options* options, rooftop_h5io_request** request) {
  return requested(request, [&] {
    require_pointer(dataset, "dataset");
    if (from_bytes > 0) require_pointer(from, "from");
    return dataset->dataset.write_later(selection_of(dimensions, spans), from, from_bytes, options_of(options));
  });
}

int rooftop_h5io_prefetch(const rooftop_h5io_dataset* dataset, int32_t dimensions, const rooftop_h5io_span* spans,
                          const rooftop_h5io_options* options, rooftop_h5io_request** request) {
  return requested(request, [&] {
    require_pointer(dataset, "dataset");
    return dataset->dataset.prefetch(selection_of(dimensions, spans), options_of(options));
  });
}

int rooftop_h5io_wait(rooftop_h5io_request* request, rooftop_h5io_report* report) {
  return guarded([&] {
    require_pointer(request, "request");
    tell(request->request.wait(), report);
  });
}

int rooftop_h5io_wait_for(const rooftop_h5io_request* request, double seconds, int32_t* done) {
  return guarded([&] {
    require_pointer(request, "request");
    require_pointer(done, "done");
    constexpr double most_s = 1e6;
    if (!(seconds >= 0 && seconds <= most_s)) {
      throw h5io::InvalidArgument("seconds is " + std::to_string(seconds) + "; expected 0 to 1000000");
    }
    const std::chrono::duration<double> time(seconds);
    *done = request->request.wait_for(std::chrono::duration_cast<std::chrono::nanoseconds>(time)) ? 1 : 0;
  });
}

void rooftop_h5io_request_destroy(rooftop_h5io_request* request) { delete request; }
