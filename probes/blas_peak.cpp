/// What a good library reaches here: OpenBLAS sgemm and dgemm, one core and all. No machine's peak may be below it.
///
/// The library is looked for when the probe runs, so that it builds everywhere and says so where there is none.
/// Flops: 2 n^3 for a product of two n x n matrices.
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "bursts.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

// As the CBLAS standard declares them (BLAS Technical Forum, 2001): 101 is row-major, 111 is not transposed.
using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
using Dgemm = void (*)(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*,
                       int);
constexpr int row_major = 101;
constexpr int not_transposed = 111;

template <typename Real, typename Gemm>
void measure(const rooftop::ProbeLines& lines, Gemm gemm, const std::string& library, int n, int threads, int rounds) {
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  std::vector<Real> a(count, Real(0.5));
  std::vector<Real> b(count, Real(0.25));
  std::vector<Real> c(count, Real(0));
  double best_s = 1e300;
  for (int round = 0; round <= rounds; ++round) {  // the first one is not counted
    const auto start = probe::Clock::now();
    gemm(row_major, not_transposed, not_transposed, n, n, n, Real(1), a.data(), n, b.data(), n, Real(0), c.data(), n);
    const double elapsed_s = probe::seconds_between(start, probe::Clock::now());
    if (round > 0) best_s = std::min(best_s, elapsed_s);
  }
  const std::string precision = std::is_same_v<Real, float> ? "fp32" : "fp64";
  if (c[0] != Real(0.125) * Real(n) || c[count - 1] != c[0]) {
    lines.skip("gemm in " + precision + ": " + library + " gave a wrong product");
    return;
  }
  lines.figure("gemm", 2.0 * n * n * n / best_s, "flop/s", threads,
               {{"precision", precision}, {"library", library}, {"n", n}});
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("blas_peak");
  void* library = nullptr;
  for (const char* name : {"libopenblas.so.0", "libopenblas.so"}) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    lines.skip("gemm: no OpenBLAS found; apt install libopenblas0-pthread provides it");
    return 0;
  }
  const auto sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
  const auto dgemm = reinterpret_cast<Dgemm>(dlsym(library, "cblas_dgemm"));
  const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  const auto get_config = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_config"));
  const auto get_core = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_corename"));
  if (sgemm == nullptr || dgemm == nullptr || set_threads == nullptr) {
    lines.skip("gemm: the OpenBLAS found has no cblas_sgemm, cblas_dgemm or openblas_set_num_threads");
    return 0;
  }
  std::string name = get_config != nullptr ? get_config() : "OpenBLAS";
  name = name.substr(0, name.find(' ', name.find(' ') + 1));
  if (get_core != nullptr) name += std::string(" ") + get_core();
  const int n = options.brief ? 1024 : 2048;
  const int rounds = options.quick ? 2 : 8;
  for (const int threads : probe::team_sizes(options.threads, options.brief)) {
    set_threads(threads);
    measure<float>(lines, sgemm, name, n, threads, rounds);
    measure<double>(lines, dgemm, name, n, threads, rounds);
  }
}
