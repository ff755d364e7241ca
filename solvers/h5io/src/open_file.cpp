#include "open_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <utility>

#include "creation.hpp"
#include "element.hpp"
#include "element_type.hpp"

namespace rooftop::h5io {
namespace {

using internal::Locked;

std::vector<Filter> filters_of(hid_t properties) {
  std::vector<Filter> filters;
  const int count = H5Pget_nfilters(properties);
  for (int i = 0; i < count; ++i) {
    std::array<char, 256> name{};
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    // Asked for no values, the library tells how many there are.
    H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, name.size(), name.data(), &config);
    Filter filter{0, name.data(), std::vector<unsigned>(values), (flags & H5Z_FLAG_OPTIONAL) != 0};
    filter.id = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, filter.parameters.data(), 0,
                               nullptr, &config);
    filters.push_back(std::move(filter));
  }
  return filters;
}

/// Lets the library write into memory what it cannot write into its file.
void divert(hid_t file) {
  void* descriptor = nullptr;
  const int memory = memfd_create("rooftop-h5io", MFD_CLOEXEC);
  if (memory < 0) return;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) >= 0) dup2(memory, *static_cast<int*>(descriptor));
  close(memory);
}

/// Whether addresses are places behind one descriptor, as they are by default.
bool has_one_descriptor(hid_t file) {
  const internal::PropertiesId access(H5Fget_access_plist(file));
  return H5Pget_driver(access.get()) == H5FD_SEC2;
}

}  // namespace

File::Open::Open(const std::string& file_path) : path(file_path), source(std::in_place, file_path) {
  const Locked locked;
  id = internal::FileId(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!id.valid()) throw FileError(path + ": cannot be read as HDF5: " + Locked::reason());
  if (!has_one_descriptor(id.get())) source.reset();
  if (source) changes = internal::Changes(*source, false);
}

File::Open::Open(const std::string& file_path, internal::Opening opening) : path(file_path) {
  const bool change = opening == internal::Opening::change;
  {
    const Locked locked;
    const internal::PropertiesId access(H5Pcreate(H5P_FILE_ACCESS));
    // Data that the library holds back could be older than what is written past it.
    H5Pset_sieve_buf_size(access.get(), 0);
    const unsigned mode = opening == internal::Opening::replace ? H5F_ACC_TRUNC : H5F_ACC_EXCL;
    id = internal::FileId(change ? H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get())
                                 : H5Fcreate(path.c_str(), mode, H5P_DEFAULT, access.get()));
    if (!id.valid()) {
      throw FileError(path + (change ? ": cannot be opened for writing: " : ": cannot be made: ") + Locked::reason());
    }
  }
  const Locked locked;
  if (!has_one_descriptor(id.get())) return;
  source.emplace(path, true);
  changes = internal::Changes(*source, true);
}

File::Open::Open(std::string file_path, internal::FileId file) : path(std::move(file_path)), id(std::move(file)) {
  unsigned intent = 0;
  void* descriptor = nullptr;
  if (!has_one_descriptor(id.get()) || H5Fget_intent(id.get(), &intent) < 0 ||
      H5Fget_vfd_handle(id.get(), H5P_DEFAULT, &descriptor) < 0) {
    return;
  }
  const bool writable = (intent & H5F_ACC_RDWR) != 0;
  source.emplace(path, writable, *static_cast<int*>(descriptor));
  changes = internal::Changes(*source, writable);
}

void File::Open::close() {
  std::vector<std::shared_ptr<Open>> others;
  {
    const Locked locked;
    others = linked.all();
  }
  // All of them, whatever becomes of one.
  std::exception_ptr first;
  const auto attempt = [&](const auto& step) {
    try {
      step();
    } catch (const std::exception&) {
      if (!first) first = std::current_exception();
    }
  };
  for (const auto& other : others) attempt([&] { other->close(); });
  io.finish();
  attempt([&] { close_alone(); });
  attempt([&] { io.throw_untold(); });
  if (first) std::rethrow_exception(first);
}

