// Delegates write what computing ranks send.
#include <gtest/gtest.h>

#include <algorithm>

#include "on_ranks.hpp"
#include "rooftop/h5io_delegates.hpp"

namespace rooftop::h5io {
namespace {

using tests::dealt_of;
using tests::message_of;
using tests::numbers_of;
using tests::on_first;
using tests::rows_of;
using tests::Shape;
using tests::SharedSample;
using tests::World;

/// Returns the rank in a communicator, and its size.
World world_of(MPI_Comm ranks) {
  World world;
  MPI_Comm_rank(ranks, &world.rank);
  MPI_Comm_size(ranks, &world.size);
  return world;
}

std::vector<std::int32_t> values_of(const Shape& shape, const std::vector<Span>& spans, int step) {
  std::vector<std::int32_t> values;
  for (const std::uint64_t number : numbers_of(shape, spans)) {
    values.push_back(static_cast<std::int32_t>(number) + step);
  }
  return values;
}

/// Runs `compute` on the computing ranks, with `count` delegates, if there are enough ranks.
template <typename Compute>
void with_delegates(int count, std::uint64_t room, const Compute& compute) {
  if (2 * count > World().size) return;
  Delegates delegates(MPI_COMM_WORLD, count, room);
  EXPECT_EQ(delegates.computing(), World().rank < World().size - count);
  if (!delegates.computing()) return delegates.serve();
  compute(delegates, world_of(delegates.own_ranks()));
}

void write_step(Delegates& delegates, int dataset, const std::vector<Span>& spans, std::vector<std::int32_t> values) {
  delegates.write(dataset, spans, values.data(), values.size() * 4);
  // The values have been copied.
  std::fill(values.begin(), values.end(), -1);
}

TEST(DelegatesTest, WriteWhatRanksHandOver) {
  const Shape shape{101, 67};
  for (const int count : {1, 2}) {
    const SharedSample sample("rooftop-ranks-delegates");
    with_delegates(count, 100000, [&](Delegates& delegates, const World& world) {
      for (const int file : {0, 1}) {
        delegates.create(sample.path(), true);
        const int x = delegates.dataset("x", {shape, "<i4", {}, {}});
        const int y = delegates.dataset("group/y", {shape, "<i4", {30, 20}, {{H5Z_FILTER_DEFLATE, "", {2}}}});
        for (int step = file; step < 10; ++step) {
          const auto rows = rows_of(shape, world), dealt = dealt_of(shape, world);
          write_step(delegates, x, step % 2 == 0 ? rows : dealt, values_of(shape, step % 2 == 0 ? rows : dealt, step));
          if (step % 3 == 0) write_step(delegates, y, dealt, values_of(shape, dealt, step));
          if (step == 4) delegates.flush();
          if (step == 7) delegates.wait();
          delegates.progress();
        }
        delegates.close(file == 1);
      }
    });
    if (2 * count > World().size) continue;
    on_first([&] {
      const std::vector<Span> all{{0, 1, 1, 101}, {0, 1, 1, 67}};
      EXPECT_EQ(tests::read_by_hdf5(sample.path(), "x", all), values_of(shape, all, 9));
      EXPECT_EQ(tests::read_by_hdf5(sample.path(), "group/y", all), values_of(shape, all, 9));
    });
  }
}

TEST(DelegatesTest, LeaveToTheHighestRankWhatSeveralWrite) {
  const Shape shape{40, 50};
  for (const int count : {1, 2}) {
    const SharedSample sample("rooftop-ranks-delegates-order");
    int computing = 0;
    with_delegates(count, 1 << 20, [&](Delegates& delegates, const World& world) {
      delegates.create(sample.path(), true);
      const std::vector<Span> all{{0, 1, 1, 40}, {0, 1, 1, 50}};
      for (const std::string name : {"x", "y"}) {
        const int dataset = delegates.dataset(name, {shape, "<i4", name == "y" ? Shape{7, 50} : Shape{}, {}});
        write_step(delegates, dataset, all, values_of(shape, all, world.rank));
      }
      delegates.close();
      computing = world.size;
    });
    on_first([&] {
      if (computing == 0) return;
      const std::vector<Span> all{{0, 1, 1, 40}, {0, 1, 1, 50}};
      for (const std::string name : {"x", "y"}) {
        EXPECT_EQ(tests::read_by_hdf5(sample.path(), name, all), values_of(shape, all, computing - 1));
      }
    });
  }
}

TEST(DelegatesTest, TellOfWhatGoesWrong) {
  const SharedSample sample("rooftop-ranks-delegates-wrong", [](tests::SampleFile& file) { file.add("old", {3}); });
  for (const int count : {1, 2}) {
    with_delegates(count, 1 << 20, [&](Delegates& delegates, const World& world) {
      const std::int32_t value = 1;
      delegates.create(sample.path());
      EXPECT_NE(message_of<FileError>([&] { delegates.close(); }).find("is there already"), std::string::npos);
      // One rank's selection does not fit: all ranks get the error, twice, and no file is created.
      delegates.create(sample.path(), true);
      const int x = delegates.dataset("x", {{5}, "<i4", {}, {}});
      const std::uint64_t start = world.rank == world.size - 1 ? 5 : 0;
      delegates.write(x, {{start, 1, 1, 1}}, &value, 4);
      for (const bool closing : {false, true}) {
        const std::string message =
            message_of<InvalidArgument>([&] { closing ? delegates.close() : delegates.flush(); });
        EXPECT_NE(message.find("of rank " + std::to_string(world.size - 1) + ": dimension 0: start 5"),
                  std::string::npos)
            << message;
      }
      delegates.create(sample.path(), true);
      delegates.write(0, {{0, 1, 1, 1}}, &value, 4);
      EXPECT_NE(message_of<InvalidArgument>([&] { delegates.close(); }).find("there is no dataset 0"),
                std::string::npos);
      EXPECT_NE(message_of<InvalidArgument>([&] { delegates.close(); }).find("there is no open file"),
                std::string::npos);
      // A file that is not closed does not appear.
      delegates.create(sample.path(), true);
      delegates.finish();
      delegates.finish();
    });
  }
  on_first([&] {
    EXPECT_EQ(tests::read_by_hdf5(sample.path(), "old", {{0, 1, 1, 3}}), (std::vector<std::int32_t>{0, 1, 2}));
  });
}

TEST(DelegatesTest, TellOfRanksThatDoDifferentThings) {
  const SharedSample sample("rooftop-ranks-delegates-differ");
  if (World().size < 3) GTEST_SKIP() << "two ranks or more must compute";
  with_delegates(1, 1 << 20, [&](Delegates& delegates, const World& world) {
    delegates.create(sample.path(), true);
    if (world.rank == 0) return;
    EXPECT_NE(message_of<InvalidArgument>([&] { delegates.flush(); }).find("called different functions"),
              std::string::npos);
  });
}

TEST(DelegatesTest, LeaveRanksToCompute) {
  const int size = World().size;
  for (const int count : {0, -1, size / 2 + 1}) {
    EXPECT_EQ(message_of<InvalidArgument>([&] { Delegates(MPI_COMM_WORLD, count); }),
              std::to_string(count) + " of " + std::to_string(size) +
                  " ranks are to be delegates; expected 1 or more, and at most half of them");
  }
}

}  // namespace
}  // namespace rooftop::h5io
