/// Which way a selection is read.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "chunked.hpp"
#include "contiguous.hpp"
#include "element.hpp"
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

/// Properties of a read of texts. For the conversion of whatever it converts, the library clears a buffer of 1 MiB,
/// which takes as long as to read forty texts; this one is as large as the selection needs.
internal::PropertiesId text_properties(std::uint64_t texts) {
  constexpr std::size_t stored_bytes = 32, most = 1 << 20;  // a length and a place in the file: 16 as a rule
  internal::PropertiesId properties(H5Pcreate(H5P_DATASET_XFER));
  if (texts < most / stored_bytes) {
    H5Pset_buffer(properties.get(), std::max<std::size_t>(texts * stored_bytes, 4 << 10), nullptr, nullptr);
  }
  return properties;
}

void read_by_library(const Dataset::Open& dataset, const std::vector<Span>& spans, void* to, std::uint64_t bytes) {
  const Locked locked;
  const std::string missing = missing_filter(dataset);
  // The library leaves as it was what stands for elements that were never written, here or where a virtual dataset has
  // them from.
  const Layout layout = dataset.description.layout;
  if (!dataset.library_fills || layout == Layout::other || layout == Layout::external) std::memset(to, 0, bytes);
  const internal::Selected selected(dataset.id.get(), spans);
  internal::PropertiesId properties;
  if (dataset.description.structure == internal::structure_of_text) properties = text_properties(bytes / sizeof(char*));
  const hid_t transfer = properties.valid() ? properties.get() : H5P_DEFAULT;
  if (H5Dread(dataset.id.get(), dataset.type.get(), selected.memory.get(), selected.file.get(), transfer, to) < 0) {
    // Chunks that none of the missing filters was applied to can be read.
    if (!missing.empty()) throw FileError(missing);
    throw FileError(dataset.where() + " cannot be read: " + Locked::reason());
  }
}

/// Reads a compact dataset, which lies in the file's metadata: once as a whole, and then from memory.
void read_compact(const Dataset::Open& dataset, const std::vector<Span>& spans, std::byte* to, std::uint64_t bytes) {
  internal::ChunkMemory& memory = dataset.memory();
  const std::vector<hsize_t> begin(spans.size());
  auto kept = memory.find(begin, bytes);
  if (kept == nullptr) {
    const std::uint64_t version = memory.version();
    const auto all = dataset.all();
    internal::Bytes whole;
    whole.make_room(dataset.selected_bytes(all));
    whole.size = whole.room;
    read_by_library(dataset, all, whole.data, whole.size);
    kept = std::make_shared<const internal::Bytes>(std::move(whole));
    memory.keep(begin, kept, bytes, version);
  }
  const internal::Runs runs(dataset.description.shape, spans, dataset.description.element_bytes);
  const auto* const from = static_cast<const std::byte*>(kept->data);
  for (std::uint64_t k = 0; k < runs.count(); ++k, to += runs.run_bytes()) {
    std::memcpy(to, from + runs.offset(k), runs.run_bytes());
  }
}

}  // namespace

void Dataset::reclaim(void* values, std::uint64_t elements) const {
  if (!open_->description.variable || elements == 0) return;
  if (open_->description.structure == internal::structure_of_text) {
    // The library allocates texts by malloc(), and takes longer to find each of them than to free it.
    auto* const texts = static_cast<char**>(values);
    for (std::uint64_t i = 0; i < elements; ++i) std::free(std::exchange(texts[i], nullptr));
    return;
  }
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
  if (open_->readable_bytes(spans, to_bytes, options) > 0 && !options.library) open_->read_ahead(spans);
  return open_->read(spans, to, to_bytes, options);
}

Report Dataset::Open::read(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                           const Options& options) const {
  Report report;
  report.selected_bytes = readable_bytes(spans, to_bytes, options);
  if (report.selected_bytes == 0) return report;
  if (address && !options.library) {
    return read_runs({description.shape, spans, description.element_bytes}, to, report.selected_bytes, options);
  }
  auto* const bytes = static_cast<std::byte*>(to);
  internal::Asked asked;
  if (keeps_whole() && !options.library) {
    report.way = Way::library;
    read_compact(*this, spans, bytes, report.selected_bytes);
  } else if (options.library || (!in_one_piece && !pipeline)) {
    report.way = Way::library;
    read_by_library(*this, spans, to, report.selected_bytes);
  } else if (pipeline) {
    report.way = Way::chunks;
    internal::read_chunked(*this, spans, bytes, options, asked);
  } else {
    internal::fill(fill, bytes, report.selected_bytes / description.element_bytes);
  }
  return finished(report, asked, bytes);
}

Report Dataset::Open::read_runs(const internal::Runs& runs, void* to, std::uint64_t selected,
                                const Options& options) const {
  Report report;
  report.selected_bytes = selected;
  auto* const bytes = static_cast<std::byte*>(to);
  internal::Asked asked;
  report.way = internal::read_contiguous(*file->source, *address, runs, bytes, options, asked);
  return finished(report, asked, bytes);
}

Report Dataset::Open::finished(Report report, const internal::Asked& asked, std::byte* to) const {
  if (padding) internal::end_with_zeros(*padding, description.element_bytes, to, report.selected_bytes);
  report.read_bytes = asked.bytes;
  report.reads = asked.reads;
  return report;
}

}  // namespace rooftop::h5io
