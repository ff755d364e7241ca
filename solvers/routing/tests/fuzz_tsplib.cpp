// Any bytes through both readers: a problem or a tour that keeps its promises, or InvalidInput of one line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "rooftop/tsplib.hpp"

namespace {

namespace routing = rooftop::routing;

void require(bool kept) {
  if (!kept) std::abort();
}

/// False where `body` throws InvalidInput; other exceptions end the program.
bool taken(const std::function<void()>& body) {
  try {
    body();
    return true;
  } catch (const routing::InvalidInput& error) {
    const std::string said = error.what();
    require(said.find("expected") != std::string::npos || said.find("cannot") != std::string::npos);
    for (const char c : said) require(c >= ' ' && c <= '~');
    return false;
  }
}

void check_instance(const routing::Instance& instance) {
  const auto cities = static_cast<std::size_t>(instance.cities);
  require(instance.cities >= 3);
  for (const std::string& remark : instance.remarks) {
    for (const char c : remark) require(c >= ' ' && c <= '~');
  }
  require(instance.x.size() == instance.y.size() && (instance.x.empty() || instance.x.size() == cities));
  require(instance.z.empty() || instance.z.size() == cities);
  require(instance.display_x.size() == instance.display_y.size());
  require(instance.matrix.size() == (instance.metric == routing::Metric::matrix ? cities * cities : 0));
  require(instance.fixed_edges.size() <= cities);
  const bool symmetric = instance.symmetric || instance.metric != routing::Metric::matrix;
  for (std::int32_t i = 0; i < instance.cities; ++i) {
    const std::int32_t j = instance.cities - 1 - i;
    const std::int32_t there = routing::distance(instance, i, j);
    require(!symmetric || there == routing::distance(instance, j, i));
    require(instance.metric == routing::Metric::matrix || there >= 0);
    require(there > std::numeric_limits<std::int32_t>::min());
  }
  std::vector<std::int32_t> order(cities);
  std::iota(order.begin(), order.end(), 0);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < cities; ++i) sum += routing::distance(instance, order[i], order[(i + 1) % cities]);
  require(routing::length(instance, order) == sum);
}

void check_tour(const routing::Tour& tour) {
  std::stringstream file;
  routing::write_tour(file, tour);
  const routing::Tour back = routing::read_tour(file);
  require(back.name == tour.name && back.comment == tour.comment && back.order == tour.order);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  routing::Instance instance;
  routing::Tour tour;
  const auto reads_instance = [&] {
    std::istringstream in(text);
    instance = routing::read_instance(in);
  };
  const auto reads_tour = [&] {
    std::istringstream in(text);
    tour = routing::read_tour(in);
  };
  if (taken(reads_instance)) check_instance(instance);
  if (taken(reads_tour)) check_tour(tour);
  return 0;
}
