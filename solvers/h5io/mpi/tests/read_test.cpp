// Reads by ranks return the numbers in the file, and make the expected system calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "on_ranks.hpp"
#include "open_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::dealt_of;
using tests::elements_of;
using tests::numbers_of;
using tests::rows_of;
using tests::SampleFile;
using tests::Shape;
using tests::SharedSample;
using tests::sum_of_all;
using tests::World;

constexpr std::uint64_t item = sizeof(std::int32_t);

/// Reads, and compares with the numbers in the file: 0, 1, 2, …
ReportByRanks expect_right(const DatasetByRanks& dataset, const std::vector<Span>& spans,
                           const OptionsByRanks& options = {}) {
  const auto expected = numbers_of(dataset.description().shape, spans);
  std::vector<std::int32_t> values(expected.size(), -1);
  const ReportByRanks report = dataset.read(spans, values.data(), values.size() * item, options);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) wrong += static_cast<std::uint64_t>(values[i]) == expected[i] ? 0 : 1;
  EXPECT_EQ(wrong, 0U) << "rank " << World().rank << " of " << values.size();
  EXPECT_EQ(report.selected_bytes, values.size() * item);
  return report;
}

OptionsByRanks shared_by(std::optional<Sharing> sharing) {
  OptionsByRanks options;
  options.threads = 2;
  options.sharing = sharing;
  return options;
}

std::vector<std::uint64_t> chunks_of(const Shape& shape) {
  std::vector<std::uint64_t> chunk;
  for (const std::uint64_t extent : shape) chunk.push_back(std::max<std::uint64_t>(extent * 2 / 5, 1));
  return chunk;
}

class ReadOfShape : public testing::TestWithParam<Shape> {};

