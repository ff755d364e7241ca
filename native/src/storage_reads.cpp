#include <fstream>
#include <rooftop/storage_reads.hpp>
#include <string>

namespace rooftop {

std::optional<std::int64_t> storage_read_bytes() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  for (std::int64_t count = 0; counts >> name >> count;) {
    if (name == "read_bytes:") return count;
  }
  return std::nullopt;
}

}  // namespace rooftop
