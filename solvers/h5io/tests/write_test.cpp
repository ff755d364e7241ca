#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <string>

#include "message_of.hpp"
#include "rooftop/h5io.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::message_of;
using tests::read_by_hdf5;
using tests::SampleFile;
using Shape = std::vector<std::uint64_t>;

std::vector<std::int32_t> counted(std::uint64_t count) {
  std::vector<std::int32_t> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

std::vector<Span> whole(const Shape& shape) {
  std::vector<Span> spans;
  for (const std::uint64_t extent : shape) spans.push_back({0, 1, 1, extent});
  return spans;
}

Filter filter(int id, const std::vector<unsigned>& parameters = {}) { return {id, "", parameters}; }

const Shape shape{23, 17, 30}, chunks{5, 17, 8};
constexpr std::uint64_t elements = 23 * 17 * 30;

TEST(Write, IsReadByTheLibrary) {
  const SampleFile sample("rooftop-h5io-write");
  const auto values = counted(elements);
  const std::vector<std::pair<std::string, Creation>> kinds{
      {"contiguous", {shape, "<i4", {}, {}}},
      {"chunked", {shape, "<i4", chunks, {}}},
      {"group/deflated", {shape, "<i4", chunks, {filter(H5Z_FILTER_DEFLATE, {6})}}},
      {"group/shuffled", {shape, "<i4", chunks, {filter(H5Z_FILTER_SHUFFLE), filter(H5Z_FILTER_DEFLATE, {1})}}},
      {"checked", {shape, "<i4", chunks, {filter(H5Z_FILTER_FLETCHER32)}}},
  };
  {
    OutputFile file(sample.path(), true);
    for (const auto& [name, creation] : kinds) {
      Options options;
      options.threads = 3;
      const Report report = file.dataset(name, creation).write(whole(shape), values.data(), elements * 4, options);
      EXPECT_EQ(report.way, name == "checked" ? Way::library : creation.chunk.empty() ? Way::direct : Way::chunks);
    }
    file.close();
  }
  const File file(sample.path());
  for (const auto& [name, creation] : kinds) {
    EXPECT_EQ(read_by_hdf5(sample.path(), name, whole(shape)), values) << name;
    std::vector<std::int32_t> ours(elements);
    file.dataset(name).read(whole(shape), ours.data(), elements * 4);
    EXPECT_EQ(ours, values) << name;
  }
  EXPECT_LT(file.dataset("group/shuffled").description().stored_bytes, elements * 4 / 2);
}

TEST(Write, OfPartsIsLeftToTheLibraryWhereChunksAreNotWhole) {
  const SampleFile sample("rooftop-h5io-parts");
  const auto values = counted(elements);
  for (const bool chunked : {false, true}) {
    OutputFile file(sample.path(), true);
    const OutputDataset x =
        file.dataset("x", {shape, "<i4", chunked ? chunks : Shape{},
                           chunked ? std::vector{filter(H5Z_FILTER_DEFLATE, {1})} : std::vector<Filter>{}});
    // Planes of the first dimension: 7, which is no multiple of the chunk's 5, then the remaining 16.
    const std::vector<Span> first{{0, 1, 1, 7}, {0, 1, 1, 17}, {0, 1, 1, 30}},
        rest{{7, 1, 1, 16}, {0, 1, 1, 17}, {0, 1, 1, 30}};
    EXPECT_EQ(x.write(first, values.data(), 7 * 17 * 30 * 4).way, chunked ? Way::library : Way::direct);
    EXPECT_EQ(x.write(rest, values.data() + 7 * 17 * 30, 16 * 17 * 30 * 4).way, chunked ? Way::library : Way::direct);
    // Overwrite every third element along the last dimension with its negative.
    const std::vector<Span> strided{{0, 1, 1, 23}, {0, 1, 1, 17}, {0, 10, 3, 1}};
    std::vector<std::int32_t> negated;
    auto expected = values;
    for (std::size_t i = 0; i < elements; i += 3) negated.push_back(expected[i] = -values[i]);
    x.write(strided, negated.data(), negated.size() * 4);
    file.close();
    EXPECT_EQ(read_by_hdf5(sample.path(), "x", whole(shape)), expected) << chunked;
  }
}

TEST(Write, KeepsWhatFiltersCannotMakeSmaller) {
  const SampleFile sample("rooftop-h5io-noise");
  std::vector<std::int32_t> noise(1000);
  std::uint32_t state = 1;
  for (std::int32_t& one : noise) one = static_cast<std::int32_t>(state = state * 1664525U + 1013904223U);
  OutputFile file(sample.path(), true);
  file.dataset("x", {{1000}, "<i4", {100}, {filter(H5Z_FILTER_DEFLATE, {9})}})
      .write({{0, 1, 1, 1000}}, noise.data(), 4000);
  file.close();
  EXPECT_EQ(read_by_hdf5(sample.path(), "x", {{0, 1, 1, 1000}}), noise);
}

TEST(Write, HasEveryTypeThatIsRead) {
  const SampleFile sample("rooftop-h5io-write-types");
  const std::vector<std::string> types{"<f8", ">f4", "<f2",  ">f2", "|i1", "<u8",
                                       ">i2", "|b1", "<c16", ">c8", "|S7", "|V3"};
  {
    OutputFile file(sample.path(), true);
    for (const std::string& type : types) static_cast<void>(file.dataset(type, {{3}, type, {}, {}}));
    static_cast<void>(file.dataset("single", {{}, "<f8", {}, {}}));
  }  // closed by its destructor
  const File file(sample.path());
  for (const std::string& type : types) EXPECT_EQ(file.dataset(type).description().type, type);
  EXPECT_EQ(file.dataset("single").description().shape, Shape{});
}

TEST(Write, RefusesWhatCannotBe) {
  const SampleFile sample("rooftop-h5io-cannot");
  OutputFile file(sample.path(), true);
  const auto refused = [&](const Creation& creation) {
    return message_of<InvalidArgument>([&] { static_cast<void>(file.dataset("x", creation)); });
  };
  EXPECT_EQ(refused({{3}, "<f3", {}, {}}),
            "the type is \"<f3\"; expected one of NumPy's array interface, such as \"<f8\", \">i2\" or \"|S10\"");
  EXPECT_EQ(refused({{3}, "<f8", {1, 1}, {}}), "chunks have 2 dimensions, the dataset 1; expected as many");
  EXPECT_EQ(refused({{3}, "<f8", {4}, {}}), "chunks have 4 elements in dimension 0; expected 1 to the dataset's 3");
  EXPECT_EQ(refused({{3}, "<f8", {}, {filter(1, {1})}}),
            "there are filters but no chunks; expected a shape of chunks with them");
  EXPECT_EQ(refused({{3}, "<f8", {3}, {filter(1, {10})}}), "deflate has level 10; expected 0 to 9");
  EXPECT_NE(refused({{3}, "<f8", {3}, {filter(31999)}}).find("filter 31999 is not installed"), std::string::npos);

  const OutputDataset x = file.dataset("y/x", {{3}, "<f8", {}, {}});
  EXPECT_NE(message_of<FileError>([&] {
              static_cast<void>(file.dataset("y/x", {{3}, "<f8", {}, {}}));
            }).find("dataset y/x cannot be made"),
            std::string::npos);
  const double one = 1;
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              x.write({{0, 1, 1, 2}}, &one, 8);
            }),
            "the selection takes 16 bytes, the memory has 8; expected as many");
  file.close();
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              x.write({{0, 1, 1, 1}}, &one, 8);
            }),
            sample.path() + " is closed; expected an open file");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              static_cast<void>(file.dataset("z", {{3}, "<f8", {}, {}}));
            }),
            sample.path() + " is closed; expected an open file");
}

