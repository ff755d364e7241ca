#include "sample_file.hpp"

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace rooftop::h5io::tests {
namespace {

template <typename To>
std::vector<To> converted(const std::vector<std::uint64_t>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

SampleFile::SampleFile(const std::string& name, hsize_t userblock)
    : path_(std::filesystem::temp_directory_path() / (name + "-" + std::to_string(getpid()) + ".h5")) {
  const hid_t properties = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(properties, userblock);
  H5Fclose(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, properties, H5P_DEFAULT));
  H5Pclose(properties);
}

SampleFile::~SampleFile() { std::filesystem::remove(path_); }

void SampleFile::add(const std::string& name, const std::vector<std::uint64_t>& shape,
                     const std::function<void(hid_t)>& arrange, bool written) {
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const auto extent = converted<hsize_t>(shape);
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  arrange(properties);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t dataset = H5Dcreate2(file, name.c_str(), H5T_STD_I32LE, space, links, properties, H5P_DEFAULT);
  if (written) {
    std::vector<std::int32_t> values(
        std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>()));
    std::iota(values.begin(), values.end(), 0);
    H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5Dclose(dataset), H5Pclose(links), H5Pclose(properties), H5Sclose(space), H5Fclose(file);
}

void SampleFile::add_typed(const std::string& name, hid_t file_type, const void* values, hid_t memory_type,
                           hsize_t count) {
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t dataset = H5Dcreate2(file, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (values != nullptr) H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(dataset), H5Sclose(space), H5Fclose(file);
}

void chunk(hid_t properties, const std::vector<std::uint64_t>& shape) {
  const auto lengths = converted<hsize_t>(shape);
  H5Pset_chunk(properties, static_cast<int>(lengths.size()), lengths.data());
}

std::vector<std::int32_t> read_by_hdf5(const std::string& path, const std::string& name,
                                       const std::vector<Span>& spans) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::vector<hsize_t> start, stride, count, block, memory;
  hsize_t total = 1;
  for (const Span& span : spans) {
    start.push_back(span.start), stride.push_back(span.stride), count.push_back(span.count);
    block.push_back(span.block), memory.push_back(span.size()), total *= span.size();
  }
  std::vector<std::int32_t> values(total);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), stride.data(), count.data(), block.data());
  const hid_t memory_space = H5Screate_simple(static_cast<int>(memory.size()), memory.data(), nullptr);
  H5Dread(dataset, H5T_NATIVE_INT32, memory_space, space, H5P_DEFAULT, values.data());
  H5Sclose(memory_space), H5Sclose(space), H5Dclose(dataset), H5Fclose(file);
  return values;
}

void damage_chunk(const std::string& path, const std::string& name, const std::vector<hsize_t>& corner) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  unsigned skipped = 0;
  haddr_t address = 0;
  hsize_t stored = 0;
  H5Dget_chunk_info_by_coord(dataset, corner.data(), &skipped, &address, &stored);
  H5Dclose(dataset), H5Fclose(file);
  std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(static_cast<std::streamoff>(address + stored / 2));
  bytes << "damage";
}

}  // namespace rooftop::h5io::tests