TEST_P(ReadOfShape, IsWhatTheFileHas) {
  const World world;
  const Shape shape = GetParam();
  const SharedSample sample("rooftop-ranks-shape", [&](SampleFile& file) {
    file.add("contiguous", shape);
    file.add("chunked", shape, [&](hid_t properties) { tests::chunk(properties, chunks_of(shape)); });
    file.add("deflated", shape, [&](hid_t properties) {
      tests::chunk(properties, chunks_of(shape));
      H5Pset_shuffle(properties);
      H5Pset_deflate(properties, 2);
    });
  });
  const FileByRanks file(sample.path(), MPI_COMM_WORLD);
  EXPECT_EQ(file.datasets().size(), 3U);
  for (const std::string name : {"contiguous", "chunked", "deflated"}) {
    const DatasetByRanks dataset = file.dataset(name);
    auto nothing = dataset.all();
    nothing[0].count = 0;
    for (const std::optional<Sharing> sharing : {std::optional<Sharing>{}, std::optional{Sharing::alone},
                                                 std::optional{Sharing::domains}, std::optional{Sharing::chunks}}) {
      const OptionsByRanks options = shared_by(sharing);
      expect_right(dataset, rows_of(shape, world), options);
      expect_right(dataset, dealt_of(shape, world), options);
      expect_right(dataset, dataset.all(), options);
      expect_right(dataset, nothing, options);
      expect_right(dataset, world.rank == world.size - 1 ? dataset.all() : nothing, options);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ReadOfShape,
                         testing::Values(Shape{1}, Shape{2}, Shape{1009}, Shape{3, 5, 7}, Shape{64, 64}, Shape{2, 4099},
                                         Shape{211, 1, 13}, Shape{4, 3, 5, 2}),
                         [](const auto& info) {
                           std::string name = "of";
                           for (const std::uint64_t extent : info.param) name += "_" + std::to_string(extent);
                           return name;
                         });

/// Returns the number of 4 KiB pages that hold elements selected by any rank.
std::uint64_t pages_touched(const std::vector<std::uint64_t>& numbers, std::uint64_t address) {
  std::set<std::uint64_t> pages;
  for (const std::uint64_t number : numbers) pages.insert((address + number * item) / 4096);
  return pages.size();
}

TEST(ReadByRanks, LeavesOutWideGaps) {
  // In every 64 KiB each rank selects 64 bytes, next to those of the other ranks.
  const World world;
  const Shape shape{150, 1024, 16};
  const SharedSample sample("rooftop-ranks-gaps", [&](SampleFile& file) { file.add("x", shape); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  const auto size = static_cast<std::uint64_t>(world.size);
  const std::vector<Span> own{{0, 1, 1, 150}, {static_cast<std::uint64_t>(world.rank), 1, 1, 1}, {0, 1, 1, 16}};
  const auto of_all = numbers_of(shape, {{0, 1, 1, 150}, {0, 1, 1, size}, {0, 1, 1, 16}});
  const std::uint64_t address = File(sample.path()).dataset("x").opened().address.value();
  const std::uint64_t touched = pages_touched(of_all, address) * 4096;
  for (const std::optional<Sharing> sharing :
       {std::optional<Sharing>{}, std::optional{Sharing::alone}, std::optional{Sharing::domains}}) {
    const ReportByRanks report = expect_right(x, own, shared_by(sharing));
    EXPECT_LE(sum_of_all(report.read_bytes) * 10, touched * 11);
  }
}

TEST(ReadByRanks, SharesSparsePiecesThatLieSideBySide) {
  // Each rank selects 64 bytes of every 8 KiB, further apart than one call reads: one for each piece, or one for the
  // pieces of all ranks.
  const World world;
  const std::uint64_t rows = 2048;
  const SharedSample sample("rooftop-ranks-sparse", [&](SampleFile& file) { file.add("x", {rows, 128, 16}); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  const std::vector<Span> own{{0, 1, 1, rows}, {static_cast<std::uint64_t>(world.rank), 1, 1, 1}, {0, 1, 1, 16}};
  const ReportByRanks alone = expect_right(x, own, shared_by(Sharing::alone));
  EXPECT_EQ(alone.sharing, Sharing::alone);
  EXPECT_EQ(alone.way, Way::direct);
  EXPECT_EQ(alone.reads, rows);
  const ReportByRanks cheapest = expect_right(x, own);
  EXPECT_EQ(cheapest.sharing, world.size == 1 ? Sharing::alone : Sharing::domains);
  // Two adjacent pieces may lie in two blocks.
  EXPECT_LE(sum_of_all(cheapest.reads), rows + static_cast<std::uint64_t>(world.size));
  EXPECT_LE(sum_of_all(cheapest.read_bytes), rows * 4096);
  if (world.size > 1) {
    EXPECT_EQ(sum_of_all(cheapest.sent_bytes) % 64, 0U);
    EXPECT_LT(sum_of_all(cheapest.sent_bytes), rows * 64 * static_cast<std::uint64_t>(world.size));
    EXPECT_GT(sum_of_all(cheapest.sent_bytes), 0U);
  }
}

TEST(ReadByRanks, GoesByTheCosts) {
  const World world;
  if (world.size == 1) GTEST_SKIP() << "one rank has nobody to share with";
  const Shape shape{512, 4096};
  const SharedSample sample("rooftop-ranks-costs", [&](SampleFile& file) { file.add("x", shape); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  const auto dealt = dealt_of(shape, world);
  OptionsByRanks options;
  options.costs.byte = 1e-8;  // makes it expensive that all ranks read each byte
  const ReportByRanks shared = expect_right(x, dealt, options);
  EXPECT_EQ(shared.sharing, Sharing::domains);
  EXPECT_EQ(sum_of_all(shared.read_bytes), elements_of(shape) * item);
  options.costs.sent_byte = 1e-6;
  EXPECT_EQ(expect_right(x, dealt, options).sharing, Sharing::alone);
  // Contiguous selections are read by each rank directly into its memory.
  const ReportByRanks rows = expect_right(x, rows_of(shape, world));
  EXPECT_EQ(rows.sharing, Sharing::alone);
  EXPECT_EQ(rows.way, Way::direct);
  EXPECT_EQ(rows.read_bytes, rows.selected_bytes);
  for (const int aggregators : {1, 2, 100}) {
    OptionsByRanks some = shared_by(Sharing::domains);
    some.aggregators = aggregators;
    const ReportByRanks report = expect_right(x, dealt, some);
    EXPECT_EQ(sum_of_all(report.read_bytes > 0 ? 1 : 0), static_cast<std::uint64_t>(std::min(aggregators, world.size)));
    EXPECT_EQ(sum_of_all(report.read_bytes), elements_of(shape) * item);
  }
}

TEST(ReadByRanks, MeasuresItsCosts) {
  const World world;
  const Shape shape{256, 1024};
  const SharedSample sample("rooftop-ranks-measured", [&](SampleFile& file) {
    file.add("contiguous", shape);
    file.add("deflated", shape, [](hid_t properties) {
      tests::chunk(properties, {16, 1024});
      H5Pset_deflate(properties, 1);
    });
    file.add("compact", {10}, [](hid_t properties) { H5Pset_layout(properties, H5D_COMPACT); });
  });
  const FileByRanks file(sample.path(), MPI_COMM_WORLD);
  for (const std::string name : {"contiguous", "deflated", "compact"}) {
    const DatasetByRanks dataset = file.dataset(name);
    const Costs costs = dataset.measured_costs();
    for (const double cost :
         {costs.call, costs.byte, costs.decoded_byte, costs.piece, costs.message, costs.sent_byte}) {
      EXPECT_GE(cost, 0);
      EXPECT_LT(cost, 1);
      double least = cost;
      MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
      EXPECT_EQ(least, cost);  // the same on all ranks
    }
    EXPECT_GT(costs.piece, 0);
    OptionsByRanks options;
    options.costs = costs;
    expect_right(dataset, dataset.all(), options);
  }
}

TEST(ReadByRanks, SharesNothingWherePickingCostsMoreThanReading) {
  // Each rank selects a separate part, in small pieces: domains would save a few calls, but copy every piece.
  const World world;
  const Shape shape{static_cast<std::uint64_t>(world.size) * 8192, 64};
  const SharedSample sample("rooftop-ranks-pick", [&](SampleFile& file) { file.add("x", shape); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  const std::vector<Span> own{{static_cast<std::uint64_t>(world.rank) * 8192, 1, 1, 8192}, {0, 1, 1, 16}};
  EXPECT_EQ(expect_right(x, own).sharing, Sharing::alone);
}

TEST(ReadByRanks, DecodesEachChunkOnce) {
  const World world;
  const Shape shape{512, 1024};
  const SharedSample sample("rooftop-ranks-chunks", [&](SampleFile& file) {
    file.add("x", shape, [](hid_t properties) {
      tests::chunk(properties, {16, 1024});
      H5Pset_deflate(properties, 1);
    });
  });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  const ReportByRanks all = expect_right(x, x.all());
  EXPECT_EQ(all.way, Way::chunks);
  EXPECT_EQ(all.sharing, world.size == 1 ? Sharing::alone : Sharing::chunks);
  EXPECT_EQ(sum_of_all(all.reads), 32U);
  EXPECT_GT(all.reads, 0U);
  EXPECT_EQ(sum_of_all(all.sent_bytes), elements_of(shape) * item * static_cast<std::uint64_t>(world.size - 1));
  // Every rank selects a column of each chunk. A rank that reads alone keeps chunks as long as a dataset is open.
  const DatasetByRanks anew = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  const ReportByRanks columns = expect_right(anew, dealt_of(shape, world));
  EXPECT_EQ(sum_of_all(columns.reads), 32U);
  // No chunk is selected by two ranks.
  std::vector<Span> own = x.all();
  own[0] = {static_cast<std::uint64_t>(world.rank) * 16, 1, 1, 16};
  const ReportByRanks rows = expect_right(x, own);
  EXPECT_EQ(rows.sharing, Sharing::alone);
  EXPECT_EQ(rows.sent_bytes, 0U);
}

TEST(ReadByRanks, LeavesToTheLibraryWhatIsItsOwn) {
  const World world;
  const SharedSample sample("rooftop-ranks-library", [](SampleFile& file) {
    file.add("compact", {10, 7}, [](hid_t properties) { H5Pset_layout(properties, H5D_COMPACT); });
    file.add("checked", {10, 7}, [](hid_t properties) {
      tests::chunk(properties, {3, 7});
      H5Pset_fletcher32(properties);
    });
    file.add(
        "unwritten", {10, 7}, [](hid_t) {}, false);
  });
  const FileByRanks file(sample.path(), MPI_COMM_WORLD);
  for (const std::string name : {"compact", "checked"}) {
    const DatasetByRanks dataset = file.dataset(name);
    EXPECT_EQ(expect_right(dataset, dataset.all()).way, Way::library);
  }
  std::int32_t value = -1;
  file.dataset("unwritten").read({{0, 1, 1, 1}, {0, 1, 1, 1}}, &value, item);
  EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace rooftop::h5io
