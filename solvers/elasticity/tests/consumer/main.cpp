// One cube, pulled along z, is stretched by the stress over Young's modulus.
#include <cstdio>
#include <rooftop/elasticity.hpp>

int main() {
  const std::vector<double> young{2}, poisson{0.3};
  std::vector<double> load(24), displacement(24);
  std::vector<std::uint8_t> held(24);
  for (int node = 0; node < 8; ++node) {
    for (int c = 0; c < 3; ++c) held[3 * node + c] = (node >> c & 1) == 0;
    if (node >> 2) load[3 * node + 2] = 0.25;
  }
  const rooftop::elasticity::Body body{{2, 2, 2}, {}, young, poisson, load, held};
  const auto result = rooftop::elasticity::solve(body, {}, displacement);
  std::printf("%g after %d iterations\n", displacement[23], static_cast<int>(result.iterations));
  return displacement[23] > 0.4999 && displacement[23] < 0.5001 ? 0 : 1;
}