void File::Open::close_alone() {
  const Locked locked;
  if (!id.valid()) return;
  // The library breaks down at its end if it could not close a file: what can fail is done before.
  const bool whole = H5Fflush(id.get(), H5F_SCOPE_LOCAL) >= 0;
  const std::string reason = whole ? "" : Locked::reason();
  if (!whole) divert(id.get());
  // The library closes a file once nothing of it is open. It would close all by itself if it were told to, but then
  // opens no link that leads to the file.
  for (const hid_t object : objects) H5Idec_ref(object);
  objects.clear();
  // Once: what the library could not write the first time, it would try again.
  const hid_t file = id.release();
  const bool closed = H5Fclose(file) >= 0;
  changes.add();
  if (!whole || !closed) throw FileError(path + ": cannot be written: " + (whole ? Locked::reason() : reason));
}

Dataset::Open::Open(std::shared_ptr<const File::Open> open_file, const std::string& dataset_name)
    : file(std::move(open_file)), name(dataset_name), asked_of_(file->path) {
  const Locked locked;
  id = internal::DatasetId(H5Dopen2(file->id.get(), name.c_str(), H5P_DEFAULT));
  if (!id.valid()) throw FileError(where() + " cannot be opened: " + Locked::reason());
  look_for_file();
  memory_.follow(file->changes);
  describe();
  file->objects.insert({id.get(), type.get()});
}

Dataset::Open::~Open() {
  ahead_.end();  // without the library's lock, which it may wait for
  const Locked locked;
  file->objects.erase(id.get());
  file->objects.erase(type.get());
}

Dataset::Open::Open(std::shared_ptr<const File::Open> open_file, const std::string& dataset_name,
                    const Creation& creation)
    : file(std::move(open_file)), name(dataset_name), asked_of_(file->path) {
  const Locked locked;
  if (!file->id.valid()) throw InvalidArgument(file->path + " is closed; expected an open file");
  id = internal::create_dataset(file->id.get(), name, creation);
  if (!id.valid()) throw FileError(where() + " cannot be made: " + Locked::reason());
  look_for_file();
  memory_.follow(file->changes);
  describe();
  file->objects.insert({id.get(), type.get()});
}

std::string Dataset::Open::where() const {
  const std::string text = asked_of_ + ": dataset " + name;
  return file->path == asked_of_ ? text : text + " (in " + file->path + ")";
}

bool Dataset::Open::is_plain(const std::vector<hsize_t>& begin) const {
  if (!plain_at_end) return false;
  for (std::size_t d = 0; d < begin.size(); ++d) {
    if (description.shape[d] - begin[d] < description.chunk[d]) return true;
  }
  return false;
}

void Dataset::Open::look_for_file() {
  try {
    file = file->linked.file_of(id.get(), file);
  } catch (const FileError& error) {
    throw FileError(where() + " cannot be opened: " + error.what());
  }
}

std::shared_ptr<const internal::ChunkPlaces> Dataset::Open::places() const {
  if (auto known = memory_.places()) return *known;
  const Locked locked;
  if (auto known = memory_.places()) return *known;
  const std::uint64_t version = memory_.version();
  std::shared_ptr<const internal::ChunkPlaces> places;
  if (file->source) {
    auto found = internal::ChunkPlaces::find(file->id.get(), id.get(), description, file->source->bytes());
    if (found) places = std::make_shared<const internal::ChunkPlaces>(std::move(*found));
  }
  memory_.keep_places(places, version);
  return places;
}

