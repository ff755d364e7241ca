/// Three-dimensional Fourier transforms of complex doubles or floats on CPUs: plan once, run many.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>

namespace rooftop::fft {

/// Every error that this library throws for a caller's mistake: what was wrong, the value seen, what is expected.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// What is thrown where the caller asked a transform to stop.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A grid whose x varies fastest in memory: value (x, y, z) lies at (z ny + y) nx + x. A transform of two dimensions
/// has nz = 1, of one ny = nz = 1.
struct Shape {
  std::int64_t nx = 1, ny = 1, nz = 1;

  [[nodiscard]] std::int64_t size() const { return nx * ny * nz; }
};

enum class Direction : std::uint8_t {
  forward,   ///< sums of exp(-2 pi i (…)) values
  backward,  ///< sums of exp(+2 pi i (…)) values, not divided by their number
};

/// What value (x, y, z) is multiplied by on its way into a backward transform: x[x] y[y] z[z]. A filter, or a step of
/// time, for which no sweep over memory of its own is needed. Doubles in
/// either precision: there are few of them.
struct Factors {
  const double* x;  ///< nx values
  const double* y;  ///< ny values
  const double* z;  ///< nz values
};

/// A backward transform's factors, and the array that its result is written to.
template <class Real>
struct Filtered {
  Factors factors;
  std::complex<Real>* out;
};

struct Options {
  int threads = 0;           ///< OpenMP threads; 0: omp_get_max_threads()
  int axes = 3;              ///< that are transformed: 3 all, 2 x and y, each plane by itself, 1 x, each line by itself
  double forward_scale = 1;  ///< what every result of a forward transform is multiplied by …
  double backward_scale = 1;  ///< … and of a backward one
};

/// A transform of one shape, of std::complex<Real>, Real being double or float. Immutable once made: run() may be
/// called by several callers, each with its own scratch. Lengths that are products of 2, 3, 5 and 7 are fastest; a line
/// of any other length takes about four to six times as long, whatever its factors. The plan of 10 000 values and more
/// takes as long to make as a few of its runs. A value that is not finite makes every result of its lines NaN, or
/// infinite.
template <class Real>
class BasicPlan {
 public:
  /// Throws InvalidArgument for lengths below 1 and beyond 2^24, beyond 2^23 where they have another prime factor than
  /// 2, 3, 5 and 7, for grids of more than 2^48 values, and for scales that are not finite as a Real.
  explicit BasicPlan(const Shape& shape, const Options& options = {});
  BasicPlan(BasicPlan&&) noexcept;
  BasicPlan& operator=(BasicPlan&&) noexcept;
  ~BasicPlan();

  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] const char* instruction_set() const;  ///< the Highway target that runs here, such as "AVX3"
  /// The only memory that run() needs beyond its arguments: at most four times the array, and 4 MiB for each thread.
  [[nodiscard]] std::size_t scratch_bytes() const;
  [[nodiscard]] double multiply_add_flops() const;  ///< flops in multiply-adds that a run does, 2 for each
  [[nodiscard]] double lone_flops() const;  ///< additions and multiplications that it does besides, scales left out

  /// `in` and `out` hold size() values each and are the same array or apart; `scratch` is aligned to 64 bytes. Throws
  /// InvalidArgument for null or misaligned pointers, and for factors of a forward transform or of some axes only.
  /// `stop`: null, or a flag that any thread or signal handler may set: soon after it is not 0, Stopped is thrown, and
  /// `out` is neither what it was nor what it was to become.
  void run(Direction direction, const std::complex<Real>* in, std::complex<Real>* out, void* scratch,
           const Factors* factors = nullptr, const std::int32_t* stop = nullptr) const;

  /// Writes plane z, nx ny values. Called by all threads, once for each plane, in any order; it does not throw.
  using Source = std::function<void(std::int64_t z, std::complex<Real>* plane)>;
  /// A forward transform of what `source` writes: each plane to its place in `space`, where it is transformed while it
  /// is in the cache, and on to `out`, the same array or, which is faster, another. What an array apart holds in the
  /// end is of no meaning. Throws InvalidArgument as run() does, and for an empty function.
  void run_from(const Source& source, std::complex<Real>* space, std::complex<Real>* out, void* scratch) const;

  /// Two backward transforms of the same values, such as two steps of time, as two runs would do them: but `in` is read
  /// once for both. Three arrays apart. Throws InvalidArgument as run() does, and for the same array given twice.
  void run_two(const std::complex<Real>* in, const Filtered<Real>& first, const Filtered<Real>& second,
               void* scratch) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class BasicPlan<double>;
extern template class BasicPlan<float>;

using Plan = BasicPlan<double>;
/// Half the memory, and nearly twice the speed. Errors are a few 1e-7 of the results' root mean square.
using SinglePlan = BasicPlan<float>;

}  // namespace rooftop::fft
