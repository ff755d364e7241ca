// threads: none
#include "chunk_places.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "library.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io::internal {
namespace {

using tests::chunk;
using tests::SampleFile;

/// Returns the places found for the dataset "x", if the file had `file_bytes` bytes.
std::optional<ChunkPlaces> found(const std::string& path, std::uint64_t file_bytes) {
  const Description description = File(path).dataset("x").description();
  const Locked locked;
  const FileId file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  const DatasetId dataset(H5Dopen2(file.get(), "x", H5P_DEFAULT));
  return ChunkPlaces::find(file.get(), dataset.get(), description, file_bytes);
}

std::optional<ChunkPlaces> found(const std::string& path) { return found(path, std::filesystem::file_size(path)); }

TEST(Places, AreThoseOfTheLibrary) {
  SampleFile sample("rooftop-h5io-places");
  sample.add("x", {23, 17}, [](hid_t properties) {
    chunk(properties, {5, 8});
    H5Pset_deflate(properties, 1);
  });
  const std::optional<ChunkPlaces> places = found(sample.path());
  ASSERT_TRUE(places.has_value());
  const FileId file(H5Fopen(sample.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  const DatasetId dataset(H5Dopen2(file.get(), "x", H5P_DEFAULT));
  for (hsize_t row = 0; row < 23; row += 5) {
    for (hsize_t column = 0; column < 17; column += 8) {
      const std::vector<hsize_t> begin{row, column};
      unsigned skipped = 9;
      haddr_t address = 0;
      hsize_t bytes = 0;
      ASSERT_GE(H5Dget_chunk_info_by_coord(dataset.get(), begin.data(), &skipped, &address, &bytes), 0);
      const ChunkPlace& place = places->at(begin);
      EXPECT_EQ(place.address, address);
      EXPECT_EQ(place.bytes, bytes);
      EXPECT_EQ(place.skipped, skipped);
    }
  }
}

TEST(Places, AreNotKnownBehindAUserBlockNorOfTooManyChunks) {
  SampleFile behind("rooftop-h5io-places-behind", 512);
  behind.add("x", {100}, [](hid_t properties) { chunk(properties, {10}); });
  EXPECT_FALSE(found(behind.path()).has_value());
#if !H5_VERSION_GE(1, 14, 0)
  SampleFile many("rooftop-h5io-places-many");
  many.add("x", {2001}, [](hid_t properties) { chunk(properties, {1}); });
  EXPECT_FALSE(found(many.path()).has_value());
#endif
}

TEST(Places, AreNotTakenWhereTheyCannotBe) {
  SampleFile sample("rooftop-h5io-places-beyond");
  sample.add("x", {100, 10}, [](hid_t properties) { chunk(properties, {10, 10}); });
  EXPECT_TRUE(found(sample.path()).has_value());
  EXPECT_FALSE(found(sample.path(), 2000).has_value());

  // HDF5 returns wrong corners of chunks if only the second dimension can grow.
  const PropertiesId access(H5Pcreate(H5P_FILE_ACCESS)), properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  chunk(properties.get(), {2, 3});
  const std::array<hsize_t, 2> extent{4, 6}, growing{4, H5S_UNLIMITED};
  const std::vector<std::int32_t> values(24, 1);
  {
    const SpaceId space(H5Screate_simple(2, extent.data(), growing.data()));
    const FileId file(H5Fcreate(sample.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
    const DatasetId dataset(
        H5Dcreate2(file.get(), "x", H5T_STD_I32LE, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
    H5Dwrite(dataset.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  EXPECT_FALSE(found(sample.path()).has_value());
}

TEST(Places, OfChunksThatWereNeverWrittenHaveNoBytes) {
  SampleFile sample("rooftop-h5io-places-none");
  sample.add(
      "x", {100}, [](hid_t properties) { chunk(properties, {10}); }, false);
  const std::optional<ChunkPlaces> places = found(sample.path());
  ASSERT_TRUE(places.has_value());
  EXPECT_EQ(places->at({50}).bytes, 0);
}

}  // namespace
}  // namespace rooftop::h5io::internal
