// Planned reads return the numbers in the file in every run, refuse a file that was changed, and tell ranks of errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <utility>

#include "on_ranks.hpp"
#include "open_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::dealt_of;
using tests::message_of;
using tests::numbers_of;
using tests::on_first;
using tests::rows_of;
using tests::SampleFile;
using tests::Shape;
using tests::SharedSample;
using tests::World;

constexpr std::uint64_t item = sizeof(std::int32_t);
constexpr Sharing ways[]{Sharing::alone, Sharing::domains, Sharing::chunks};

OptionsByRanks shared_by(std::optional<Sharing> sharing, ThrownOn errors = ThrownOn::all_ranks) {
  OptionsByRanks options;
  options.threads = 2;
  options.sharing = sharing;
  options.errors = errors;
  return options;
}

/// A planned read of numbers 0, 1, 2, … and its memory.
class PlannedNumbers {
 public:
  PlannedNumbers(const DatasetByRanks& dataset, const std::vector<Span>& spans, const OptionsByRanks& options)
      : expected_(numbers_of(dataset.description().shape, spans)),
        values_(expected_.size()),
        plan_(dataset.plan(spans, values_.data(), values_.size() * item, options)) {
    EXPECT_EQ(plan_.selected_bytes(), values_.size() * item);
  }

  [[nodiscard]] Sharing sharing() const { return plan_.sharing(); }
  /// Reads into memory that has other values, and compares.
  ReportByRanks expect_right() {
    const ReportByRanks report = run();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      wrong += static_cast<std::uint64_t>(values_[i]) == expected_[i] ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0U) << "rank " << World().rank << " of " << values_.size();
    EXPECT_EQ(report.selected_bytes, values_.size() * item);
    EXPECT_EQ(report.sharing, plan_.sharing());
    return report;
  }
  ReportByRanks run() {
    std::fill(values_.begin(), values_.end(), -1);
    return plan_.run();
  }

 private:
  std::vector<std::uint64_t> expected_;
  std::vector<std::int32_t> values_;
  PlannedRead plan_;
};

/// Returns the message of an error that not all ranks have, and of which `first` is the lowest.
std::string told_by(int first, const std::string& message) {
  return World().size == 1 ? message : "rank " + std::to_string(first) + ": " + message;
}

/// Three datasets of that shape, each of another layout.
void add_layouts(SampleFile& file, const Shape& shape) {
  std::vector<std::uint64_t> chunk;
  for (const std::uint64_t extent : shape) chunk.push_back(std::max<std::uint64_t>(extent * 2 / 5, 1));
  file.add("contiguous", shape);
  file.add("chunked", shape, [&](hid_t properties) { tests::chunk(properties, chunk); });
  file.add("deflated", shape, [&](hid_t properties) {
    tests::chunk(properties, chunk);
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 2);
  });
}

class PlannedReadOfShape : public testing::TestWithParam<Shape> {};

