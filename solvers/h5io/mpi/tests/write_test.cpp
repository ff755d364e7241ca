// Writes by ranks are read back by the library and by ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "on_ranks.hpp"

namespace rooftop::h5io {
namespace {

using tests::dealt_of;
using tests::elements_of;
using tests::message_of;
using tests::numbers_of;
using tests::on_first;
using tests::read_by_hdf5;
using tests::rows_of;
using tests::Shape;
using tests::SharedSample;
using tests::sum_of_all;
using tests::World;

constexpr std::uint64_t item = sizeof(std::int32_t);

Filter filter(int id, const std::vector<unsigned>& parameters = {}) { return {id, "", parameters}; }

std::map<std::string, Creation> kinds_of(const Shape& shape) {
  Shape chunk;
  for (const std::uint64_t extent : shape) chunk.push_back(std::max<std::uint64_t>(extent * 2 / 5, 1));
  return {{"contiguous", {shape, "<i4", {}, {}}},
          {"chunked", {shape, "<i4", chunk, {}}},
          {"group/deflated", {shape, "<i4", chunk, {filter(H5Z_FILTER_SHUFFLE), filter(H5Z_FILTER_DEFLATE, {1})}}},
          {"checked", {shape, "<i4", chunk, {filter(H5Z_FILTER_FLETCHER32)}}}};
}

/// Returns the selected ones of the numbers 0, 1, 2, …, times `factor`.
std::vector<std::int32_t> values_of(const Shape& shape, const std::vector<Span>& spans, int factor = 1) {
  std::vector<std::int32_t> values;
  for (const std::uint64_t number : numbers_of(shape, spans)) {
    values.push_back(factor * static_cast<std::int32_t>(number));
  }
  return values;
}

std::vector<Span> whole(const Shape& shape) {
  std::vector<Span> spans;
  for (const std::uint64_t extent : shape) spans.push_back({0, 1, 1, extent});
  return spans;
}

/// Expects values both of the library, on rank 0, and of a read of the whole array by all ranks.
void expect_file(const std::string& path, const std::string& name, const std::vector<std::int32_t>& expected) {
  const DatasetByRanks dataset = FileByRanks(path, MPI_COMM_WORLD).dataset(name);
  std::vector<std::int32_t> values(expected.size(), -1);
  dataset.read(dataset.all(), values.data(), values.size() * item);
  EXPECT_EQ(values, expected) << name;
  on_first([&] { EXPECT_EQ(read_by_hdf5(path, name, dataset.all()), expected) << name; });
}

std::size_t partial_files(const std::string& path) {
  std::size_t count = 0;
  const std::filesystem::path whole_path(path);
  for (const auto& entry : std::filesystem::directory_iterator(whole_path.parent_path())) {
    count += entry.path().filename().string().starts_with(whole_path.filename().string() + ".partial-") ? 1 : 0;
  }
  return count;
}

class WriteOfShape : public testing::TestWithParam<Shape> {};

TEST_P(WriteOfShape, IsWhatTheRanksWrote) {
  const World world;
  const Shape shape = GetParam();
  const SharedSample sample("rooftop-ranks-write");
  for (const auto& of_rank : {rows_of, dealt_of}) {
    const std::vector<Span> own = of_rank(shape, world);
    const auto values = values_of(shape, own);
    OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
    for (const auto& [name, creation] : kinds_of(shape)) {
      Options options;
      options.threads = 2;
      const OutputDatasetByRanks dataset = file.dataset(name, creation);
      const ReportByRanks report = dataset.write(own, values.data(), values.size() * item, options);
      EXPECT_EQ(report.selected_bytes, values.size() * item);
      EXPECT_EQ(report.sharing, creation.chunk.empty() ? Sharing::alone : Sharing::chunks);
      if (creation.chunk.empty()) {
        EXPECT_EQ(report.read_bytes, report.selected_bytes);
      }
    }
    file.close();
    for (const auto& [name, creation] : kinds_of(shape)) {
      expect_file(sample.path(), name, values_of(shape, whole(shape)));
    }
    EXPECT_EQ(partial_files(sample.path()), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, WriteOfShape,
                         testing::Values(Shape{1}, Shape{2}, Shape{1009}, Shape{3, 5, 7}, Shape{64, 64}, Shape{2, 409},
                                         Shape{4, 3, 5, 2}),
                         [](const auto& info) {
                           std::string name = "of";
                           for (const std::uint64_t extent : info.param) name += "_" + std::to_string(extent);
                           return name;
                         });

TEST(WriteByRanks, EncodesEachChunkOnce) {
  const World world;
  const Shape shape{256, 64};
  const SharedSample sample("rooftop-ranks-encode");
  OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
  const OutputDatasetByRanks x = file.dataset("x", {shape, "<i4", {16, 64}, {filter(H5Z_FILTER_DEFLATE, {6})}});
  const auto dealt = dealt_of(shape, world);
  const auto values = values_of(shape, dealt);
  const ReportByRanks report = x.write(dealt, values.data(), values.size() * item);
  EXPECT_EQ(report.way, Way::chunks);
  EXPECT_EQ(sum_of_all(report.reads), 16U);
  EXPECT_GT(report.reads, 0U);
  EXPECT_LT(sum_of_all(report.read_bytes), elements_of(shape) * item);
  file.close();
  expect_file(sample.path(), "x", values_of(shape, whole(shape)));
}

TEST(WriteByRanks, LeavesToTheHighestRankWhatSeveralWrite) {
  const World world;
  const auto rank = static_cast<std::uint64_t>(world.rank), size = static_cast<std::uint64_t>(world.size);
  const Shape shape{10 * (size + 1), 1001};
  const SharedSample sample("rooftop-ranks-overlap");
  // Each rank writes twenty rows, ten of which the next rank writes as well.
  const std::vector<Span> own{{10 * rank, 1, 1, 20}, {0, 1, 1, 1001}};
  std::vector<std::int32_t> expected = values_of(shape, whole(shape));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] *= static_cast<int>(std::min<std::uint64_t>(i / 1001 / 10, size - 1)) + 1;
  }
  OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
  const auto kinds = kinds_of(shape);
  for (const auto& [name, creation] : kinds) {
    const OutputDatasetByRanks dataset = file.dataset(name, creation);
    for (int again = 0; again < 3; ++again) {
      const auto values = values_of(shape, own, world.rank + 1);
      dataset.write(own, values.data(), values.size() * item);
    }
  }
  file.close();
  for (const auto& [name, creation] : kinds) expect_file(sample.path(), name, expected);
}

TEST(WriteByRanks, CompletesChunksThatAreWrittenInParts) {
  const World world;
  const Shape shape{41, 30};
  const SharedSample sample("rooftop-ranks-parts");
  OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
  const auto kinds = kinds_of(shape);
  // First even columns, then odd ones; each rank writes its rows in two parts.
  for (const auto& [name, creation] : kinds) {
    const OutputDatasetByRanks dataset = file.dataset(name, creation);
    for (const std::uint64_t column : {0, 1}) {
      std::vector<Span> own = rows_of(shape, world), rest = own;
      own[0].block = own[0].block / 2;
      rest[0].start += own[0].block, rest[0].block -= own[0].block;
      own[1] = rest[1] = {column, 15, 2, 1};
      const auto values = values_of(shape, own), more = values_of(shape, rest);
      dataset.write({{rest, more.data(), more.size() * item}, {own, values.data(), values.size() * item}});
    }
  }
  file.close();
  for (const auto& [name, creation] : kinds) expect_file(sample.path(), name, values_of(shape, whole(shape)));
}

TEST(WriteByRanks, KeepsWhatFiltersCannotMakeSmaller) {
  const World world;
  const SharedSample sample("rooftop-ranks-noise");
  std::vector<std::int32_t> noise(1000);
  std::uint32_t state = 1;
  for (std::int32_t& one : noise) one = static_cast<std::int32_t>(state = state * 1664525U + 1013904223U);
  OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
  const OutputDatasetByRanks x = file.dataset("x", {{1000}, "<i4", {100}, {filter(H5Z_FILTER_DEFLATE, {9})}});
  const auto own = rows_of({1000}, world);
  x.write(own, noise.data() + own[0].start, own[0].block * item);
  file.close();
  expect_file(sample.path(), "x", noise);
}

TEST(WriteByRanks, HasScalarsAndEmptyArrays) {
  const World world;
  const SharedSample sample("rooftop-ranks-scalar");
  OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
  const std::int32_t own = world.rank;
  file.dataset("scalar", {{}, "<i4", {}, {}}).write({}, &own, item);
  file.dataset("empty", {{0, 3}, "<i4", {}, {}}).write({{0, 1, 1, 0}, {0, 1, 1, 3}}, nullptr, 0);
  file.close();
  const FileByRanks written(sample.path(), MPI_COMM_WORLD);
  std::int32_t value = -1;
  written.dataset("scalar").read({}, &value, item);
  EXPECT_EQ(value, world.size - 1);
  EXPECT_EQ(written.dataset("empty").description().shape, (Shape{0, 3}));
}

TEST(WriteByRanks, RefusesWhatCannotBe) {
  const World world;
  const SharedSample sample("rooftop-ranks-refused");
  EXPECT_NE(message_of<FileError>([&] {
              OutputFileByRanks(sample.path(), MPI_COMM_WORLD);
            }).find("is there already; name another file, or ask for its replacement"),
            std::string::npos);
  EXPECT_NE(
      message_of<FileError>([&] { OutputFileByRanks("/no/such/folder/x.h5", MPI_COMM_WORLD); }).find("cannot be made"),
      std::string::npos);
  OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
  EXPECT_NE(message_of<InvalidArgument>([&] {
              static_cast<void>(file.dataset("x", {{3}, "<f3", {}, {}}));
            }).find("the type is \"<f3\""),
            std::string::npos);
  if (world.size > 1) {
    const auto extent = static_cast<std::uint64_t>(world.rank == 0 ? 3 : 4);
    EXPECT_EQ(message_of<InvalidArgument>([&] {
                static_cast<void>(file.dataset("x", {{extent}, "<f8", {}, {}}));
              }),
              "rank 1: dataset x: rank 0 makes another one; expected the same on all ranks");
  }
  const OutputDatasetByRanks x = file.dataset("x", {{3}, "<f8", {}, {}});
  const double one = 1;
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              x.write({{0, 1, 1, 2}}, &one, 8);
            }),
            "the selection takes 16 bytes, the memory has 8; expected as many");
  // A refused write has no effect.
  x.write({{0, 1, 1, 1}}, &one, 8);
  file.close();
  file.close();
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              x.write({{0, 1, 1, 1}}, &one, 8);
            }),
            sample.path() + " is closed; expected an open file");
  EXPECT_EQ(partial_files(sample.path()), 0U);
}

TEST(WriteByRanks, LeavesTheOldFileWithoutClose) {
  const SharedSample sample("rooftop-ranks-unclosed", [](tests::SampleFile& file) { file.add("x", {5}); });
  {
    OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
    static_cast<void>(file.dataset("y", {{3}, "<f8", {}, {}}));
    on_first([&] { EXPECT_EQ(partial_files(sample.path()), 1U); });
  }
  on_first([&] { EXPECT_EQ(partial_files(sample.path()), 0U); });
  expect_file(sample.path(), "x", {0, 1, 2, 3, 4});
}

}  // namespace
}  // namespace rooftop::h5io
