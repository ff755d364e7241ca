#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <filesystem>
#include <latch>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "in_a_fork.hpp"
#include "io_thread.hpp"
#include "layouts.hpp"
#include "message_of.hpp"
#include "random_span.hpp"
#include "rooftop/h5io.hpp"
#include "rooftop/h5io_later.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::add_all_layouts;
using tests::chunk;
using tests::layouts;
using tests::message_of;
using tests::random_span;
using tests::read_by_hdf5;
using tests::SampleFile;
using tests::shape;
using tests::whole;
using Values = std::vector<std::int32_t>;

TEST(ReadLater, ReadsWhatReadDoes) {
  SampleFile sample("rooftop-h5io-later");
  add_all_layouts(sample);
  const File file(sample.path());
  std::mt19937_64 random(5);
  struct Asked {
    std::string name;
    std::vector<Span> spans;
    Values values;
    Request request;
  };
  std::deque<Asked> all;
  for (int i = 0; i < 200; ++i) {
    Asked& one = all.emplace_back();
    one.name = layouts[random() % layouts.size()];
    for (const std::uint64_t extent : shape) one.spans.push_back(random_span(extent, random));
    const Dataset dataset = file.dataset(one.name);
    one.values.assign(dataset.selected_bytes(one.spans) / sizeof(std::int32_t), -1);
    Options options;
    options.threads = i % 3;
    one.request = dataset.read_later(one.spans, one.values.data(), one.values.size() * 4, options);
  }
  for (Asked& one : all) {
    const Dataset dataset = file.dataset(one.name);
    Values expected(one.values.size());
    const Report report = dataset.read(one.spans, expected.data(), expected.size() * 4);
    const Report later = one.request.wait();
    ASSERT_EQ(one.values, expected) << one.name;
    EXPECT_EQ(later.way, report.way) << one.name;
    EXPECT_EQ(later.selected_bytes, report.selected_bytes);
    EXPECT_EQ(one.request.wait().selected_bytes, report.selected_bytes);
    EXPECT_TRUE(one.request.done());
  }
}

TEST(ReadLater, IsFinishedByWhoNeverWaits) {
  SampleFile sample("rooftop-h5io-never");
  sample.add("deflated", {64, 64}, [](hid_t properties) {
    chunk(properties, {8, 8});
    H5Pset_deflate(properties, 1);
  });
  const auto expected = read_by_hdf5(sample.path(), "deflated", whole({64, 64}));
  Values values(64 * 64);
  {
    // The file and the dataset are destroyed before the request.
    const Request request =
        File(sample.path()).dataset("deflated").read_later(whole({64, 64}), values.data(), values.size() * 4);
  }
  EXPECT_EQ(values, expected);

  std::vector<Values> many(300, Values(64));
  {
    std::vector<Request> requests;
    const Dataset dataset = File(sample.path()).dataset("deflated");
    for (std::size_t i = 0; i < many.size(); ++i) {
      const std::vector<Span> row{{i % 64, 1, 1, 1}, {0, 1, 1, 64}};
      requests.push_back(dataset.read_later(row, many[i].data(), 256));
    }
  }
  for (std::size_t i = 0; i < many.size(); ++i) EXPECT_EQ(many[i][3], expected[i % 64 * 64 + 3]) << i;
}

TEST(ReadLater, IsDoneInTheOrderOfRequests) {
  SampleFile sample("rooftop-h5io-order");
  add_all_layouts(sample);
  const File file(sample.path());
  Values values(23 * 17 * 30);
  std::vector<Request> requests;
  for (int i = 0; i < 50; ++i) {
    const Dataset dataset = file.dataset(layouts[static_cast<std::size_t>(i) % layouts.size()]);
    requests.push_back(dataset.read_later(whole(shape), values.data(), values.size() * 4));
  }
  requests[30].wait();
  for (std::size_t i = 0; i <= 30; ++i) EXPECT_TRUE(requests[i].done()) << i;
  // The destructors wait for the remaining requests.
}

