#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "layouts.hpp"
#include "random_span.hpp"
#include "rooftop/h5io.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::read_by_hdf5;
using tests::SampleFile;

std::vector<std::int32_t> room_for(const Dataset& dataset, const std::vector<Span>& spans) {
  return std::vector<std::int32_t>(dataset.selected_bytes(spans) / sizeof(std::int32_t), -1);
}

std::optional<Report> read_brief(const Dataset& dataset, const std::vector<Span>& spans,
                                 std::vector<std::int32_t>& values) {
  values = room_for(dataset, spans);
  return dataset.read_brief(spans, values.data(), values.size() * sizeof(std::int32_t));
}

TEST(ReadBrief, ReadsAllOfItOrNothing) {
  SampleFile sample("rooftop-h5io-brief");
  tests::add_all_layouts(sample);
  const File file(sample.path());
  std::mt19937_64 random(3);
  for (const std::string& layout : tests::layouts) {
    const Dataset dataset = file.dataset(layout);
    int read = 0;
    for (int i = 0; i < 60; ++i) {
      std::vector<Span> spans;
      for (const std::uint64_t extent : tests::shape) spans.push_back(tests::random_span(extent, random));
      std::vector<std::int32_t> values;
      const auto expected = read_by_hdf5(sample.path(), layout, spans);
      if (const auto report = read_brief(dataset, spans, values)) {
        ASSERT_EQ(values, expected) << layout << " " << i;
        ASSERT_EQ(report->selected_bytes, values.size() * sizeof(std::int32_t));
        ++read;
      } else {
        ASSERT_EQ(values, room_for(dataset, spans)) << layout << " " << i;
        dataset.read(spans, values.data(), values.size() * sizeof(std::int32_t));
        ASSERT_EQ(values, expected) << layout << " " << i;
      }
    }
    // Chunks have to be looked for once; what the library decodes may take long.
    const int least = layout == "checked" ? 0 : 50;
    EXPECT_GE(read, least) << layout;
    if (least == 0) {
      EXPECT_EQ(read, 0) << layout;
    }
  }
}

TEST(ReadBrief, LeavesWhatTakesLong) {
  SampleFile sample("rooftop-h5io-long");
  constexpr std::uint64_t n = 2 << 20;
  sample.add("x", {n});
  sample.add("far", {n / 1024, 1024});
  const Dataset x = File(sample.path()).dataset("x"), far = File(sample.path()).dataset("far");
  std::vector<std::int32_t> values;
  EXPECT_FALSE(read_brief(x, x.all(), values));
  EXPECT_TRUE(read_brief(x, {{n - 100, 1, 1, 100}}, values));
  EXPECT_EQ(values.back(), n - 1);
  EXPECT_FALSE(read_brief(far, {{0, n / 1024, 1, 1}, {3, 1, 1, 1}}, values)) << "2048 calls";
  EXPECT_TRUE(read_brief(far, {{0, 100, 1, 1}, {3, 1, 1, 1}}, values));
}

TEST(ReadBrief, RefusesWhatDoesNotFit) {
  SampleFile sample("rooftop-h5io-brief-fit");
  sample.add("x", {10});
  const Dataset x = File(sample.path()).dataset("x");
  std::vector<std::int32_t> values(10);
  EXPECT_THROW(static_cast<void>(x.read_brief({{5, 1, 6, 6}}, values.data(), 40)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(x.read_brief({{5, 1, 5, 5}}, values.data(), 19)), InvalidArgument);
}

TEST(ReadAtOnce, ReadsByATeamWhatNobodyNeedsToStop) {
  SampleFile sample("rooftop-h5io-at-once");
  constexpr std::uint64_t n = 3 << 20;
  sample.add("x", {n});
  sample.add("long", {2 * n});
  tests::add_all_layouts(sample);
  const File file(sample.path());
  for (const std::string name : {"x", "chunked", "deflated"}) {
    const Dataset dataset = file.dataset(name);
    for (const int threads : {1, 2, 3}) {
      std::vector<std::int32_t> values = room_for(dataset, dataset.all());
      const std::size_t bytes = values.size() * sizeof(std::int32_t);
      auto report = dataset.read_at_once(dataset.all(), values.data(), bytes, {.threads = threads});
      // Chunks have to be looked for once.
      EXPECT_EQ(report.has_value(), name == "x" || threads > 1);
      if (!report) report = dataset.read(dataset.all(), values.data(), bytes, {.threads = threads});
      EXPECT_EQ(values, read_by_hdf5(sample.path(), name, dataset.all()));
      EXPECT_EQ(report->selected_bytes, bytes);
    }
  }
  std::vector<std::int32_t> values(2 * n);
  const Dataset x = file.dataset("long"), compact = file.dataset("compact");
  EXPECT_FALSE(x.read_at_once(x.all(), values.data(), values.size() * sizeof(std::int32_t))) << "24 MiB";
  EXPECT_FALSE(x.read_at_once({{0, 5000, 1000, 1}}, values.data(), 20000)) << "5000 calls";
  EXPECT_FALSE(x.read_at_once({{0, 1, 1, 1}}, values.data(), 4, {.library = true}));
  EXPECT_FALSE(compact.read_at_once(compact.all(), values.data(), values.size())) << "the library reads it";
}

TEST(ReadBrief, SharesChunksBetweenThreads) {
  SampleFile sample("rooftop-h5io-brief-threads");
  tests::add_all_layouts(sample);
  const Dataset dataset = File(sample.path()).dataset("deflated");
  const auto expected = read_by_hdf5(sample.path(), "deflated", dataset.all());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        std::vector<std::int32_t> values;
        if (!read_brief(dataset, dataset.all(), values)) {
          dataset.read(dataset.all(), values.data(), values.size() * sizeof(std::int32_t), {.threads = 2});
        }
        ASSERT_EQ(values, expected);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ChunkCache, ForgetsWhatWasChanged) {
  SampleFile sample("rooftop-h5io-changed");
  tests::add_all_layouts(sample);
  OutputFile output = OutputFile::existing(sample.path());
  const Dataset reader = File(sample.path()).dataset("deflated");
  const OutputDataset writer = output.dataset("deflated");
  const auto all = reader.all();
  std::vector<std::int32_t> values = room_for(reader, all), expected(values.size());
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    for (std::int32_t& one : expected) one = static_cast<std::int32_t>(random() >> (i % 30));
    writer.write(all, expected.data(), expected.size() * sizeof(std::int32_t));
    for (int again = 0; again < 2; ++again) {
      const Report report = reader.read(all, values.data(), values.size() * sizeof(std::int32_t));
      ASSERT_EQ(values, expected);
      ASSERT_EQ(report.reads == 0, again == 1);
    }
  }
}

}  // namespace
}  // namespace rooftop::h5io