TEST(Write, ChangesDatasetsThatAreThere) {
  SampleFile sample("rooftop-h5io-change", 512);
  sample.add("contiguous", shape);
  sample.add("group/chunked", shape, [](hid_t properties) {
    tests::chunk(properties, chunks);
    H5Pset_deflate(properties, 1);
  });
  sample.add(
      "late", shape, [](hid_t) {}, false);  // not allocated before it is written
  auto negated = counted(elements);
  for (std::int32_t& one : negated) one = -one;
  auto file = OutputFile::existing(sample.path());
  EXPECT_EQ(file.dataset("contiguous").write(whole(shape), negated.data(), elements * 4).way, Way::direct);
  EXPECT_EQ(file.dataset("group/chunked").write(whole(shape), negated.data(), elements * 4).way, Way::chunks);
  EXPECT_EQ(file.dataset("late").write(whole(shape), negated.data(), elements * 4).way, Way::library);
  EXPECT_NE(message_of<FileError>([&] { static_cast<void>(file.dataset("none")); }).find("cannot be opened"),
            std::string::npos);
  file.close();
  for (const char* const name : {"contiguous", "group/chunked", "late"}) {
    EXPECT_EQ(read_by_hdf5(sample.path(), name, whole(shape)), negated) << name;
  }
  EXPECT_EQ(message_of<InvalidArgument>([&] { static_cast<void>(file.dataset("late")); }),
            sample.path() + " is closed; expected an open file");
  EXPECT_NE(message_of<FileError>([&] {
              static_cast<void>(OutputFile::existing("/no/such.h5"));
            }).find("/no/such.h5: cannot be opened for writing: "),
            std::string::npos);
}

TEST(Write, ReplacesNothingUnasked) {
  const SampleFile sample("rooftop-h5io-there");
  EXPECT_NE(message_of<FileError>([&] { OutputFile(sample.path()); }).find(sample.path() + ": cannot be made: "),
            std::string::npos);
  EXPECT_NE(message_of<FileError>([&] { OutputFile("/no/such/folder/x.h5"); }).find("cannot be made"),
            std::string::npos);
}

}  // namespace
}  // namespace rooftop::h5io
