// Readers of files by path.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "rooftop/tsplib.hpp"

namespace rooftop::routing {
namespace {

std::ifstream opened(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const std::string reason = errno == 0 ? "no reason given" : std::strerror(errno);
    throw InvalidInput(path + " cannot be opened: " + reason + "; expected a TSPLIB file");
  }
  return file;
}

}  // namespace

Instance read_instance_file(const std::string& path) {
  std::ifstream file = opened(path);
  return read_instance(file, path);
}

Tour read_tour_file(const std::string& path) {
  std::ifstream file = opened(path);
  return read_tour(file, path);
}

}  // namespace rooftop::routing
