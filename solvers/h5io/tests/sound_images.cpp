#include "sound_images.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>

// The library's checksum, exported but not declared in a header: Jenkins's lookup3.
extern "C" std::uint32_t H5_checksum_metadata(const void* data, std::size_t bytes, std::uint32_t initial);

namespace rooftop::h5io::tests {
namespace {

constexpr std::array<hsize_t, 2> rows_and_columns{13, 11}, chunk{4, 3}, growing{H5S_UNLIMITED, 11},
    both_growing{H5S_UNLIMITED, H5S_UNLIMITED};

void require(bool kept) {
  if (!kept) throw std::runtime_error("the HDF5 library cannot make a file to be mutated");
}

/// Adds a dataset of numbers 0, 1, 2, … `most`: its maximum shape; null if it does not grow.
void add(hid_t where, const char* name, const hsize_t* most, const std::function<void(hid_t)>& change,
         hid_t type = H5T_STD_I32LE, bool written = true) {
  const hid_t space = H5Screate_simple(2, rows_and_columns.data(), most);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_attr_phase_change(properties, 8, 6);
  change(properties);
  const hid_t dataset = H5Dcreate2(where, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  require(dataset >= 0);
  std::array<std::int32_t, 13 * 11> values{};
  std::iota(values.begin(), values.end(), 0);
  if (written) require(H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  const hid_t one = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(dataset, "unit", H5T_STD_I32LE, one, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT32, values.data());
  H5Aclose(attribute);
  H5Sclose(one);
  H5Dclose(dataset);
  H5Pclose(properties);
  H5Sclose(space);
}

void chunked(hid_t properties) { H5Pset_chunk(properties, 2, chunk.data()); }

void add_filtered(hid_t file) {
  add(file, "deflated", nullptr, [](hid_t properties) {
    chunked(properties);
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 4);
  });
  add(file, "checked", growing.data(), [](hid_t properties) {
    chunked(properties);
    H5Pset_fletcher32(properties);
  });
}

void add_packed(hid_t file) {
  add(file, "scaled", nullptr, [](hid_t properties) {
    chunked(properties);
    H5Pset_scaleoffset(properties, H5Z_SO_INT, 0);
  });
  const hid_t few = H5Tcopy(H5T_STD_I32LE);
  H5Tset_precision(few, 12);
  add(
      file, "bits", nullptr,
      [](hid_t properties) {
        chunked(properties);
        H5Pset_nbit(properties);
      },
      few);
  H5Tclose(few);
}

void add_indexes(hid_t file) {
  add(file, "fixed", nullptr, chunked);
  add(file, "growing", growing.data(), chunked);
}

void add_more_indexes(hid_t file) {
  add(file, "tree", both_growing.data(), [](hid_t properties) {
    chunked(properties);
    H5Pset_deflate(properties, 1);
  });
  add(file, "single", nullptr, [](hid_t properties) { H5Pset_chunk(properties, 2, rows_and_columns.data()); });
  add(file, "early", nullptr, [](hid_t properties) {
    chunked(properties);
    H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
  });
}

void add_pieces(hid_t file) {
  add(file, "contiguous", nullptr, [](hid_t) {});
  add(file, "compact", nullptr, [](hid_t properties) { H5Pset_layout(properties, H5D_COMPACT); });
  add(
      file, "unwritten", nullptr,
      [](hid_t properties) {
        const std::int32_t fill = 7;
        H5Pset_fill_value(properties, H5T_NATIVE_INT32, &fill);
      },
      H5T_STD_I32BE, false);
}

void add_links(hid_t file) {
  const hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  add(group, "x", nullptr, [](hid_t) {});
  H5Lcreate_hard(group, "x", file, "hard", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/group/x", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("other.h5", "/x", file, "external", H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < 12; ++i) {
    H5Gclose(H5Gcreate2(group, ("g" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  H5Gclose(group);
}

void add_types(hid_t file) {
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(pair, "a", 0, H5T_STD_I32LE);
  H5Tinsert(pair, "b", 4, H5T_IEEE_F32LE);
  add(file, "compound", nullptr, chunked, pair, false);
  H5Tclose(pair);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const hid_t space = H5Screate_simple(1, rows_and_columns.data(), nullptr);
  const hid_t dataset = H5Dcreate2(file, "texts", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  std::array<const char*, 13> words{};
  words.fill("word");
  H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(text);
}

std::vector<std::uint8_t> image(H5F_libver_t least, hsize_t user_block, void (*add_all)(hid_t)) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_fapl_core(access, 1 << 14, 0);
  H5Pset_libver_bounds(access, least, H5F_LIBVER_LATEST);
  H5Pset_userblock(creation, user_block);
  const hid_t file = H5Fcreate("in-memory.h5", H5F_ACC_TRUNC, creation, access);
  require(file >= 0);
  add_all(file);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(std::max<ssize_t>(0, H5Fget_file_image(file, nullptr, 0))));
  require(!bytes.empty() && H5Fget_file_image(file, bytes.data(), bytes.size()) > 0);
  H5Fclose(file);
  H5Pclose(access);
  H5Pclose(creation);
  return bytes;
}

std::uint32_t number_at(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// Finds the blocks of the new format by their signatures. A block ends where its checksum is right.
std::vector<Checked> checked_blocks(const std::vector<std::uint8_t>& bytes) {
  constexpr std::array<std::string_view, 17> signatures{"\x89HDF", "OHDR", "OCHK", "FRHP", "FHDB", "FHIB",
                                                        "BTHD",    "BTIN", "BTLF", "FAHD", "FADB", "EAHD",
                                                        "EAIB",    "EASB", "EADB", "FSHD", "FSSE"};
  constexpr std::size_t longest = 4096;
  std::vector<Checked> found;
  for (std::size_t at = 0; at + 8 < bytes.size(); ++at) {
    const std::string_view here(reinterpret_cast<const char*>(bytes.data()) + at, 4);
    if (std::find(signatures.begin(), signatures.end(), here) == signatures.end()) continue;
    for (std::size_t length = 6; length < longest && at + length + 4 <= bytes.size(); ++length) {
      if (H5_checksum_metadata(bytes.data() + at, length, 0) != number_at(bytes, at + length)) continue;
      found.push_back({at, length});
      break;
    }
  }
  return found;
}

std::vector<std::size_t> meaningful(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const std::size_t begin = at < 4 ? 0 : at - 4, end = std::min(bytes.size(), at + 5);
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = bytes.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::any_of(from, to, [](std::uint8_t one) { return one != 0; })) places.push_back(at);
  }
  return places;
}

}  // namespace

std::vector<SoundImage> sound_images() {
  std::vector<SoundImage> images;
  for (const auto& add_all :
       {add_filtered, add_packed, add_indexes, add_more_indexes, add_pieces, add_links, add_types}) {
    for (const H5F_libver_t least : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110}) {
      SoundImage one;
      one.bytes = image(least, add_all == add_pieces && least == H5F_LIBVER_EARLIEST ? 512 : 0, add_all);
      one.places = meaningful(one.bytes);
      one.checked = checked_blocks(one.bytes);
      images.push_back(std::move(one));
    }
  }
  return images;
}

void check_again(const SoundImage& sound, std::vector<std::uint8_t>& bytes) {
  for (const Checked& block : sound.checked) {
    if (block.at + block.bytes + 4 > bytes.size()) continue;
    const std::uint32_t sum = H5_checksum_metadata(bytes.data() + block.at, block.bytes, 0);
    std::memcpy(bytes.data() + block.at + block.bytes, &sum, sizeof sum);
  }
}

}  // namespace rooftop::h5io::tests
