// threads: none
#include "lzf.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "plugin.hpp"

namespace rooftop::h5io::internal {
namespace {

/// Returns a decoded stream. `told`: the size of a chunk in the filter's parameters.
std::string decoded(const std::string& stream, unsigned told = 0) {
  std::size_t room = stream.size();
  void* data = std::malloc(room);
  std::memcpy(data, stream.data(), stream.size());
  const unsigned values[3] = {4, 0x105, told};
  const std::size_t bytes = lzf_filter.filter(H5Z_FLAG_REVERSE, 3, values, stream.size(), &room, &data);
  std::string text(static_cast<const char*>(data), bytes);
  std::free(data);
  return text;
}

TEST(Lzf, RepeatsWhatWasThere) {
  EXPECT_EQ(decoded(std::string("\x02"
                                "abc",
                                4)),
            "abc");
  // Repeats 9 bytes at distance 1, then 264 bytes at distance 3.
  const std::string stream("\x00x\xe0\x00\x00\xe0\xff\x02", 8);
  for (const unsigned told : {0U, 10U, 5000U}) EXPECT_EQ(decoded(stream, told), std::string(1 + 9 + 264, 'x'));
}

TEST(Lzf, TakesNothingForDamagedStreams) {
  for (const std::string& stream : {std::string("\x05z", 2), std::string("\x20", 1), std::string("\xe0", 1),
                                    std::string("\xe0\x01", 2), std::string("\x00x\x20\x05", 4)}) {
    EXPECT_EQ(decoded(stream), "");
  }
  std::mt19937_64 random(5);
  for (int turn = 0; turn < 20000; ++turn) {
    std::string stream(1 + random() % 40, '\0');
    for (char& one : stream) one = static_cast<char>(random());
    EXPECT_LE(decoded(stream, static_cast<unsigned>(random() % 100)).size(), (stream.size() / 3 + 1) * 264);
  }
}

TEST(Plugins, HaveARemedyWhereTheyAreMissing) {
  EXPECT_NE(remedy_for(32015).find("hdf5plugin"), std::string::npos);
  EXPECT_EQ(remedy_for(300), "name the folder of its plugin in HDF5_PLUGIN_PATH");
  EXPECT_NE(remedy_for(4).find("built with it"), std::string::npos);
}

}  // namespace
}  // namespace rooftop::h5io::internal
