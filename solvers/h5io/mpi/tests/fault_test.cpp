// An error on one rank is thrown on all of them, and no rank hangs.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "library.hpp"
#include "on_ranks.hpp"

namespace rooftop::h5io {
namespace {

using tests::message_of;
using tests::on_first;
using tests::rows_of;
using tests::SampleFile;
using tests::Shape;
using tests::SharedSample;
using tests::World;

constexpr std::uint64_t item = sizeof(std::int32_t);
constexpr Sharing ways[]{Sharing::alone, Sharing::domains, Sharing::chunks};

/// Returns the message of an error that not all ranks have, and of which `first` is the lowest.
std::string told_by(int first, const std::string& message) {
  return World().size == 1 ? message : "rank " + std::to_string(first) + ": " + message;
}

ReportByRanks read(const DatasetByRanks& dataset, const std::vector<Span>& spans, Sharing sharing) {
  std::uint64_t elements = 1;
  for (const Span& span : spans) elements *= span.size();
  std::vector<std::int32_t> values(elements);
  OptionsByRanks options;
  options.sharing = sharing;
  return dataset.read(spans, values.data(), elements * item, options);
}

TEST(FaultsByRanks, AreToldOnAllRanksOfMistakes) {
  const World world;
  const SharedSample sample("rooftop-ranks-mistakes", [](SampleFile& file) { file.add("x", {10, 10}); });
  const FileByRanks file(sample.path(), MPI_COMM_WORLD);
  const DatasetByRanks x = file.dataset("x");
  const int last = world.size - 1;
  for (const Sharing sharing : ways) {
    const auto spans = [&](std::uint64_t rows) {
      return std::vector<Span>{{0, 1, 1, world.rank == last ? rows : 1}, {0, 1, 1, 10}};
    };
    EXPECT_EQ(message_of<InvalidArgument>([&] { read(x, spans(11), sharing); }),
              told_by(last, "dimension 0: start 0, count 1, stride 1, block 11 reach beyond its 10 elements"));
    EXPECT_EQ(read(x, spans(10), sharing).selected_bytes, (world.rank == last ? 100 : 10) * item);
  }
  std::int32_t value = 0;
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              x.read({{0, 1, 1, 1}, {0, 1, 1, world.rank == last ? std::uint64_t{2} : 1}}, &value, item);
            }),
            told_by(last, "the selection takes 8 bytes, the memory has 4; expected room for all"));
  const std::int32_t stop = world.rank == last ? 1 : 0;
  OptionsByRanks options;
  options.stop = &stop;
  EXPECT_EQ(message_of<Stopped>([&] {
              x.read({{0, 1, 1, 1}, {0, 1, 1, 1}}, &value, item, options);
            }),
            told_by(last, "the read was asked to stop"));
}

TEST(FaultsByRanks, AreToldOfFiles) {
  const SharedSample sample("rooftop-ranks-files", [](SampleFile& file) {
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    file.add_typed("any", text, nullptr, text, 3);
    H5Tclose(text);
  });
  {
    const FileByRanks file(sample.path(), MPI_COMM_WORLD);
    EXPECT_NE(message_of<FileError>([&] {
                static_cast<void>(file.dataset("any"));
              }).find("has values of variable length; expected ones that ranks can share"),
              std::string::npos);
    EXPECT_NE(
        message_of<FileError>([&] { static_cast<void>(file.dataset("none")); }).find("dataset none cannot be opened"),
        std::string::npos);
  }
  on_first([&] { std::filesystem::resize_file(sample.path(), 10); });
  EXPECT_NE(message_of<FileError>([&] { FileByRanks(sample.path(), MPI_COMM_WORLD); }).find("cannot be read as HDF5"),
            std::string::npos);
  EXPECT_EQ(message_of<FileError>([&] { FileByRanks("/no/such/file.h5", MPI_COMM_WORLD); }),
            "/no/such/file.h5: cannot be opened: No such file or directory");
  // Only the last rank's file is missing.
  const World world;
  const SharedSample other("rooftop-ranks-other", [](SampleFile& file) { file.add("x", {3}); });
  const std::string path = world.rank == world.size - 1 ? "/no/such/file.h5" : other.path();
  EXPECT_EQ(message_of<FileError>([&] { FileByRanks(path, MPI_COMM_WORLD); }),
            told_by(world.size - 1, "/no/such/file.h5: cannot be opened: No such file or directory"));
}

