#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <thread>

#include "message_of.hpp"
#include "random_span.hpp"
#include "rooftop/h5io.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io {
namespace {

using tests::chunk;
using tests::message_of;
using tests::random_span;
using tests::read_by_hdf5;
using tests::SampleFile;
using Shape = std::vector<std::uint64_t>;

std::vector<std::int32_t> read(const Dataset& dataset, const std::vector<Span>& spans, const Options& options = {},
                               Report* report = nullptr) {
  std::vector<std::int32_t> values(dataset.selected_bytes(spans) / sizeof(std::int32_t), -1);
  const Report done = dataset.read(spans, values.data(), values.size() * sizeof(std::int32_t), options);
  if (report != nullptr) *report = done;
  return values;
}

struct Arrangement {
  const char* name;
  Way way;
  void (*arrange)(hid_t properties);
};

const Shape shape{23, 17, 30}, chunks{5, 17, 8};

const std::vector<Arrangement> arrangements{
    {"contiguous", Way::sieved, [](hid_t) {}},
    {"compact", Way::library, [](hid_t properties) { H5Pset_layout(properties, H5D_COMPACT); }},
    {"chunked", Way::chunks, [](hid_t properties) { chunk(properties, chunks); }},
    {"deflated", Way::chunks,
     [](hid_t properties) {
       chunk(properties, chunks);
       H5Pset_deflate(properties, 4);
     }},
    {"shuffled", Way::chunks,
     [](hid_t properties) {
       chunk(properties, chunks);
       H5Pset_shuffle(properties);
       H5Pset_deflate(properties, 1);
     }},
    {"checked", Way::library,
     [](hid_t properties) {
       chunk(properties, chunks);
       H5Pset_fletcher32(properties);
     }},
};

TEST(Read, SelectsWhatTheLibraryDoes) {
  SampleFile sample("rooftop-h5io-select");
  for (const Arrangement& one : arrangements) sample.add(one.name, shape, one.arrange);
  const File file(sample.path());
  std::mt19937_64 random(11);
  for (const Arrangement& one : arrangements) {
    const Dataset dataset = file.dataset(one.name);
    for (int i = 0; i < 60; ++i) {
      std::vector<Span> spans;
      for (const std::uint64_t extent : shape) spans.push_back(random_span(extent, random));
      Options options;
      options.threads = 1 + i % 3;
      options.gap_bytes = i % 2 == 0 ? 0 : 16 << 10;
      ASSERT_EQ(read(dataset, spans, options), read_by_hdf5(sample.path(), one.name, spans)) << one.name << " " << i;
    }
    Report report;
    const auto all = read(dataset, dataset.all(), {}, &report);
    EXPECT_EQ(all, read_by_hdf5(sample.path(), one.name, dataset.all()));
    EXPECT_EQ(report.way, one.way == Way::sieved ? Way::direct : one.way) << one.name;
    EXPECT_EQ(report.selected_bytes, 23 * 17 * 30 * 4);
  }
}

TEST(Read, CountsCallsAndBytes) {
  SampleFile sample("rooftop-h5io-count");
  constexpr std::uint64_t n = 1 << 20;
  sample.add("x", {n});
  const Dataset x = File(sample.path()).dataset("x");
  Report report;
  // 16 of every 64 elements: gaps of 192 bytes are read as well.
  read(x, {{0, n / 64, 64, 16}}, {}, &report);
  EXPECT_EQ(report.way, Way::sieved);
  EXPECT_LE(report.read_bytes, n * 4);
  EXPECT_GE(report.read_bytes, n * 4 - n / 16);
  EXPECT_LT(report.reads, 40);
  // 16 of every 16384: gaps of 64 KiB are not.
  read(x, {{0, n / 16384, 16384, 16}}, {}, &report);
  EXPECT_EQ(report.way, Way::direct);
  EXPECT_EQ(report.read_bytes, report.selected_bytes);
  EXPECT_EQ(report.reads, n / 16384);
  Options library;
  library.library = true;
  read(x, x.all(), library, &report);
  EXPECT_EQ(report.way, Way::library);
}

TEST(Read, FindsManyChunks) {
  SampleFile sample("rooftop-h5io-many");
  sample.add("x", {2500, 2}, [](hid_t properties) {
    chunk(properties, {1, 2});
    H5Pset_shuffle(properties);
  });
  const Dataset x = File(sample.path()).dataset("x");
  Report report;
  EXPECT_EQ(read(x, x.all(), {}, &report), read_by_hdf5(sample.path(), "x", x.all()));
  EXPECT_EQ(report.reads, 2500);
}

TEST(Read, FillsWhatWasNeverWritten) {
  SampleFile sample("rooftop-h5io-fill");
  const auto seven = [](hid_t properties) {
    const std::int32_t value = 7;
    H5Pset_fill_value(properties, H5T_NATIVE_INT32, &value);
  };
  sample.add("contiguous", {10, 10}, seven, false);
  sample.add(
      "chunked", {10, 10},
      [&](hid_t properties) {
        seven(properties);
        chunk(properties, {4, 4});
        H5Pset_deflate(properties, 1);
      },
      false);
  const File file(sample.path());
  for (const char* name : {"contiguous", "chunked"}) {
    const Dataset dataset = file.dataset(name);
    EXPECT_EQ(read(dataset, dataset.all()), std::vector<std::int32_t>(100, 7)) << name;
  }
}

TEST(Read, LooksBehindAUserBlock) {
  SampleFile sample("rooftop-h5io-userblock", 1024);
  sample.add("x", {1000});
  sample.add("chunked", {1000}, [](hid_t properties) { chunk(properties, {64}); });
  sample.add(
      "unwritten", {1000}, [](hid_t) {}, false);
  const File file(sample.path());
  for (const char* name : {"x", "chunked", "unwritten"}) {
    const Dataset dataset = file.dataset(name);
    EXPECT_EQ(read(dataset, {{100, 30, 7, 2}}), read_by_hdf5(sample.path(), name, {{100, 30, 7, 2}})) << name;
  }
}

TEST(Read, MayBeDoneByManyThreadsAtOnce) {
  SampleFile sample("rooftop-h5io-threads");
  sample.add("x", {40, 1000}, [](hid_t properties) {
    chunk(properties, {3, 100});
    H5Pset_deflate(properties, 1);
  });
  const Dataset x = File(sample.path()).dataset("x");
  const auto expected = read_by_hdf5(sample.path(), "x", x.all());
  std::vector<std::thread> readers;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      Options options;
      options.threads = 2;
      for (int turn = 0; turn < 5; ++turn) right += read(x, x.all(), options) == expected;
    });
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(right, 20);
}

