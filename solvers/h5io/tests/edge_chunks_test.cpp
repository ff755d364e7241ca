// threads: none
/// Chunks at the edge of the array that are stored without filters (H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS).
#include <gtest/gtest.h>

#include <numeric>

#include "random_span.hpp"
#include "rooftop/h5io.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::chunk;
using tests::random_span;
using tests::read_by_hdf5;
using tests::SampleFile;

const std::vector<std::uint64_t> shape{37, 53};

void arrange(hid_t properties, bool deflate) {
  chunk(properties, {5, 8});
  H5Pset_chunk_opts(properties, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  H5Pset_shuffle(properties);
  if (deflate) H5Pset_deflate(properties, 4);
}

TEST(EdgeChunks, AreReadAsTheLibraryReadsThem) {
  SampleFile sample("rooftop-h5io-edges");
  sample.add("shuffled", shape, [](hid_t properties) { arrange(properties, false); });
  sample.add("deflated", shape, [](hid_t properties) { arrange(properties, true); });
  const File file(sample.path());
  std::mt19937_64 random(3);
  for (const char* const name : {"shuffled", "deflated"}) {
    const Dataset x = file.dataset(name);
    std::vector<std::vector<Span>> selections{x.all()};
    for (int i = 0; i < 30; ++i) selections.push_back({random_span(37, random), random_span(53, random)});
    for (const auto& spans : selections) {
      std::vector<std::int32_t> values(x.selected_bytes(spans) / 4);
      const Report report = x.read(spans, values.data(), values.size() * 4);
      EXPECT_EQ(values, read_by_hdf5(sample.path(), name, spans)) << name;
      EXPECT_EQ(report.way, values.empty() ? Way::nothing : Way::chunks);
    }
  }
}

TEST(EdgeChunks, AreWrittenForTheLibrary) {
  SampleFile sample("rooftop-h5io-edges-written");
  std::vector<std::int32_t> values(37 * 53);
  std::iota(values.begin(), values.end(), -900);
  for (const bool before : {false, true}) {
    const std::string name = before ? "over" : "new";
    sample.add(
        name, shape, [](hid_t properties) { arrange(properties, true); }, before);
    auto file = OutputFile::existing(sample.path());
    const OutputDataset x = file.dataset(name);
    EXPECT_EQ(x.write(x.all(), values.data(), values.size() * 4).way, Way::chunks);
    file.close();
    const std::vector<Span> all{{0, 1, 1, 37}, {0, 1, 1, 53}};
    EXPECT_EQ(read_by_hdf5(sample.path(), name, all), values);
    std::vector<std::int32_t> ours(values.size());
    File(sample.path()).dataset(name).read(all, ours.data(), ours.size() * 4);
    EXPECT_EQ(ours, values);
  }
}

}  // namespace
}  // namespace rooftop::h5io
