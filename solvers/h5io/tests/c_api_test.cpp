#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "in_a_fork.hpp"
#include "rooftop/h5io.h"

extern "C" int h5io_from_c(const char* path, rooftop_h5io_file** file);

namespace {

TEST(H5ioCInterface, HasTheVersionOfItsHeader) { EXPECT_EQ(rooftop_h5io_abi_version(), ROOFTOP_H5IO_ABI_VERSION); }

TEST(H5ioCInterface, LeavesAMessage) {
  auto* file = reinterpret_cast<rooftop_h5io_file*>(1);
  EXPECT_EQ(h5io_from_c("/no/such/file.h5", &file), ROOFTOP_H5IO_FILE_ERROR);
  EXPECT_EQ(file, nullptr);
  EXPECT_STREQ(rooftop_h5io_last_error(), "/no/such/file.h5: cannot be opened: No such file or directory");
}

TEST(H5ioCInterface, RefusesNulls) {
  EXPECT_EQ(rooftop_h5io_open(nullptr, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_STREQ(rooftop_h5io_last_error(), "path is null; expected a pointer");
  EXPECT_EQ(rooftop_h5io_datasets(nullptr, nullptr, 0, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_dataset_open(nullptr, "x", nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_describe(nullptr, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_filter(nullptr, 0, nullptr, nullptr, 0), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_change(nullptr, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_dataset_change(nullptr, "x", nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_output_describe(nullptr, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_read(nullptr, 0, nullptr, nullptr, 0, nullptr, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_STREQ(rooftop_h5io_last_error(), "dataset is null; expected a pointer");
  EXPECT_EQ(rooftop_h5io_read_brief(nullptr, 0, nullptr, nullptr, 0, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  rooftop_h5io_close(nullptr);
  rooftop_h5io_dataset_close(nullptr);
  rooftop_h5io_default_options(nullptr);
  rooftop_h5io_request_destroy(nullptr);
  EXPECT_EQ(rooftop_h5io_wait(nullptr, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_wait_for(nullptr, 1, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  auto* request = reinterpret_cast<rooftop_h5io_request*>(1);
  EXPECT_EQ(rooftop_h5io_read_later(nullptr, 0, nullptr, nullptr, 0, nullptr, &request), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(request, nullptr);
  EXPECT_EQ(rooftop_h5io_prefetch(nullptr, 0, nullptr, nullptr, nullptr), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_write_later(nullptr, 0, nullptr, nullptr, 0, nullptr, &request),
            ROOFTOP_H5IO_INVALID_ARGUMENT);
}

/// A file with a deflated dataset of 100 x 30 numbers, counted from 0, written by one request for each row.
class SampleFile {
 public:
  SampleFile()
      : path_(std::filesystem::temp_directory_path() / ("rooftop-h5io-c-" + std::to_string(getpid()) + ".h5")) {
    const uint64_t shape[] = {rows, columns}, chunk[] = {1, columns};
    const uint32_t level = 1;
    const rooftop_h5io_filter_step deflate{1, 1, &level};
    const rooftop_h5io_creation creation{2, 1, shape, "<i4", chunk, &deflate};
    std::iota(values.begin(), values.end(), 0);
    rooftop_h5io_output* output = nullptr;
    rooftop_h5io_output_dataset* x = nullptr;
    EXPECT_EQ(rooftop_h5io_create(path_.c_str(), 1, &output), ROOFTOP_H5IO_OK);
    EXPECT_EQ(rooftop_h5io_dataset_create(output, "x", &creation, &x), ROOFTOP_H5IO_OK);
    std::vector<rooftop_h5io_request*> requests(rows);
    for (uint64_t i = 0; i < rows; ++i) {
      const rooftop_h5io_span row[] = {{i, 1, 1, 1}, {0, 1, 1, columns}};
      EXPECT_EQ(rooftop_h5io_write_later(x, 2, row, values.data() + i * columns, columns * 4, nullptr, &requests[i]),
                ROOFTOP_H5IO_OK);
    }
    rooftop_h5io_report report;
    EXPECT_EQ(rooftop_h5io_wait(requests[7], &report), ROOFTOP_H5IO_OK);
    EXPECT_EQ(report.way, ROOFTOP_H5IO_CHUNKS);
    EXPECT_EQ(rooftop_h5io_finish(output), ROOFTOP_H5IO_OK);
    for (rooftop_h5io_request* request : requests) rooftop_h5io_request_destroy(request);
    rooftop_h5io_output_dataset_destroy(x);
    rooftop_h5io_output_destroy(output);
  }
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;
  ~SampleFile() { std::filesystem::remove(path_); }

  [[nodiscard]] const std::string& path() const { return path_; }

  static constexpr uint64_t rows = 100, columns = 30;
  static constexpr rooftop_h5io_span all[] = {{0, 1, 1, rows}, {0, 1, 1, columns}};
  std::vector<int32_t> values = std::vector<int32_t>(rows * columns);

 private:
  std::string path_;
};

TEST(H5ioCInterface, ReadsLater) {
  const SampleFile sample;
  rooftop_h5io_file* file = nullptr;
  rooftop_h5io_dataset* x = nullptr;
  ASSERT_EQ(rooftop_h5io_open(sample.path().c_str(), &file), ROOFTOP_H5IO_OK);
  ASSERT_EQ(rooftop_h5io_dataset_open(file, "x", &x), ROOFTOP_H5IO_OK);
  std::vector<int32_t> found(sample.values.size());
  rooftop_h5io_request *hint = nullptr, *request = nullptr;
  ASSERT_EQ(rooftop_h5io_prefetch(x, 2, SampleFile::all, nullptr, &hint), ROOFTOP_H5IO_OK);
  ASSERT_EQ(rooftop_h5io_read_later(x, 2, SampleFile::all, found.data(), found.size() * 4, nullptr, &request),
            ROOFTOP_H5IO_OK);
  rooftop_h5io_dataset_close(x);
  rooftop_h5io_close(file);
  int32_t done = 0;
  EXPECT_EQ(rooftop_h5io_wait_for(request, -1, &done), ROOFTOP_H5IO_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_h5io_wait_for(request, 600, &done), ROOFTOP_H5IO_OK);
  EXPECT_EQ(done, 1);
  rooftop_h5io_report report;
  EXPECT_EQ(rooftop_h5io_wait(request, &report), ROOFTOP_H5IO_OK);
  EXPECT_EQ(report.reads, SampleFile::rows);
  EXPECT_EQ(found, sample.values);
  EXPECT_EQ(rooftop_h5io_wait(hint, &report), ROOFTOP_H5IO_OK);
  EXPECT_EQ(report.reads, SampleFile::rows);
  rooftop_h5io_request_destroy(hint);
  rooftop_h5io_request_destroy(request);
}

TEST(H5ioCInterface, WorksInAForkOfAProcessThatUsedIt) {
  if (!ROOFTOP_FORKS) GTEST_SKIP() << "the thread sanitizer lets no thread start there";
  const SampleFile sample;
  rooftop_h5io_file* file = nullptr;
  rooftop_h5io_dataset* x = nullptr;
  ASSERT_EQ(rooftop_h5io_open(sample.path().c_str(), &file), ROOFTOP_H5IO_OK);
  ASSERT_EQ(rooftop_h5io_dataset_open(file, "x", &x), ROOFTOP_H5IO_OK);
  rooftop_h5io_options options;
  rooftop_h5io_default_options(&options);
  options.threads = 2;
  const auto right = [&] {
    std::vector<int32_t> now(sample.values.size()), later(now);
    rooftop_h5io_request* request = nullptr;
    bool well = rooftop_h5io_read_later(x, 2, SampleFile::all, later.data(), later.size() * 4, &options, &request) == 0;
    well = rooftop_h5io_read(x, 2, SampleFile::all, now.data(), now.size() * 4, &options, nullptr) == 0 && well;
    // Its chunks are kept by now, in the other process as well.
    rooftop_h5io_report report{};
    std::vector<int32_t> again(now.size());
    well = rooftop_h5io_read_brief(x, 2, SampleFile::all, again.data(), again.size() * 4, &report) == 0 && well;
    well = well && again == now && report.reads == 0;
    well = rooftop_h5io_wait(request, nullptr) == 0 && well;
    rooftop_h5io_request_destroy(request);
    return well && now == sample.values && later == sample.values;
  };
  EXPECT_TRUE(right());
  // A request made before the fork belongs to the parent process.
  std::vector<int32_t> pending(sample.values.size());
  rooftop_h5io_request* request = nullptr;
  ASSERT_EQ(rooftop_h5io_read_later(x, 2, SampleFile::all, pending.data(), pending.size() * 4, nullptr, &request), 0);
  EXPECT_TRUE(rooftop::c_interface::right_in_a_fork([&] {
    const int status = rooftop_h5io_wait(request, nullptr);
    return right() && (status == ROOFTOP_H5IO_OK || status == ROOFTOP_H5IO_INVALID_ARGUMENT);
  }));
  EXPECT_EQ(rooftop_h5io_wait(request, nullptr), ROOFTOP_H5IO_OK);
  EXPECT_EQ(pending, sample.values);
  rooftop_h5io_request_destroy(request);
  rooftop_h5io_dataset_close(x);
  rooftop_h5io_close(file);
}

}  // namespace
