// Feeds files to a fuzzer's function, without the fuzzer: TARGET [--cut] FOLDER. With --cut, also every beginning of
// each file, and each file without one of its lines.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void feed(const std::string& text) {
  // A copy of its own: the address sanitizer sees a read behind its end.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

void feed_beginnings(const std::string& text) {
  for (std::size_t end = 0; end < text.size(); ++end) feed(text.substr(0, end));
}

void feed_without_lines(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::size_t next = end == std::string::npos ? text.size() : end + 1;
    feed(text.substr(0, begin) + text.substr(next));
    begin = next;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool cut = argc == 3 && std::string_view(argv[1]) == "--cut";
  if (argc != 2 && !cut) {
    std::fprintf(stderr, "expected [--cut] FOLDER\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[argc - 1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fprintf(stderr, "%s is empty; expected files to replay\n", argv[argc - 1]);
    return 1;
  }
  for (const auto& path : files) {
    // Printed first: a crash leaves its cause as the last line.
    std::fprintf(stderr, "%s\n", path.c_str());
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    feed(text);
    if (!cut) continue;
    feed_beginnings(text);
    feed_without_lines(text);
  }
  return 0;
}
