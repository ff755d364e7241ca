#include <cstddef>
#include <rooftop/random.hpp>

namespace rooftop {

void fill_uniform(std::span<float> values, std::uint64_t seed) {
  const RandomStream stream(seed);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.uniform_float(i);
}

void fill_uniform(std::span<double> values, std::uint64_t seed) {
  const RandomStream stream(seed);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.uniform_double(i);
}

}  // namespace rooftop
