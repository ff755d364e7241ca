// threads: none
#include "chunk_places.hpp"

#include <gtest/gtest.h>

#include "library.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io::internal {
namespace {

using tests::chunk;
using tests::SampleFile;

/// What is found of the dataset "x" of a file.
std::optional<ChunkPlaces> found(const std::string& path) {
  const Description description = File(path).dataset("x").description();
  const Locked locked;
  const FileId file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  const DatasetId dataset(H5Dopen2(file.get(), "x", H5P_DEFAULT));
  return ChunkPlaces::find(file.get(), dataset.get(), description);
}

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
