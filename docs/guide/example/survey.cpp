// Stations on a grid are visited by a short round trip. What is measured on the way is a wave: its spectrum tells how
// many times it swings. With h5io the values go through a file.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <numbers>
#include <rooftop/fft.hpp>
#include <rooftop/routing.hpp>
#include <span>
#include <vector>
#ifdef WITH_H5IO
#include <rooftop/h5io.hpp>
#endif

namespace {

constexpr int side = 8, stations = side * side, waves = 5;
constexpr std::size_t alignment = 64;  // of scratch memory

rooftop::routing::Solution round_trip() {
  rooftop::routing::Instance grid;
  grid.cities = stations;
  for (int i = 0; i < stations; ++i) {
    grid.x.push_back(10.0 * (i % side));
    grid.y.push_back(10.0 * (i / side));
  }
  rooftop::routing::Options options;
  options.iterations = 200;
  return solve(grid, options);
}

// The frequency at which a spectrum is largest, of those from 1 to half of its length.
std::ptrdiff_t strongest(std::span<const std::complex<double>> spectrum) {
  const auto half = spectrum.subspan(1, spectrum.size() / 2);
  return std::ranges::max_element(half, {}, [](std::complex<double> one) { return std::abs(one); }) - half.begin() + 1;
}

// Writes values to a file and returns what is read from there; without h5io the values themselves.
std::vector<double> kept(std::vector<double> values) {
#ifdef WITH_H5IO
  const char* name = "survey.h5";
  const std::size_t bytes = values.size() * sizeof(double);
  rooftop::h5io::OutputFile file(name, true);
  const auto written = file.dataset("measured", {.shape = {stations}, .type = "<f8", .chunk = {16}, .filters = {}});
  written.write(written.all(), values.data(), bytes);
  file.close();
  std::ranges::fill(values, 0.0);
  const auto read = rooftop::h5io::File(name).dataset("measured");
  read.read(read.all(), values.data(), bytes);
  std::remove(name);
#endif
  return values;
}

}  // namespace

int main() try {
  std::printf("round trip of %d stations: %lld\n", stations, static_cast<long long>(round_trip().length));

  std::vector<double> measured(stations);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    measured[i] = std::sin(2 * std::numbers::pi * waves * static_cast<double>(i) / stations);
  }
  const std::vector<double> values = kept(measured);
  std::vector<std::complex<double>> spectrum(values.begin(), values.end());
  const rooftop::fft::Plan plan({.nx = stations, .ny = 1, .nz = 1});
  std::vector<std::byte> memory(plan.scratch_bytes() + alignment);
  void* scratch = memory.data();
  std::size_t room = memory.size();
  std::align(alignment, plan.scratch_bytes(), scratch, room);
  plan.run(rooftop::fft::Direction::forward, spectrum.data(), spectrum.data(), scratch);
  std::printf("waves: %td\n", strongest(spectrum));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