TEST(ReadLater, RefusesAtOnceWhatDoesNotFit) {
  SampleFile sample("rooftop-h5io-later-refuse");
  sample.add("x", {10, 4});
  const Dataset x = File(sample.path()).dataset("x");
  Values values(40);
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              static_cast<void>(x.read_later(whole({10, 4}), values.data(), 8));
            }),
            "the selection takes 160 bytes, the memory has 8; expected room for all");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              static_cast<void>(x.read_later({{0, 1, 1, 1}}, values.data(), 8));
            }),
            "the selection has 1 dimensions, the dataset 2; expected as many");
  Options options;
  options.threads = -1;
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              static_cast<void>(x.read_later(whole({10, 4}), values.data(), 160, options));
            }),
            "threads is -1; expected 0 or more");
  EXPECT_EQ(message_of<InvalidArgument>([] { Request().wait(); }),
            "there is no request to wait for; expected one that was made and not moved away");
  EXPECT_TRUE(Request().done());
}

TEST(ReadLater, KeepsErrorsForWait) {
  SampleFile sample("rooftop-h5io-later-errors");
  sample.add("x", {1000});
  sample.add("deflated", {64, 64}, [](hid_t properties) {
    chunk(properties, {64, 32});
    H5Pset_deflate(properties, 6);
  });
  tests::damage_chunk(sample.path(), "deflated", {0, 32});
  const File file(sample.path());
  const Dataset deflated = file.dataset("deflated"), x = file.dataset("x");
  std::filesystem::resize_file(sample.path(), 3000);
  Values damaged(64 * 64), sound(64), cut(1000);
  // Whether the chunk index was cut off or had been read before, there is an error message.
  Request first = deflated.read_later(whole({64, 64}), damaged.data(), damaged.size() * 4);
  Request second = x.read_later({{0, 1, 1, 1}}, sound.data(), 4);
  Request third = x.read_later({{0, 1, 1, 1000}}, cut.data(), 4000);
  EXPECT_NE(message_of<FileError>([&] { first.wait(); }), "nothing was thrown");
  const std::string message = message_of<FileError>([&] { third.wait(); });
  EXPECT_NE(message.find("is cut short: it has 3000 bytes"), std::string::npos) << message;
  EXPECT_EQ(message_of<FileError>([&] { third.wait(); }), message);
  EXPECT_EQ(second.wait().selected_bytes, 4U);
  EXPECT_EQ(sound[0], 0);
}

TEST(ReadLater, NamesADamagedChunk) {
  SampleFile sample("rooftop-h5io-later-damage");
  sample.add("deflated", {64, 64}, [](hid_t properties) {
    chunk(properties, {64, 32});
    H5Pset_deflate(properties, 6);
  });
  tests::damage_chunk(sample.path(), "deflated", {0, 32});
  Values values(64 * 64);
  Request request =
      File(sample.path()).dataset("deflated").read_later(whole({64, 64}), values.data(), values.size() * 4);
  EXPECT_EQ(message_of<FileError>([&] { request.wait(); }),
            sample.path() + ": dataset deflated: the chunk at 0 32: is no data that deflate wrote, or is damaged");
}

TEST(ReadLater, StopsWhenAsked) {
  SampleFile sample("rooftop-h5io-later-stop");
  sample.add("x", {100, 1000}, [](hid_t properties) {
    chunk(properties, {1, 100});
    H5Pset_deflate(properties, 1);
  });
  const Dataset x = File(sample.path()).dataset("x");
  const auto expected = read_by_hdf5(sample.path(), "x", whole({100, 1000}));
  std::int32_t stop = 0;
  Options options;
  options.stop = &stop;
  std::deque<Values> values;
  std::vector<Request> requests;
  for (int i = 0; i < 20; ++i) {
    values.emplace_back(100 * 1000);
    requests.push_back(x.read_later(whole({100, 1000}), values.back().data(), 400000, options));
  }
  requests[2].wait();
  std::atomic_ref(stop).store(1);
  bool stopped = false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    try {
      requests[i].wait();
      EXPECT_FALSE(stopped) << "one behind a request that was stopped went on";
      EXPECT_EQ(values[i], expected);
    } catch (const Stopped&) {
      stopped = true;
    }
  }
  EXPECT_THROW(x.read_later(whole({100, 1000}), values[0].data(), 400000, options).wait(), Stopped);
}

