#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <deque>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "layouts.hpp"
#include "message_of.hpp"
#include "random_span.hpp"
#include "rooftop/h5io.hpp"
#include "rooftop/h5io_later.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::chunks;
using tests::message_of;
using tests::random_span;
using tests::read_by_hdf5;
using tests::SampleFile;
using tests::shape;
using tests::whole;
using Shape = std::vector<std::uint64_t>;
using Values = std::vector<std::int32_t>;

/// Requests overlap at random: the file holds the values of the last one.
TEST(WriteLater, KeepsTheOrderOfRequests) {
  const SampleFile sample("rooftop-h5io-later-writes");
  std::mt19937_64 random(7);
  for (const bool chunked : {false, true}) {
    Values expected(23 * 17 * 30);
    OutputFile file(sample.path(), true);
    Creation creation{shape, "<i4", chunked ? chunks : Shape{}, {}};
    if (chunked) creation.filters.push_back({H5Z_FILTER_DEFLATE, "", {1}, true});
    const OutputDataset x = file.dataset("x", creation);
    std::deque<Values> given;
    std::vector<Request> requests;
    const auto write = [&](const std::vector<Span>& spans, std::int32_t value) {
      std::uint64_t count = 1;
      for (const Span& span : spans) count *= span.size();
      given.emplace_back(count, value);
      Options options;
      options.threads = static_cast<int>(random() % 3);
      requests.push_back(x.write_later(spans, given.back().data(), count * 4, options));
      for (std::uint64_t i = 0; i < spans[0].size(); ++i) {
        for (std::uint64_t j = 0; j < spans[1].size(); ++j) {
          for (std::uint64_t k = 0; k < spans[2].size(); ++k) {
            const auto at = [&](const Span& span, std::uint64_t n) {
              return span.start + n / span.block * span.stride + n % span.block;
            };
            expected[(at(spans[0], i) * 17 + at(spans[1], j)) * 30 + at(spans[2], k)] = value;
          }
        }
      }
    };
    write(whole(shape), -1);
    for (std::int32_t value = 0; value < 40; ++value) {
      std::vector<Span> spans;
      for (const std::uint64_t extent : shape) spans.push_back(random_span(extent, random));
      write(spans, value);
      if (value % 8 == 0) write(whole(shape), 1000 + value);
    }
    // A synchronous write follows the pending requests.
    const Values last(17 * 30, 4711);
    x.write({{3, 1, 1, 1}, {0, 1, 1, 17}, {0, 1, 1, 30}}, last.data(), last.size() * 4);
    std::fill_n(expected.begin() + 3 * 17 * 30, 17 * 30, 4711);
    for (const Request& request : requests) EXPECT_TRUE(request.done());
    file.close();
    EXPECT_EQ(read_by_hdf5(sample.path(), "x", whole(shape)), expected) << chunked;
  }
}

TEST(WriteLater, IsInTheFileOnceItIsClosed) {
  const SampleFile sample("rooftop-h5io-later-close");
  Values values(23 * 17 * 30);
  std::iota(values.begin(), values.end(), 0);
  std::vector<Request> requests;
  OutputFile file(sample.path(), true);
  const OutputDataset x = file.dataset("x", {shape, "<i4", chunks, {}});
  for (std::uint64_t i = 0; i < 23; ++i) {
    requests.push_back(
        x.write_later({{i, 1, 1, 1}, {0, 1, 1, 17}, {0, 1, 1, 30}}, values.data() + i * 17 * 30, 17 * 30 * 4));
  }
  file.close();
  for (const Request& request : requests) EXPECT_TRUE(request.done());
  EXPECT_EQ(read_by_hdf5(sample.path(), "x", whole(shape)), values);
  Request late = x.write_later(whole(shape), values.data(), values.size() * 4);
  EXPECT_EQ(message_of<InvalidArgument>([&] { late.wait(); }), sample.path() + " is closed; expected an open file");
}

/// Limits the length of files that this process writes, while it lives.
class LongestFile {
 public:
  explicit LongestFile(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  LongestFile(const LongestFile&) = delete;
  LongestFile& operator=(const LongestFile&) = delete;
  ~LongestFile() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(WriteLater, TellsErrorsOfWritesThatNobodyWaitedFor) {
  const SampleFile sample("rooftop-h5io-later-untold");
  const Values values(1 << 20, 1);
  for (const bool waited : {false, true}) {
    OutputFile file(sample.path(), true);
    const OutputDataset x = file.dataset("x", {{1 << 20}, "<i4", {}, {}});
    {
      const LongestFile limit(1 << 20);
      Request request = x.write_later({{0, 1, 1, 1 << 20}}, values.data(), values.size() * 4);
      if (waited) {
        const std::string message = message_of<FileError>([&] { request.wait(); });
        EXPECT_NE(message.find("cannot be written"), std::string::npos) << message;
      }
    }
    const std::string message = message_of<FileError>([&] { file.close(); });
    if (waited) {
      EXPECT_EQ(message, "nothing was thrown");
    } else {
      EXPECT_NE(message.find("cannot be written"), std::string::npos) << message;
    }
    file.close();
  }
}

}  // namespace
}  // namespace rooftop::h5io
