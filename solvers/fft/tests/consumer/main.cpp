// Ones become a single value: their number.
#include <complex>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <rooftop/fft.hpp>
#include <vector>

int main() {
  const rooftop::fft::Plan plan({.nx = 8, .ny = 6, .nz = 4});
  std::vector<std::complex<double>> grid(static_cast<std::size_t>(plan.shape().size()), 1.0);
  const std::unique_ptr<void, decltype(&std::free)> scratch(
      std::aligned_alloc(64, (plan.scratch_bytes() / 64 + 1) * 64), &std::free);
  plan.run(rooftop::fft::Direction::forward, grid.data(), grid.data(), scratch.get());
  std::printf("%s: %g\n", plan.instruction_set(), grid[0].real());
  return grid[0] == 192.0 && grid[1] == 0.0 ? 0 : 1;
}
