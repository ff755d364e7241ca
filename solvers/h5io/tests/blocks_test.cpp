#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "layouts.hpp"
#include "message_of.hpp"
#include "rooftop/h5io.hpp"
#include "rooftop/h5io_later.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::add_all_layouts;
using tests::layouts;
using tests::message_of;
using tests::read_by_hdf5;
using tests::SampleFile;
using tests::shape;
using tests::whole;
using Values = std::vector<std::int32_t>;

TEST(BlocksTest, AreTheWholeDatasetInOrder) {
  SampleFile sample("rooftop-h5io-blocks");
  add_all_layouts(sample);
  const File file(sample.path());
  for (const std::string& name : layouts) {
    const Dataset dataset = file.dataset(name);
    const auto expected = read_by_hdf5(sample.path(), name, whole(shape));
    for (const std::uint64_t rows : {1, 5, 23, 40}) {
      for (const int ahead : {0, 1, 3}) {
        Blocks blocks(dataset, rows, ahead);
        Values seen;
        while (const std::optional<Block> block = blocks.next()) {
          ASSERT_EQ(block->first * 17 * 30, seen.size());
          ASSERT_EQ(block->bytes, block->rows * 17 * 30 * 4);
          const auto* const values = static_cast<const std::int32_t*>(block->values);
          seen.insert(seen.end(), values, values + block->rows * 17 * 30);
        }
        EXPECT_EQ(seen, expected) << name << " " << rows << " " << ahead;
        EXPECT_FALSE(blocks.next().has_value());
      }
    }
    // The destructor waits for pending requests.
    Blocks left(dataset, 2, 3);
    static_cast<void>(left.next());
  }
}

TEST(BlocksTest, UseTheirBuffersAgain) {
  SampleFile sample("rooftop-h5io-buffers");
  sample.add("x", {100, 10});
  const Dataset x = File(sample.path()).dataset("x");
  Blocks blocks(x, 10);
  std::vector<const void*> seen;
  while (const std::optional<Block> block = blocks.next()) seen.push_back(block->values);
  ASSERT_EQ(seen.size(), 10U);
  for (std::size_t i = 2; i < seen.size(); ++i) EXPECT_EQ(seen[i], seen[i - 2]);
  EXPECT_NE(seen[0], seen[1]);
}

TEST(BlocksTest, RefuseWhatCannotBe) {
  SampleFile sample("rooftop-h5io-no-blocks");
  sample.add("x", {10});
  const std::int32_t value = 3;
  const Dataset x = File(sample.path()).dataset("x");
  EXPECT_EQ(message_of<InvalidArgument>([&] { Blocks(x, 0); }), "rows is 0; expected 1 or more");
  EXPECT_EQ(message_of<InvalidArgument>([&] { Blocks(x, 1, -1); }), "ahead is -1; expected 0 or more");
  const SampleFile others("rooftop-h5io-no-rows");
  {
    OutputFile file(others.path(), true);
    static_cast<void>(file.dataset("none", {{0, 3}, "<i4", {}, {}}));
    file.dataset("single", {{}, "<i4", {}, {}}).write({}, &value, 4);
  }
  EXPECT_FALSE(Blocks(File(others.path()).dataset("none"), 4).next().has_value());
  EXPECT_EQ(message_of<InvalidArgument>([&] { Blocks(File(others.path()).dataset("single"), 1); }),
            "the dataset has no dimensions; expected one that has rows");
}

}  // namespace
}  // namespace rooftop::h5io
