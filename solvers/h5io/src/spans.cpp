/// Checks selections against a dataset, and converts them to HDF5 dataspaces.
#include <algorithm>
#include <string>

#include "open_file.hpp"

namespace rooftop::h5io {
namespace {

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

void require_threads(const Options& options) {
  if (options.threads < 0) {
    throw InvalidArgument("threads is " + std::to_string(options.threads) + "; expected 0 or more");
  }
}

}  // namespace

std::vector<Span> Dataset::Open::all() const {
  std::vector<Span> spans;
  for (const std::uint64_t extent : description.shape) {
    spans.push_back({0, 1, std::max<std::uint64_t>(extent, 1), extent});
  }
  return spans;
}

std::uint64_t Dataset::Open::selected_bytes(const std::vector<Span>& spans) const {
  return internal::selected_bytes(description, spans);
}

std::uint64_t Dataset::Open::readable_bytes(const std::vector<Span>& spans, std::size_t room,
                                            const Options& options) const {
  const std::uint64_t selected = selected_bytes(spans);
  if (selected > room) {
    throw InvalidArgument("the selection takes " + std::to_string(selected) + " bytes, the memory has " +
                          std::to_string(room) + "; expected room for all");
  }
  require_threads(options);
  return selected;
}

std::uint64_t Dataset::Open::writable_bytes(const std::vector<Span>& spans, std::size_t bytes,
                                            const Options& options) const {
  const std::uint64_t selected = selected_bytes(spans);
  if (selected != bytes) {
    throw InvalidArgument("the selection takes " + std::to_string(selected) + " bytes, the memory has " +
                          std::to_string(bytes) + "; expected as many");
  }
  require_threads(options);
  return selected;
}

namespace internal {

std::uint64_t selected_bytes(const Description& description, const std::vector<Span>& spans) {
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

Selected::Selected(hid_t dataset, const std::vector<Span>& spans)
    : file(H5Dget_space(dataset)), memory(H5Screate(H5S_SCALAR)) {
  if (spans.empty()) return;
  std::vector<hsize_t> start, stride, count, block, size;
  for (const Span& span : spans) {
    start.push_back(span.start), stride.push_back(span.stride), count.push_back(span.count);
    block.push_back(span.block), size.push_back(span.size());
  }
  H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), stride.data(), count.data(), block.data());
  memory = SpaceId(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
}

}  // namespace internal

}  // namespace rooftop::h5io