TEST(Prefetch, AsksForWhatIsSelected) {
  SampleFile sample("rooftop-h5io-prefetch");
  constexpr std::uint64_t n = 1 << 20;
  sample.add("x", {n});
  sample.add("deflated", {64, 64}, [](hid_t properties) {
    chunk(properties, {8, 8});
    H5Pset_deflate(properties, 1);
  });
  sample.add("compact", {10}, [](hid_t properties) { H5Pset_layout(properties, H5D_COMPACT); });
  const File file(sample.path());
  const Dataset x = file.dataset("x"), deflated = file.dataset("deflated"), compact = file.dataset("compact");
  Report report = x.prefetch(x.all()).wait();
  EXPECT_EQ(report.way, Way::direct);
  EXPECT_EQ(report.read_bytes, n * 4);
  EXPECT_EQ(report.reads, n * 4 / (128 << 10));
  // Gaps of 192 bytes are read as well, gaps of 64 KiB are not.
  EXPECT_EQ(x.prefetch({{0, n / 64, 64, 16}}).wait().read_bytes, n * 4 - 192);
  report = x.prefetch({{0, n / 16384, 16384, 16}}).wait();
  EXPECT_EQ(report.read_bytes, report.selected_bytes);
  EXPECT_EQ(report.reads, n / 16384);
  report = deflated.prefetch({{0, 1, 1, 9}, {0, 1, 1, 64}}).wait();
  EXPECT_EQ(report.way, Way::chunks);
  EXPECT_EQ(report.reads, 16U);
  EXPECT_EQ(compact.prefetch(compact.all()).wait().read_bytes, 0U);
  EXPECT_THROW(static_cast<void>(x.prefetch({{0, 1, 1, n + 1}})), InvalidArgument);
}

TEST(IoThreadTest, IsAskedByManyThreadsAtOnce) {
  SampleFile sample("rooftop-h5io-askers");
  add_all_layouts(sample);
  const File file(sample.path());
  const auto expected = read_by_hdf5(sample.path(), "deflated", whole(shape));
  std::atomic<int> right{0};
  std::vector<std::thread> askers;
  for (int i = 0; i < 4; ++i) {
    askers.emplace_back([&] {
      const Dataset dataset = file.dataset("deflated");
      Values values(expected.size());
      for (int turn = 0; turn < 5; ++turn) {
        dataset.read_later(whole(shape), values.data(), values.size() * 4).wait();
        right += values == expected;
      }
    });
  }
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(right, 20);
}

TEST(IoThreadTest, StaysWithItsProcess) {
  if (!ROOFTOP_FORKS) GTEST_SKIP() << "the thread sanitizer lets no thread start there";
  const internal::IoThread io;
  std::latch go_on(1), begun(1);
  const auto held = io.add([&] {
    begun.count_down();
    go_on.wait();
    return Report{};
  });
  const auto behind = io.add([] { return Report{Way::direct, 1, 1, 1}; });
  begun.wait();
  // A request that was pending at the fork is refused in the child process, which starts an I/O thread of its own.
  EXPECT_TRUE(c_interface::right_in_a_fork([&] {
    const bool refused = message_of<InvalidArgument>([&] {
                           behind->wait();
                         }).starts_with("the request is of the process that this one was forked from");
    const auto own = io.add([] { return Report{Way::chunks, 2, 2, 2}; });
    return refused && held->done_within(std::chrono::hours(1)) && own->wait().reads == 2;
  }));
  go_on.count_down();
  EXPECT_EQ(behind->wait().reads, 1U);
}

TEST(IoThreadTest, LeavesTheLibraryToAForkedProcess) {
  if (!ROOFTOP_FORKS) GTEST_SKIP() << "the thread sanitizer lets no thread start there";
  SampleFile sample("rooftop-h5io-fork");
  add_all_layouts(sample);
  const File file(sample.path());
  const Dataset checked = file.dataset("checked");
  const auto expected = read_by_hdf5(sample.path(), "checked", whole(shape));
  for (int turn = 0; turn < 5; ++turn) {
    Values values(expected.size());
    std::vector<Request> requests;
    for (int i = 0; i < 20; ++i) {
      requests.push_back(checked.read_later(whole(shape), values.data(), values.size() * 4));
    }
#ifdef ROOFTOP_SANITIZED
    // Before LLVM 19, what the sanitizer allocates with stays locked if a thread allocates while another one forks.
    for (Request& request : requests) request.wait();
#endif
    EXPECT_TRUE(c_interface::right_in_a_fork([&] {
      Values own(expected.size());
      file.dataset("checked").read_later(whole(shape), own.data(), own.size() * 4).wait();
      return own == expected;
    }));
  }
}

}  // namespace
}  // namespace rooftop::h5io