TEST_P(PlannedReadOfShape, IsRightInEveryRun) {
  const World world;
  const Shape shape = GetParam();
  const SharedSample sample("rooftop-ranks-planned", [&](SampleFile& file) { add_layouts(file, shape); });
  const FileByRanks file(sample.path(), MPI_COMM_WORLD);
  for (const std::string name : {"contiguous", "chunked", "deflated"}) {
    const DatasetByRanks dataset = file.dataset(name);
    auto nothing = dataset.all();
    nothing[0].count = 0;
    for (const std::optional<Sharing> sharing : {std::optional<Sharing>{}, std::optional{Sharing::alone},
                                                 std::optional{Sharing::domains}, std::optional{Sharing::chunks}}) {
      for (const ThrownOn errors : {ThrownOn::all_ranks, ThrownOn::own_rank}) {
        for (const auto& spans : {rows_of(shape, world), dealt_of(shape, world), dataset.all(), nothing,
                                  world.rank == world.size - 1 ? dataset.all() : nothing}) {
          PlannedNumbers numbers(dataset, spans, shared_by(sharing, errors));
          const std::uint64_t sent = numbers.expect_right().sent_bytes;
          for (int again = 0; again < 3; ++again) EXPECT_EQ(numbers.expect_right().sent_bytes, sent);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, PlannedReadOfShape,
                         testing::Values(Shape{1}, Shape{1009}, Shape{3, 5, 7}, Shape{2, 4099}, Shape{211, 1, 13}),
                         [](const auto& info) {
                           std::string name = "of";
                           for (const std::uint64_t extent : info.param) name += "_" + std::to_string(extent);
                           return name;
                         });

TEST(PlannedRead, SharesAsAReadDoes) {
  const World world;
  const Shape shape{2048, 64, 16};
  const SharedSample sample("rooftop-ranks-planned-shared", [&](SampleFile& file) { add_layouts(file, shape); });
  const FileByRanks file(sample.path(), MPI_COMM_WORLD);
  const std::vector<Span> sparse{{0, 1, 1, 2048}, {static_cast<std::uint64_t>(world.rank), 1, 1, 1}, {0, 1, 1, 16}};
  PlannedNumbers pieces(file.dataset("contiguous"), sparse, {});
  EXPECT_EQ(pieces.sharing(), world.size == 1 ? Sharing::alone : Sharing::domains);
  PlannedNumbers chunks(file.dataset("deflated"), file.dataset("deflated").all(), {});
  EXPECT_EQ(chunks.sharing(), world.size == 1 ? Sharing::alone : Sharing::chunks);
  PlannedNumbers rows(file.dataset("contiguous"), rows_of(shape, world), {});
  EXPECT_EQ(rows.sharing(), Sharing::alone);
  // Plans of one communicator may take turns.
  for (int again = 0; again < 3; ++again) {
    for (PlannedNumbers* const one : {&pieces, &chunks, &rows}) one->expect_right();
  }
}

TEST(PlannedRead, MovesWithItsState) {
  const Shape shape{30, 30};
  const SharedSample sample("rooftop-ranks-planned-moved", [&](SampleFile& file) { file.add("x", shape); });
  std::vector<std::int32_t> values(900);
  std::optional<PlannedRead> kept;
  {
    const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
    PlannedRead plan = x.plan(x.all(), values.data(), values.size() * item, shared_by(Sharing::domains));
    plan.run();
    kept.emplace(std::move(plan));
  }
  std::fill(values.begin(), values.end(), -1);
  kept->run();  // the dataset's own object is gone
  EXPECT_EQ(values.front(), 0);
  EXPECT_EQ(values.back(), 899);
}

TEST(PlannedRead, SendsNothingWhereErrorsAreOfTheOwnRank) {
  const World world;
  const Shape shape{64, 64};
  const SharedSample sample("rooftop-ranks-planned-own", [&](SampleFile& file) { file.add("x", shape); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  PlannedNumbers numbers(x, rows_of(shape, world), shared_by(Sharing::alone, ThrownOn::own_rank));
  // It would hang if it were collective.
  on_first([&] { numbers.expect_right(); });
  // What rank 0 says holds for all.
  PlannedNumbers of_first(x, rows_of(shape, world),
                          shared_by(Sharing::alone, world.rank == 0 ? ThrownOn::own_rank : ThrownOn::all_ranks));
  on_first([&] { of_first.expect_right(); });
}

TEST(PlannedRead, TellsOfADamagedChunkThatOneRankReads) {
  const World world;
  const Shape shape{64, 64};
  const SharedSample sample("rooftop-ranks-planned-damaged", [&](SampleFile& file) {
    file.add("x", shape, [](hid_t properties) {
      tests::chunk(properties, {64, 16});
      H5Pset_deflate(properties, 5);
    });
  });
  on_first([&] { tests::damage_chunk(sample.path(), "x", {0, 32}); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  const int last = world.size - 1;
  const std::vector<Span> spans{{0, 1, 1, 64}, {0, 1, 1, world.rank == last ? std::uint64_t{33} : 32}};
  const std::string damaged =
      sample.path() + ": dataset x: the chunk at 0 32: is no data that deflate wrote, or is damaged";
  for (const Sharing sharing : ways) {
    PlannedNumbers numbers(x, spans, shared_by(sharing));
    for (int again = 0; again < 3; ++again) {
      EXPECT_EQ(message_of<FileError>([&] { numbers.run(); }), told_by(last, damaged));
    }
  }
  PlannedNumbers own(x, spans, shared_by(Sharing::alone, ThrownOn::own_rank));
  PlannedNumbers sharing(x, spans, shared_by(Sharing::chunks, ThrownOn::own_rank));
  for (int again = 0; again < 3; ++again) {
    if (world.rank == last) {
      EXPECT_EQ(message_of<FileError>([&] { own.run(); }), damaged);
    } else {
      own.expect_right();
    }
    if (world.size > 1) {
      EXPECT_EQ(message_of<FileError>([&] { sharing.run(); }), told_by(last, damaged));
    }
  }
}

TEST(PlannedRead, RefusesAFileThatWasChanged) {
  const Shape shape{20, 50};
  for (const std::string name : {"contiguous", "chunked"}) {
    const SharedSample sample("rooftop-ranks-planned-changed", [&](SampleFile& file) { add_layouts(file, shape); });
    const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset(name);
    std::vector<PlannedNumbers> plans;
    for (const Sharing sharing : ways) {
      plans.emplace_back(x, x.all(), shared_by(sharing));
      plans.emplace_back(x, x.all(), shared_by(sharing, ThrownOn::own_rank));
    }
    for (PlannedNumbers& numbers : plans) numbers.expect_right();
    on_first([&] {
      // Not through this library: the first row's elements 2, 3 and 4 become 7, in both datasets.
      const std::vector<std::int32_t> old{1, 2, 3, 4, 5}, changed{1, 7, 7, 7, 5};
      const auto words = [](const std::vector<std::int32_t>& of) {
        return std::string(reinterpret_cast<const char*>(of.data()), of.size() * item);
      };
      std::fstream file(sample.path(), std::ios::in | std::ios::out | std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      for (auto at = bytes.find(words(old)); at != std::string::npos; at = bytes.find(words(old), at + 1)) {
        file.seekp(static_cast<std::streamoff>(at));
        file << words(changed);
      }
      file.close();
      // The clock of files may not have moved on since the sample was written.
      std::filesystem::last_write_time(sample.path(),
                                       std::filesystem::last_write_time(sample.path()) + std::chrono::seconds(1));
    });
    const std::string refused = sample.path() + ": dataset " + name + ": the file was changed since it was opened";
    for (PlannedNumbers& numbers : plans) {
      for (int again = 0; again < 2; ++again) {
        const auto message = message_of<FileError>([&] { numbers.run(); });
        EXPECT_EQ(message.substr(0, refused.size()), refused);
      }
    }
    const auto message = message_of<FileError>([&] { PlannedNumbers(x, x.all(), {}); });
    EXPECT_EQ(message.substr(0, refused.size()), refused);
    const DatasetByRanks anew = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset(name);
    std::vector<std::int32_t> values(1000);
    PlannedRead plan = anew.plan(anew.all(), values.data(), values.size() * item);
    plan.run();
    EXPECT_EQ(std::vector<std::int32_t>(values.begin(), values.begin() + 6),
              (std::vector<std::int32_t>{0, 1, 7, 7, 7, 5}));
  }
}

TEST(PlannedRead, RefusesAFileThatWasCutShort) {
  const World world;
  const Shape shape{64, 4096};
  const SharedSample sample("rooftop-ranks-planned-cut", [&](SampleFile& file) { file.add("x", shape); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  std::vector<PlannedNumbers> plans;
  for (const Sharing sharing : ways) {
    plans.emplace_back(x, rows_of(shape, world), shared_by(sharing));
    plans.emplace_back(x, dealt_of(shape, world), shared_by(sharing));
  }
  on_first([&] { std::filesystem::resize_file(sample.path(), 600000); });
  for (PlannedNumbers& numbers : plans) {
    const auto message = message_of<FileError>([&] { numbers.run(); });
    EXPECT_NE(message.find("and has 600000"), std::string::npos) << message;
  }
}

TEST(PlannedRead, TellsAllRanksOfMistakesAndStops) {
  const World world;
  const Shape shape{10, 10};
  const SharedSample sample("rooftop-ranks-planned-mistakes", [&](SampleFile& file) { file.add("x", shape); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  const int last = world.size - 1;
  std::int32_t value = 0;
  for (const ThrownOn errors : {ThrownOn::all_ranks, ThrownOn::own_rank}) {
    EXPECT_EQ(message_of<InvalidArgument>([&] {
                static_cast<void>(x.plan({{0, 1, 1, 1}, {0, 1, 1, world.rank == last ? std::uint64_t{2} : 1}}, &value,
                                         item, shared_by({}, errors)));
              }),
              told_by(last, "the selection takes 8 bytes, the memory has 4; expected room for all"));
  }
  for (const Sharing sharing : {Sharing::alone, Sharing::domains}) {
    std::int32_t stop = 0;
    OptionsByRanks options = shared_by(sharing);
    options.stop = &stop;
    PlannedNumbers numbers(x, rows_of(shape, world), options);
    numbers.expect_right();
    stop = world.rank == 0 ? 1 : 0;  // it has elements to read, and the only domain
    EXPECT_EQ(message_of<Stopped>([&] { numbers.run(); }), told_by(0, "the read was asked to stop"));
    stop = 0;
    numbers.expect_right();
  }
}

}  // namespace
}  // namespace rooftop::h5io