void Dataset::Open::describe() {
  type = internal::TypeId(H5Dget_type(id.get()));
  const internal::SpaceId space(H5Dget_space(id.get()));
  const internal::PropertiesId properties(H5Dget_create_plist(id.get()));
  if (!type.valid() || !space.valid() || !properties.valid()) {
    throw FileError(where() + " cannot be described: " + Locked::reason());
  }
  internal::Element element = internal::element_of(type.get());
  if (element.type.empty()) {
    throw FileError(
        where() + " is of a type that is not supported, " + internal::class_name(type.get()) +
        "; expected numbers, strings, references, opaque bytes, enumerations, or compounds and arrays of them");
  }
  type = std::move(element.memory);
  description.type = element.type;
  description.structure = element.structure;
  description.variable = element.variable;
  description.as_stored = !element.converted && !element.variable;
  description.element_bytes = H5Tget_size(type.get());
  if (!element.variable && H5Tget_class(type.get()) == H5T_STRING && H5Tget_strpad(type.get()) != H5T_STR_NULLPAD) {
    padding = H5Tget_strpad(type.get());
  }
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
    description.shape = {0};
  } else {
    description.shape.resize(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
    std::vector<hsize_t> extent(description.shape.size());
    H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
    std::copy(extent.begin(), extent.end(), description.shape.begin());
  }
  description.stored_bytes = H5Dget_storage_size(id.get());
  describe_fill(properties.get());
  describe_layout(properties.get());
  if (!description.as_stored) in_one_piece = false, address.reset(), pipeline.reset();
}

void Dataset::Open::describe_fill(hid_t properties) {
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  H5D_fill_time_t time = H5D_FILL_TIME_NEVER;
  H5Pfill_value_defined(properties, &defined);
  H5Pget_fill_time(properties, &time);
  library_fills = time != H5D_FILL_TIME_NEVER && defined != H5D_FILL_VALUE_UNDEFINED;
  // Zeros where the library gives nothing, as h5py has it.
  fill.resize(description.element_bytes);
  if (library_fills && description.as_stored && defined == H5D_FILL_VALUE_USER_DEFINED)
    H5Pget_fill_value(properties, type.get(), fill.data());
}

void Dataset::Open::describe_layout(hid_t properties) {
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout == H5D_COMPACT) {
    description.layout = Layout::compact;
  } else if (layout == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0) {
    description.layout = Layout::contiguous;
    in_one_piece = file->source.has_value();
    if (!in_one_piece) return;
    const haddr_t at = H5Dget_offset(id.get());
    // In a file with a user block, an array without a place has one just before the block's end: HDF5 adds up both.
    H5D_space_status_t status = H5D_SPACE_STATUS_NOT_ALLOCATED;
    const bool has_place = H5Dget_space_status(id.get(), &status) >= 0 && status != H5D_SPACE_STATUS_NOT_ALLOCATED;
    if (at != HADDR_UNDEF && has_place) address = at;
  } else if (layout == H5D_CONTIGUOUS) {
    description.layout = Layout::external;
  } else if (layout == H5D_CHUNKED) {
    description.layout = Layout::chunked;
    describe_chunks(properties);
  }
}

void Dataset::Open::describe_chunks(hid_t properties) {
  description.filters = filters_of(properties);
  std::vector<hsize_t> chunk(description.shape.size());
  if (H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) != static_cast<int>(chunk.size())) {
    throw FileError(where() + " is damaged: its chunks have not as many dimensions as it has");
  }
  description.chunk.assign(chunk.begin(), chunk.end());
  unsigned options = 0;
  plain_at_end = H5Pget_chunk_opts(properties, &options) >= 0 && (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  std::size_t chunk_bytes = description.element_bytes;
  for (const std::uint64_t length : description.chunk) {
    if (length == 0 || chunk_bytes > std::numeric_limits<std::ptrdiff_t>::max() / length) {
      throw FileError(where() + " is damaged: its chunks have a dimension of " + std::to_string(length) + " elements");
    }
    chunk_bytes *= length;
  }
  if (internal::Pipeline::can_undo(description.filters)) {
    pipeline.emplace(description.filters, description.element_bytes, chunk_bytes);
  }
}

}  // namespace rooftop::h5io
