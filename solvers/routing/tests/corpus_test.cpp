#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace rooftop::routing::testing {
namespace {

void feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

TEST(Corpus, EveryFileEveryBeginningAndEveryLostLineIsTakenOrRefused) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CORPUS)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    feed(text);
    for (std::size_t end = 0; end < text.size(); ++end) feed(text.substr(0, end));
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      const std::size_t next = end == std::string::npos ? text.size() : end + 1;
      feed(text.substr(0, begin) + text.substr(next));
      begin = next;
    }
    ++files;
  }
  EXPECT_GT(files, 20U);
}

}  // namespace
}  // namespace rooftop::routing::testing