TEST(FaultsByRanks, AreToldOfAFileThatIsCutShort) {
  const World world;
  const Shape shape{64, 4096};
  const SharedSample sample("rooftop-ranks-cut", [&](SampleFile& file) { file.add("x", shape); });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  on_first([&] { std::filesystem::resize_file(sample.path(), 600000); });
  for (const Sharing sharing : ways) {
    const auto message = message_of<FileError>([&] { read(x, rows_of(shape, world), sharing); });
    EXPECT_NE(message.find("is cut short: it has 600000 bytes"), std::string::npos) << message;
    EXPECT_NE(message_of<FileError>([&] { read(x, tests::dealt_of(shape, world), sharing); }).find("is cut short"),
              std::string::npos);
  }
}

TEST(FaultsByRanks, AreToldOfADamagedChunk) {
  const World world;
  const Shape shape{64, 64};
  const SharedSample sample("rooftop-ranks-damaged", [&](SampleFile& file) {
    file.add("x", shape, [](hid_t properties) {
      tests::chunk(properties, {64, 16});
      H5Pset_deflate(properties, 5);
    });
  });
  on_first([&] {
    haddr_t address = 0;
    hsize_t bytes = 0;
    {
      const hid_t file = H5Fopen(sample.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
      const hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT);
      unsigned skipped = 0;
      const hsize_t corner[2]{0, 32};
      H5Dget_chunk_info_by_coord(dataset, corner, &skipped, &address, &bytes);
      H5Dclose(dataset), H5Fclose(file);
    }
    std::FILE* const file = std::fopen(sample.path().c_str(), "r+b");
    ASSERT_NE(file, nullptr);
    std::fseek(file, static_cast<long>(address + bytes / 2), SEEK_SET);
    std::fputs("damage", file);
    std::fclose(file);
  });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  for (const Sharing sharing : ways) {
    EXPECT_NE(message_of<FileError>([&] {
                read(x, x.all(), sharing);
              }).find("dataset x: the chunk at 0 32: is no data that deflate wrote, or is damaged"),
              std::string::npos);
    // Only the last rank selects elements of that chunk.
    const std::uint64_t columns = world.rank == world.size - 1 ? 33 : 32;
    EXPECT_NE(message_of<FileError>([&] {
                read(x, {{0, 1, 1, 64}, {0, 1, 1, columns}}, sharing);
              }).find(told_by(world.size - 1, "")),
              std::string::npos);
    EXPECT_EQ(read(x, {{0, 1, 1, 64}, {0, 1, 1, 32}}, sharing).selected_bytes, 64 * 32 * item);
  }
}

std::size_t passed_on(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) { return bytes; }

TEST(FaultsByRanks, AreToldOfAPluginThatIsMissing) {
  constexpr H5Z_filter_t id = 300;
  const SharedSample sample("rooftop-ranks-plugin", [&](SampleFile& file) {
    const H5Z_class2_t known{H5Z_CLASS_T_VERS, id, 1, 1, "made up", nullptr, nullptr, passed_on};
    H5Zregister(&known);
    file.add("x", {10}, [&](hid_t properties) {
      tests::chunk(properties, {5});
      H5Pset_filter(properties, id, 0, 0, nullptr);
    });
    H5Zunregister(id);
  });
  const DatasetByRanks x = FileByRanks(sample.path(), MPI_COMM_WORLD).dataset("x");
  for (const Sharing sharing : ways) {
    EXPECT_NE(message_of<FileError>([&] {
                read(x, x.all(), sharing);
              }).find("went through filter 300, made up, which is not installed"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace rooftop::h5io
