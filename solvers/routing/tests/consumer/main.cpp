// A triangle of sides 3, 4 and 5.
#include <cstdint>
#include <cstdio>
#include <rooftop/tsplib.hpp>
#include <sstream>
#include <vector>

int main() {
  std::istringstream file(
      "NAME : triangle\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\n"
      "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nEOF\n");
  const rooftop::routing::Instance triangle = rooftop::routing::read_instance(file);
  const std::vector<std::int32_t> order = {0, 1, 2};
  const std::int64_t length = rooftop::routing::length(triangle, order);
  std::printf("%s: %lld\n", triangle.name.c_str(), static_cast<long long>(length));
  return length == 12 ? 0 : 1;
}
