#include "read_ahead.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <chrono>
#include <numeric>
#include <thread>

#include "chunk_pieces.hpp"
#include "open_file.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::SampleFile;

constexpr std::uint64_t depth = 4, width = 1 << 14, rows = 40;  // a chunk of 256 KiB

void add_deflated(SampleFile& sample, const std::string& name = "x", std::uint64_t chunk_width = width) {
  sample.add(name, {rows, width}, [&](hid_t properties) {
    tests::chunk(properties, {depth, chunk_width});
    H5Pset_deflate(properties, 1);
  });
}

/// Reads a row and returns whether it is right.
bool reads_row(const Dataset& dataset, std::uint64_t row) {
  std::vector<std::int32_t> values(width), expected(width);
  std::iota(expected.begin(), expected.end(), static_cast<std::int32_t>(row * width));
  dataset.read({{row, 1, 1, 1}, {0, 1, 1, width}}, values.data(), width * sizeof(std::int32_t), {.threads = 1});
  return values == expected;
}

std::uint64_t missing(const Dataset& dataset, std::uint64_t row, std::uint64_t count = depth) {
  const std::vector<Span> spans{{row, 1, 1, count}, {0, 1, 1, width}};
  return dataset.opened().memory().missing({spans, dataset.description().chunk}, 1000);
}

bool are_there_soon(const Dataset& dataset, std::uint64_t row) {
  for (int i = 0; i < 1000 && missing(dataset, row) > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return missing(dataset, row) == 0;
}

TEST(ReadAhead, DecodesTheChunksThatComeNext) {
  if (omp_get_num_procs() < 2) GTEST_SKIP() << "one processor: nothing is read ahead";
  SampleFile sample("rooftop-h5io-ahead");
  add_deflated(sample, "x", width / 4);
  const Dataset dataset = File(sample.path()).dataset("x");
  EXPECT_TRUE(reads_row(dataset, 0));
  EXPECT_EQ(missing(dataset, depth), 4) << "one read is no iteration";
  for (std::uint64_t row = 1; row < rows; ++row) {
    EXPECT_TRUE(reads_row(dataset, row));
    const std::uint64_t next = (row / depth + 1) * depth;
    if (next >= rows) break;
    EXPECT_TRUE(are_there_soon(dataset, next)) << row;
    if (next + depth >= rows) break;
    EXPECT_EQ(missing(dataset, next + depth), 4) << "no farther than that";
  }
}

TEST(ReadAhead, FollowsTheFirstDimensionOnly) {
  SampleFile sample("rooftop-h5io-ahead-order");
  add_deflated(sample);
  const Dataset dataset = File(sample.path()).dataset("x");
  for (const std::uint64_t row : {9, 8, 11, 3}) EXPECT_TRUE(reads_row(dataset, row));
  std::int32_t value = 0;
  for (std::uint64_t column = 0; column < 5; ++column) {
    dataset.read({{20, 1, 1, 1}, {column, 1, 1, 1}}, &value, sizeof value);
    EXPECT_EQ(value, static_cast<std::int32_t>(20 * width + column));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (const std::uint64_t row : {4, 12, 16, 24}) EXPECT_EQ(missing(dataset, row), 1) << row;
}

TEST(ReadAhead, KeepsWithinTheChunkCache) {
  SampleFile sample("rooftop-h5io-ahead-large");
  constexpr std::uint64_t large = 5 << 18;  // a chunk of 5 MiB
  sample.add("x", {6, large}, [](hid_t properties) {
    tests::chunk(properties, {1, large});
    H5Pset_deflate(properties, 1);
  });
  const Dataset dataset = File(sample.path()).dataset("x");
  std::vector<std::int32_t> values(large);
  for (std::uint64_t row = 0; row < 3; ++row) {
    dataset.read({{row, 1, 1, 1}, {0, 1, 1, large}}, values.data(), values.size() * sizeof(std::int32_t));
    EXPECT_EQ(values[1], static_cast<std::int32_t>(row * large + 1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::vector<Span> next{{3, 1, 1, 1}, {0, 1, 1, large}};
  EXPECT_EQ(dataset.opened().memory().missing({next, dataset.description().chunk}, 10), 1);
}

TEST(ReadAhead, LeavesErrorsToTheReadThatMeetsThem) {
  SampleFile sample("rooftop-h5io-ahead-damaged");
  add_deflated(sample);
  tests::damage_chunk(sample.path(), "x", {2 * depth, 0});
  const Dataset dataset = File(sample.path()).dataset("x");
  for (std::uint64_t row = 0; row < 2 * depth; ++row) EXPECT_TRUE(reads_row(dataset, row));
  EXPECT_THROW(reads_row(dataset, 2 * depth), FileError);
  EXPECT_TRUE(reads_row(dataset, 3 * depth));
}

TEST(ReadAhead, EndsWithItsDataset) {
  SampleFile sample("rooftop-h5io-ahead-ended");
  add_deflated(sample, "x", width / 16);
  for (int i = 0; i < 30; ++i) {
    const Dataset dataset = File(sample.path()).dataset("x");
    for (std::uint64_t row = 0; row < 2; ++row) EXPECT_TRUE(reads_row(dataset, row));
  }
}

TEST(ReadAhead, SharesChunksWithThreadsAndRequests) {
  SampleFile sample("rooftop-h5io-ahead-threads");
  add_deflated(sample, "x", width / 2);
  const Dataset dataset = File(sample.path()).dataset("x");
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 3; ++t) {
    threads.emplace_back([&dataset, t] {
      for (std::uint64_t row = t * depth; row < rows; ++row) EXPECT_TRUE(reads_row(dataset, row));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ReadAhead, SeesChangesOfTheFile) {
  SampleFile sample("rooftop-h5io-ahead-changed");
  add_deflated(sample);
  OutputFile output = OutputFile::existing(sample.path());
  const OutputDataset writer = output.dataset("x");
  const Dataset dataset = File(sample.path()).dataset("x");
  std::vector<std::int32_t> values(width), changed(depth * width);
  for (std::uint64_t row = 0; row + depth < rows; ++row) {
    EXPECT_TRUE(reads_row(dataset, row));
    if (row % depth != 1) continue;
    // The chunks that come next may have been read by now, or are being read.
    const std::uint64_t next = (row / depth + 1) * depth;
    std::iota(changed.begin(), changed.end(), static_cast<std::int32_t>(next * width));
    changed[0] = -7;
    writer.write({{next, 1, 1, depth}, {0, 1, 1, width}}, changed.data(), changed.size() * sizeof(std::int32_t));
    dataset.read({{next, 1, 1, 1}, {0, 1, 1, width}}, values.data(), values.size() * sizeof(std::int32_t));
    EXPECT_EQ(values[0], -7);
    changed[0] = static_cast<std::int32_t>(next * width);
    writer.write({{next, 1, 1, depth}, {0, 1, 1, width}}, changed.data(), changed.size() * sizeof(std::int32_t));
  }
}

}  // namespace
}  // namespace rooftop::h5io
