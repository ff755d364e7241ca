#include <gtest/gtest.h>

#include <cstring>
#include <string>

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
  rooftop_h5io_close(nullptr);
  rooftop_h5io_dataset_close(nullptr);
  rooftop_h5io_default_options(nullptr);
}

}  // namespace