TEST(Read, StopsWhenAsked) {
  SampleFile sample("rooftop-h5io-stop");
  sample.add("x", {1000});
  const std::int32_t stop = 1;
  Options options;
  options.stop = &stop;
  const Dataset x = File(sample.path()).dataset("x");
  EXPECT_THROW(read(x, x.all(), options), Stopped);
}

TEST(Read, RefusesWhatDoesNotFit) {
  SampleFile sample("rooftop-h5io-refuse");
  sample.add("x", {10, 4});
  const Dataset x = File(sample.path()).dataset("x");
  const auto refused = [&](const std::vector<Span>& spans) {
    return message_of<InvalidArgument>([&] { read(x, spans); });
  };
  EXPECT_EQ(refused({{0, 1, 1, 10}}), "the selection has 1 dimensions, the dataset 2; expected as many");
  EXPECT_EQ(refused({{0, 1, 1, 10}, {1, 1, 1, 4}}),
            "dimension 1: start 1, count 1, stride 1, block 4 reach beyond its 4 elements");
  EXPECT_EQ(refused({{0, 3, 0, 1}, {0, 1, 1, 4}}), "dimension 0: stride is 0; expected 1 or more");
  EXPECT_EQ(refused({{0, 3, 2, 3}, {0, 1, 1, 4}}),
            "dimension 0: stride is 2, less than the block of 3; expected blocks that do not overlap");
  constexpr std::uint64_t huge = std::uint64_t{1} << 63;
  for (const Span& span : {Span{huge, 1, 1, huge}, Span{1, huge, huge, 1}, Span{0, 2, huge, 2}}) {
    EXPECT_NE(refused({span, {0, 1, 1, 4}}).find("reach beyond"), std::string::npos);
  }
  std::int32_t one = 0;
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              x.read({{0, 2, 1, 1}, {0, 1, 1, 1}}, &one, sizeof one);
            }),
            "the selection takes 8 bytes, the memory has 4; expected room for all");
  EXPECT_EQ(x.read({{0, 0, 1, 1}, {0, 1, 1, 4}}, nullptr, 0).way, Way::nothing);
}

TEST(Read, NamesWhatIsDamaged) {
  SampleFile sample("rooftop-h5io-damage");
  sample.add("x", {1000});
  sample.add("deflated", {64, 64}, [](hid_t properties) {
    chunk(properties, {64, 32});
    H5Pset_deflate(properties, 6);
  });
  tests::damage_chunk(sample.path(), "deflated", {0, 32});
  const Dataset deflated = File(sample.path()).dataset("deflated");
  EXPECT_EQ(message_of<FileError>([&] { read(deflated, deflated.all()); }),
            sample.path() + ": dataset deflated: the chunk at 0 32: is no data that deflate wrote, or is damaged");
  const std::vector<Span> sound{{0, 1, 1, 64}, {0, 1, 1, 32}};
  EXPECT_EQ(read(deflated, sound).size(), 64 * 32);

  // The file is truncated while it is open.
  const File file(sample.path());
  const Dataset x = file.dataset("x");
  std::filesystem::resize_file(sample.path(), 2100);
  const std::string cut = message_of<FileError>([&] { read(x, x.all()); });
  EXPECT_NE(cut.find("is cut short: it has 2100 bytes"), std::string::npos) << cut;
}

