/// Which way a selection is read.
#include <algorithm>
#include <cstring>
#include <string>

#include "chunked.hpp"
#include "contiguous.hpp"
#include "open_file.hpp"
#include "padding.hpp"
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

/// What to say of the first filter that is missing; empty where none is. The library uses those that are found.
std::string missing_filter(const Dataset::Open& dataset) {
  std::string missing;
  for (const Filter& filter : dataset.description.filters) {
    if (internal::is_available(filter.id) || !missing.empty()) continue;
    missing = dataset.where() + " went through filter " + std::to_string(filter.id) +
              (filter.name.empty() ? "" : ", " + filter.name + ",") + " which is not installed; " +
              internal::remedy_for(filter.id);
  }
  return missing;
}

void read_by_library(const Dataset::Open& dataset, const std::vector<Span>& spans, void* to, std::uint64_t bytes) {
  const Locked locked;
  const std::string missing = missing_filter(dataset);
  // The library leaves as it was what stands for elements that were never written, here or where a virtual dataset has
  // them from.
  if (!dataset.library_fills || dataset.description.layout == Layout::other) std::memset(to, 0, bytes);
  const internal::Selected selected(dataset.id.get(), spans);
  if (H5Dread(dataset.id.get(), dataset.type.get(), selected.memory.get(), selected.file.get(), H5P_DEFAULT, to) < 0) {
    // Chunks that none of the missing filters was applied to can be read.
    if (!missing.empty()) throw FileError(missing);
    throw FileError(dataset.where() + " cannot be read: " + Locked::reason());
  }
}

}  // namespace

void Dataset::reclaim(void* values, std::uint64_t elements) const {
  if (!open_->description.variable || elements == 0) return;
  const Locked locked;
  const hsize_t count = elements;
  const internal::SpaceId space(H5Screate_simple(1, &count, nullptr));
  H5Dvlen_reclaim(open_->type.get(), space.get(), H5P_DEFAULT, values);
}

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

std::vector<Span> Dataset::all() const { return open_->all(); }

std::uint64_t Dataset::selected_bytes(const std::vector<Span>& spans) const { return open_->selected_bytes(spans); }

Report Dataset::read(const std::vector<Span>& spans, void* to, std::size_t to_bytes, const Options& options) const {
  Report report;
  report.selected_bytes = open_->readable_bytes(spans, to_bytes, options);
  if (report.selected_bytes == 0) return report;
  auto* const bytes = static_cast<std::byte*>(to);
  internal::Asked asked;
  if (options.library || (!open_->in_one_piece && !open_->pipeline)) {
    report.way = Way::library;
    read_by_library(*open_, spans, to, report.selected_bytes);
  } else if (open_->pipeline) {
    report.way = Way::chunks;
    internal::read_chunked(*open_, spans, bytes, options, asked);
  } else if (open_->address) {
    const internal::Runs runs(open_->description.shape, spans, open_->description.element_bytes);
    report.way = internal::read_contiguous(*open_->file->source, *open_->address, runs, bytes, options, asked);
  } else {
    internal::fill(open_->fill, bytes, report.selected_bytes / open_->description.element_bytes);
  }
  if (open_->padding) {
    internal::end_with_zeros(*open_->padding, open_->description.element_bytes, bytes, report.selected_bytes);
  }
  report.read_bytes = asked.bytes;
  report.reads = asked.reads;
  return report;
}

}  // namespace rooftop::h5io
