// A triangle of sides 3, 4 and 5.
#include <cstdio>
#include <rooftop/routing.hpp>
#include <sstream>

int main() {
  std::istringstream file(
      "NAME : triangle\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\n"
      "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nEOF\n");
  const rooftop::routing::Instance triangle = rooftop::routing::read_instance(file);
  const rooftop::routing::Solution solution = rooftop::routing::solve(triangle);
  std::printf("%s: %lld\n", triangle.name.c_str(), static_cast<long long>(solution.length));
  return solution.length == 12 ? 0 : 1;
}
