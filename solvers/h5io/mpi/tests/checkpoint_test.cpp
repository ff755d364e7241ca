// Checkpoints are loaded as they were saved, also on other numbers of ranks, or are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "on_ranks.hpp"
#include "open_file.hpp"
#include "rooftop/h5io_checkpoint.hpp"

namespace rooftop::h5io {
namespace {

using tests::elements_of;
using tests::message_of;
using tests::on_first;
using tests::Shape;
using tests::SharedSample;
using tests::World;

/// A communicator of some of the ranks.
class Some {
 public:
  explicit Some(int ranks) {
    MPI_Comm_split(MPI_COMM_WORLD, World().rank < ranks ? 0 : MPI_UNDEFINED, World().rank, &own_);
    if (own_ == MPI_COMM_NULL) return;
    MPI_Comm_rank(own_, &world.rank);
    MPI_Comm_size(own_, &world.size);
  }
  Some(const Some&) = delete;
  Some& operator=(const Some&) = delete;
  ~Some() {
    if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
  }
  [[nodiscard]] MPI_Comm get() const { return own_; }
  World world;

 private:
  MPI_Comm own_ = MPI_COMM_NULL;
};

/// Returns a rank's share of an array along one dimension, which may be empty.
Box box_of(const Shape& shape, std::size_t dimension, const World& world) {
  Box box{Shape(shape.size()), shape};
  const auto rank = static_cast<std::uint64_t>(world.rank), size = static_cast<std::uint64_t>(world.size);
  box.start[dimension] = shape[dimension] * rank / size;
  box.extent[dimension] = shape[dimension] * (rank + 1) / size - box.start[dimension];
  return box;
}

std::vector<Span> spans_of(const Box& box) {
  std::vector<Span> spans;
  for (std::size_t d = 0; d < box.start.size(); ++d) spans.push_back({box.start[d], 1, 1, box.extent[d]});
  return spans;
}

std::vector<double> values_of(const Shape& shape, const Box& box) {
  std::vector<double> values;
  for (const std::uint64_t number : tests::numbers_of(shape, spans_of(box))) {
    values.push_back(static_cast<double>(number) / 3);
  }
  return values;
}

void save(const std::string& path, const Shape& shape, std::size_t dimension, const Some& ranks) {
  if (ranks.get() == MPI_COMM_NULL) return;
  const Box box = box_of(shape, dimension, ranks.world);
  const auto values = values_of(shape, box);
  const std::int32_t step = 17;
  save_checkpoint(path, {{"fields/x", "<f8", shape, box, values.data()}, {"step", "<i4", {}, {{}, {}}, &step}},
                  ranks.get());
}

void expect_loaded(const std::string& path, const Shape& shape, std::size_t dimension, const Some& ranks) {
  if (ranks.get() == MPI_COMM_NULL) return;
  const Box box = box_of(shape, dimension, ranks.world);
  std::vector<double> values(elements_of(box.extent), -1);
  std::int32_t step = 0;
  load_checkpoint(path, {{"step", "<i4", {}, {{}, {}}, &step}, {"fields/x", "<f8", shape, box, values.data()}},
                  ranks.get());
  EXPECT_EQ(values, values_of(shape, box));
  EXPECT_EQ(step, 17);
}

class CheckpointOfShape : public testing::TestWithParam<Shape> {};

TEST_P(CheckpointOfShape, IsLoadedByAnyNumberOfRanks) {
  const Shape shape = GetParam();
  const SharedSample sample("rooftop-ranks-checkpoint");
  for (int savers = 1; savers <= World().size; ++savers) {
    for (const std::size_t dimension : {std::size_t{0}, shape.size() - 1}) {
      save(sample.path(), shape, dimension, Some(savers));
      MPI_Barrier(MPI_COMM_WORLD);
      for (const int loaders : {1, World().size}) expect_loaded(sample.path(), shape, shape.size() / 2, Some(loaders));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CheckpointOfShape,
                         testing::Values(Shape{1}, Shape{7}, Shape{3, 5, 7}, Shape{2, 101}, Shape{523, 401},
                                         Shape{0, 4}),
                         [](const auto& info) {
                           std::string name = "of";
                           for (const std::uint64_t extent : info.param) name += "_" + std::to_string(extent);
                           return name;
                         });

TEST(Checkpoint, IsRefusedWhereItDoesNotFit) {
  const Shape shape{6, 5};
  const SharedSample sample("rooftop-ranks-misfit", [](tests::SampleFile& file) { file.add("x", {3}); });
  const Some all(World().size);
  EXPECT_EQ(message_of<FileError>([&] { expect_loaded(sample.path(), shape, 0, all); }),
            sample.path() + ": is no checkpoint: it has no dataset checkpoint/version");
  save(sample.path(), shape, 0, all);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              expect_loaded(sample.path(), {5, 6}, 0, all);
            }),
            "array fields/x is 6 x 5 of type \"<f8\" in the checkpoint; expected 5 x 6 of \"<f8\"");
  const auto loaded = [&](const LoadedPart& part) {
    return [&, part] { load_checkpoint(sample.path(), {part}, MPI_COMM_WORLD); };
  };
  std::vector<float> values(30);
  EXPECT_EQ(message_of<InvalidArgument>(loaded({"fields/x", "<f4", shape, {{0, 0}, {6, 5}}, values.data()})),
            "array fields/x is 6 x 5 of type \"<f8\" in the checkpoint; expected 6 x 5 of \"<f4\"");
  EXPECT_NE(message_of<FileError>(loaded({"none", "<f4", shape, {{0, 0}, {6, 5}}, values.data()}))
                .find("dataset none cannot be opened"),
            std::string::npos);
  const auto saved = [&](const SavedPart& part) {
    return message_of<InvalidArgument>([&] { save_checkpoint(sample.path(), {part}, MPI_COMM_WORLD); });
  };
  EXPECT_EQ(saved({"checkpoint/x", "<f4", shape, {{0, 0}, {6, 5}}, values.data()}),
            "array checkpoint/x: names of arrays do not begin with \"checkpoint/\"; choose another");
  EXPECT_EQ(saved({"x", "<f4", shape, {{0}, {6}}, values.data()}),
            "array x: the box has 1 starts and 1 extents, the array 2 dimensions; expected as many");
  EXPECT_EQ(saved({"x", "<f4", {100, 100}, {{0, 0}, {1, 1}}, values.data()}),
            "array x: boxes have " + std::to_string(World().size) + " of its 10000 elements; expected all");
  EXPECT_NE(saved({"x", "<f4", shape, {{1, 0}, {6, 5}}, values.data()}).find("reach beyond its 6 elements"),
            std::string::npos);
  // The refused load has not changed the checkpoint.
  MPI_Barrier(MPI_COMM_WORLD);
  expect_loaded(sample.path(), shape, 1, all);
}

TEST(Checkpoint, IsRefusedWhereItIsDamaged) {
  const Shape shape{1000, 400};
  const SharedSample sample("rooftop-ranks-damage");
  const Some all(World().size);
  save(sample.path(), shape, 0, all);
  on_first([&] {
    const auto address = File(sample.path()).dataset("fields/x").opened().address.value();
    std::FILE* const file = std::fopen(sample.path().c_str(), "r+b");
    ASSERT_NE(file, nullptr);
    std::fseek(file, static_cast<long>(address + 2500000), SEEK_SET);
    std::fputc('?', file);
    std::fclose(file);
  });
  const std::string message = message_of<FileError>([&] { expect_loaded(sample.path(), shape, 0, all); });
  EXPECT_NE(message.find("dataset fields/x is damaged: the checksum of its bytes 2097152 to 3145727 is "),
            std::string::npos)
      << message;
  on_first([&] { std::filesystem::resize_file(sample.path(), 2000000); });
  EXPECT_NE(message_of<FileError>([&] { expect_loaded(sample.path(), shape, 0, all); }), "nothing was thrown");
}

}  // namespace
}  // namespace rooftop::h5io
