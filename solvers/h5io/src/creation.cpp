#include "creation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "element_type.hpp"
#include "lzf.hpp"
#include "plugin.hpp"

namespace rooftop::h5io::internal {
namespace {

std::vector<hsize_t> lengths(const std::vector<std::uint64_t>& values) { return {values.begin(), values.end()}; }

void require_chunk(const Creation& creation) {
  const auto& [shape, type, chunk, filters] = creation;
  if (chunk.empty()) {
    if (!filters.empty())
      throw InvalidArgument("there are filters but no chunks; expected a shape of chunks with them");
    return;
  }
  if (chunk.size() != shape.size()) {
    throw InvalidArgument("chunks have " + std::to_string(chunk.size()) + " dimensions, the dataset " +
                          std::to_string(shape.size()) + "; expected as many");
  }
  for (std::size_t d = 0; d < chunk.size(); ++d) {
    if (chunk[d] >= 1 && chunk[d] <= std::max<std::uint64_t>(shape[d], 1)) continue;
    throw InvalidArgument("chunks have " + std::to_string(chunk[d]) + " elements in dimension " + std::to_string(d) +
                          "; expected 1 to the dataset's " + std::to_string(shape[d]));
  }
}

void add_filter(hid_t properties, const Filter& filter) {
  if (!is_available(filter.id)) {
    throw InvalidArgument("filter " + std::to_string(filter.id) + " is not installed; " + remedy_for(filter.id));
  }
  if (filter.id == lzf_id && plugin_function(lzf_id) == lzf_filter.filter) {
    throw InvalidArgument("filter " + std::to_string(filter.id) + " can only be read here; expected another");
  }
  if (filter.id == H5Z_FILTER_DEFLATE && filter.parameters.size() == 1 && filter.parameters[0] > 9) {
    throw InvalidArgument("deflate has level " + std::to_string(filter.parameters[0]) + "; expected 0 to 9");
  }
  // When the dataset is created, the library adds the size of an element to the parameters of its shuffle filter.
  if (H5Pset_filter(properties, filter.id, H5Z_FLAG_OPTIONAL, filter.parameters.size(), filter.parameters.data()) < 0) {
    throw InvalidArgument("filter " + std::to_string(filter.id) + " cannot be used: " + Locked::reason());
  }
}

}  // namespace

DatasetId create_dataset(hid_t file, const std::string& name, const Creation& creation) {
  require_chunk(creation);
  const TypeId type = hdf5_type(creation.type);
  const auto shape = lengths(creation.shape);
  const SpaceId space(shape.empty() ? H5Screate(H5S_SCALAR)
                                    : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
  if (!space.valid())
    throw InvalidArgument("the shape has " + std::to_string(shape.size()) + " dimensions: " + Locked::reason());
  const PropertiesId properties(H5Pcreate(H5P_DATASET_CREATE)), links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.get(), 1);
  H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
  if (creation.chunk.empty()) {
    // Allocate now: the data is written to its address without the library.
    H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY);
  } else {
    const auto chunk = lengths(creation.chunk);
    if (H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()) < 0) {
      throw InvalidArgument("chunks cannot be so: " + Locked::reason());
    }
    for (const Filter& filter : creation.filters) add_filter(properties.get(), filter);
  }
  return DatasetId(H5Dcreate2(file, name.c_str(), type.get(), space.get(), links.get(), properties.get(), H5P_DEFAULT));
}

}  // namespace rooftop::h5io::internal