TEST(FileTest, TellsWhatItHas) {
  SampleFile sample("rooftop-h5io-tell");
  sample.add("b", {4, 6}, [](hid_t properties) {
    chunk(properties, {2, 3});
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 1);
  });
  sample.add("a", {3});
  const File file(sample.path());
  EXPECT_EQ(file.datasets(), (std::vector<std::string>{"a", "b"}));
  const Description b = file.dataset("b").description();
  EXPECT_EQ(b.shape, (Shape{4, 6}));
  EXPECT_EQ(b.chunk, (Shape{2, 3}));
  EXPECT_EQ(b.type, "<i4");
  ASSERT_EQ(b.filters.size(), 2U);
  EXPECT_EQ(b.filters[0].id, H5Z_FILTER_SHUFFLE);
  EXPECT_EQ(b.filters[1].name, "deflate");
  EXPECT_EQ(file.dataset("a").description().layout, Layout::contiguous);
}

TEST(FileTest, KnowsTypes) {
  SampleFile sample("rooftop-h5io-types");
  const std::vector<std::pair<std::string, hid_t>> known{{"<f8", H5T_IEEE_F64LE},
                                                         {">f4", H5T_IEEE_F32BE},
                                                         {"|u1", H5T_STD_U8LE},
                                                         {">i2", H5T_STD_I16BE},
                                                         {"<u8", H5T_STD_U64LE}};
  for (const auto& [type, id] : known) {
    sample.add_typed(type, id, nullptr, id, 3);
    EXPECT_EQ(File(sample.path()).dataset(type).description().type, type);
  }
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 10);
  sample.add_typed("text", text, nullptr, text, 3);
  EXPECT_EQ(File(sample.path()).dataset("text").description().type, "|S10");
  H5Tset_size(text, H5T_VARIABLE);
  const std::array<const char*, 3> written{"a", "", "a long text"};
  sample.add_typed("texts", text, written.data(), text, 3);
  H5Tclose(text);
  {
    const File file(sample.path());
    const Dataset texts = file.dataset("texts");
    EXPECT_EQ(texts.description().type, "|O8");
    EXPECT_EQ(texts.description().structure, R"({"text":true})");
    EXPECT_TRUE(texts.description().variable);
    std::vector<char*> found(3, nullptr);
    EXPECT_EQ(texts.read(texts.all(), found.data(), 24).way, Way::library);
    for (std::size_t i = 0; i < written.size(); ++i) EXPECT_STREQ(found[i], written[i]);
    texts.reclaim(found.data(), 3);
  }
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 12);
  H5Tinsert(pair, "a \"b\"", 0, H5T_STD_I32LE);
  H5Tinsert(pair, "c", 4, H5T_IEEE_F64BE);
  sample.add_typed("pairs", pair, nullptr, pair, 3);
  H5Tclose(pair);
  {
    const File file(sample.path());
    const Dataset pairs = file.dataset("pairs");
    EXPECT_EQ(pairs.description().type, "|V12");
    EXPECT_EQ(pairs.description().structure,
              R"({"names":["a \"b\"","c"],"formats":["<i4",">f8"],"offsets":[0,4],"itemsize":12})");
  }
  const hid_t time = H5Tcopy(H5T_UNIX_D32LE);
  sample.add_typed("any", time, nullptr, time, 3);
  H5Tclose(time);
  EXPECT_EQ(
      message_of<FileError>([&] { static_cast<void>(File(sample.path()).dataset("any")); }),
      sample.path() +
          ": dataset any is of a type that is not supported, type of class 2; expected numbers, strings, references, "
          "opaque bytes, enumerations, or compounds and arrays of them");
}

TEST(FileTest, RefusesWhatIsNoHdf5) {
  SampleFile sample("rooftop-h5io-none");
  EXPECT_NE(message_of<FileError>([&] {
              static_cast<void>(File(sample.path()).dataset("x"));
            }).find("dataset x cannot be opened: "),
            std::string::npos);
  std::filesystem::resize_file(sample.path(), 10);
  EXPECT_NE(message_of<FileError>([&] { File(sample.path()); }).find("cannot be read as HDF5: "), std::string::npos);
  EXPECT_EQ(message_of<FileError>([&] { File("/no/such/file.h5"); }),
            "/no/such/file.h5: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace rooftop::h5io
