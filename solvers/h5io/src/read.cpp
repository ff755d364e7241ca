/// Which way a selection is read.
#include <algorithm>
#include <string>

#include "chunked.hpp"
#include "contiguous.hpp"
#include "open_file.hpp"
#include "plugin.hpp"
#include "rooftop/h5io.hpp"

namespace rooftop::h5io {
namespace {

using internal::Locked;

#if H5_VERSION_GE(1, 12, 0)
constexpr auto visit_objects = H5Ovisit3;
#else
constexpr auto visit_objects = H5Ovisit2;
#endif

void require_fits(const Span& span, std::uint64_t extent, std::size_t dimension) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidArgument("dimension " + std::to_string(dimension) + ": " + what);
  };
  if (span.count == 0 || span.block == 0) return;
  if (span.stride == 0) refuse("stride is 0; expected 1 or more");
  if (span.count > 1 && span.stride < span.block) {
    refuse("stride is " + std::to_string(span.stride) + ", less than the block of " + std::to_string(span.block) +
           "; expected blocks that do not overlap");
  }
  const bool fits = span.start < extent && span.block <= extent - span.start &&
                    span.count - 1 <= (extent - span.start - span.block) / span.stride;
  if (!fits) {
    refuse("start " + std::to_string(span.start) + ", count " + std::to_string(span.count) + ", stride " +
           std::to_string(span.stride) + ", block " + std::to_string(span.block) + " reach beyond its " +
           std::to_string(extent) + " elements");
  }
}

void require_filters(const Dataset::Open& dataset) {
  for (const Filter& filter : dataset.description.filters) {
    if (internal::is_available(filter.id)) continue;
    throw FileError(dataset.where() + " went through filter " + std::to_string(filter.id) +
                    (filter.name.empty() ? "" : ", " + filter.name + ",") +
                    " which is not installed; name the folder of its plugin in HDF5_PLUGIN_PATH, or install the Python "
                    "package hdf5plugin, which has many");
  }
}

void read_by_library(const Dataset::Open& dataset, const std::vector<Span>& spans, void* to) {
  const Locked locked;
  require_filters(dataset);
  const internal::SpaceId file_space(H5Dget_space(dataset.id.get()));
  std::vector<hsize_t> start, stride, count, block, memory;
  for (const Span& span : spans) {
    start.push_back(span.start), stride.push_back(span.stride), count.push_back(span.count);
    block.push_back(span.block), memory.push_back(span.size());
  }
  internal::SpaceId memory_space(H5Screate(H5S_SCALAR));
  if (!spans.empty()) {
    H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), stride.data(), count.data(), block.data());
    memory_space = internal::SpaceId(H5Screate_simple(static_cast<int>(memory.size()), memory.data(), nullptr));
  }
  if (H5Dread(dataset.id.get(), dataset.type.get(), memory_space.get(), file_space.get(), H5P_DEFAULT, to) < 0) {
    throw FileError(dataset.where() + " cannot be read: " + Locked::reason());
  }
}

}  // namespace

File::File(const std::string& path) : open_(std::make_shared<const Open>(path)) {}

const std::string& File::path() const { return open_->path; }

std::vector<std::string> File::datasets() const {
  std::vector<std::string> names;
  const auto visit = [](hid_t, const char* name, const H5O_info_t* info, void* to) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  const Locked locked;
  if (visit_objects(open_->id.get(), H5_INDEX_NAME, H5_ITER_INC, visit, &names, H5O_INFO_BASIC) < 0) {
    throw FileError(open_->path + ": its datasets cannot be listed: " + Locked::reason());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Dataset File::dataset(const std::string& name) const {
  return Dataset(std::make_shared<const Dataset::Open>(open_, name));
}

const Description& Dataset::description() const { return open_->description; }

std::vector<Span> Dataset::all() const {
  std::vector<Span> spans;
  for (const std::uint64_t extent : open_->description.shape)
    spans.push_back({0, 1, std::max<std::uint64_t>(extent, 1), extent});
  return spans;
}

std::uint64_t Dataset::selected_bytes(const std::vector<Span>& spans) const {
  const Description& description = open_->description;
  if (spans.size() != description.shape.size()) {
    throw InvalidArgument("the selection has " + std::to_string(spans.size()) + " dimensions, the dataset " +
                          std::to_string(description.shape.size()) + "; expected as many");
  }
  std::uint64_t bytes = description.element_bytes;
  for (std::size_t d = 0; d < spans.size(); ++d) {
    require_fits(spans[d], description.shape[d], d);
    bytes *= spans[d].size();
  }
  return bytes;
}

Report Dataset::read(const std::vector<Span>& spans, void* to, std::size_t to_bytes, const Options& options) const {
  Report report;
  report.selected_bytes = selected_bytes(spans);
  if (report.selected_bytes > to_bytes) {
    throw InvalidArgument("the selection takes " + std::to_string(report.selected_bytes) + " bytes, the memory has " +
                          std::to_string(to_bytes) + "; expected room for all");
  }
  if (options.threads < 0) {
    throw InvalidArgument("threads is " + std::to_string(options.threads) + "; expected 0 or more");
  }
  if (report.selected_bytes == 0) return report;
  auto* const bytes = static_cast<std::byte*>(to);
  internal::Asked asked;
  if (options.library || (!open_->in_one_piece && !open_->pipeline)) {
    report.way = Way::library;
    read_by_library(*open_, spans, to);
  } else if (open_->pipeline) {
    report.way = Way::chunks;
    internal::read_chunked(*open_, spans, bytes, options, asked);
  } else if (open_->address) {
    const internal::Runs runs(open_->description.shape, spans, open_->description.element_bytes);
    report.way = internal::read_contiguous(open_->file->source, *open_->address, runs, bytes, options, asked);
  } else {
    internal::fill(open_->fill, bytes, report.selected_bytes / open_->description.element_bytes);
  }
  report.read_bytes = asked.bytes;
  report.reads = asked.reads;
  return report;
}

}  // namespace rooftop::h5io
