/// Fourier transforms of complex or real doubles or floats in up to three dimensions on CPUs: plan once, run many
/// times.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>

namespace rooftop::fft {

/// Invalid argument. what() is one line: what is wrong, the value seen, and what is expected.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The caller's stop flag ended the transform.
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

/// Factors of the input of a backward transform: value (x, y, z) is multiplied by x[x] y[y] z[z]. They apply a filter
/// or a time step without an extra pass over memory. Doubles in both precisions.
struct Factors {
  const double* x;  ///< nx values
  const double* y;  ///< ny values
  const double* z;  ///< nz values
};

/// Factors of a backward transform, and the array for its result.
template <class Real>
struct Filtered {
  Factors factors;
  std::complex<Real>* out;
};

struct Options {
  int threads = 0;            ///< OpenMP threads at most, and one for each 8192 values; 0: as many as OpenMP has
  int axes = 3;               ///< axes to transform: 3: x, y and z; 2: x and y of each plane; 1: x of each line
  int first_axis = 0;         ///< of complex values, the axis that these begin with: 0: x; 1: y; 2: z
  double forward_scale = 1;   ///< factor of the results of forward transforms
  double backward_scale = 1;  ///< factor of the results of backward transforms
  /// Choose the number of threads, up to `threads`, and how the array is swept by timing runs of each direction, in
  /// place of by its size. Planning then takes some tens to hundreds of runs, and memory for arrays of its own; results
  /// may differ in their last bits from plan to plan.
  bool measure = false;
};

/// A plan for transforms of one shape of std::complex<Real>, where Real is double or float. Immutable: several threads
/// may call run() at the same time, each with its own scratch memory. Lengths that are products of 2, 3, 5 and 7 are
/// fastest, other primes up to 31 take little longer; any other length takes about four to six times as long, whatever
/// its factors. For 10 000 values or more,
/// planning takes as long as a few runs. A non-finite input value makes all results of its lines NaN or infinite.
template <class Real>
class BasicPlan {
 public:
  /// Throws InvalidArgument for lengths below 1 or above 2^24, for lengths above 2^23 that are not products of
  /// primes up to 31, for grids of more than 2^48 values, and for scales that are not finite as a Real.
  explicit BasicPlan(const Shape& shape, const Options& options = {});
  BasicPlan(BasicPlan&&) noexcept;
  BasicPlan& operator=(BasicPlan&&) noexcept;
  ~BasicPlan();

  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] const char* instruction_set() const;  ///< the Highway SIMD target in use, such as "AVX3"
  /// The only memory that run() needs beyond its arguments: at most four times the array, and 4 MiB for each thread.
  [[nodiscard]] std::size_t scratch_bytes() const;
  [[nodiscard]] double multiply_add_flops() const;  ///< flops in multiply-adds per run, 2 for each
  [[nodiscard]] double lone_flops() const;          ///< separate additions and multiplications per run, without scaling

  /// Transforms `in` to `out`, which hold size() values each and are the same array or do not overlap. `scratch` is
  /// aligned to 64 bytes. `stop` is null or a flag: a value other than 0, which any thread or signal handler may write,
  /// soon makes run() throw Stopped; the contents of `out` are then undefined. Throws InvalidArgument for null or
  /// misaligned pointers, and for factors of a forward transform or with fewer than three axes.
  void run(Direction direction, const std::complex<Real>* in, std::complex<Real>* out, void* scratch,
           const Factors* factors = nullptr, const std::int32_t* stop = nullptr) const;

  /// Writes the nx ny values of plane z. All threads call it, once for each plane, in any order. It must not throw.
  using Source = std::function<void(std::int64_t z, std::complex<Real>* plane)>;
  /// Forward transform of planes written by `source`. Each plane is written to its place in `space` and transformed
  /// while it is in the cache. The result is in `out`, which may be `space`; a separate array is faster, and leaves the
  /// contents of `space` undefined. Throws InvalidArgument as run() does, and for an empty function.
  void run_from(const Source& source, std::complex<Real>* space, std::complex<Real>* out, void* scratch) const;

  /// Two backward transforms of the same values, such as two time steps. Same results as two runs, but `in` is read
  /// only once. The three arrays must not overlap. Throws InvalidArgument as run() does, and if an array is given
  /// twice.
  void run_two(const std::complex<Real>* in, const Filtered<Real>& first, const Filtered<Real>& second,
               void* scratch) const;

 private:
  struct Impl;
  explicit BasicPlan(std::unique_ptr<Impl> impl);
  [[nodiscard]] const Impl& of(Direction direction) const;
  std::unique_ptr<Impl> impl_, backward_;  ///< the second where the two directions were measured, else null
};

extern template class BasicPlan<double>;
extern template class BasicPlan<float>;

/// A plan for transforms of real values, to the modes 0 to nx / 2 along x, and back: the other modes are conjugates of
/// these. About half the work and memory of complex values where nx is even; along x an odd length takes as long as
/// complex values do. Immutable, as BasicPlan, and fastest for the same lengths.
template <class Real>
class BasicRealPlan {
 public:
  /// `shape` is that of the real values. Throws InvalidArgument as BasicPlan does.
  explicit BasicRealPlan(const Shape& shape, const Options& options = {});
  BasicRealPlan(BasicRealPlan&&) noexcept;
  BasicRealPlan& operator=(BasicRealPlan&&) noexcept;
  ~BasicRealPlan();

  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] Shape modes() const;                  ///< nx / 2 + 1, ny and nz
  [[nodiscard]] const char* instruction_set() const;  ///< the Highway SIMD target in use, such as "AVX3"
  [[nodiscard]] std::size_t scratch_bytes() const;    ///< the only memory that a run needs beyond its arguments
  [[nodiscard]] double multiply_add_flops() const;    ///< flops in multiply-adds per run, 2 for each
  [[nodiscard]] double lone_flops() const;            ///< separate additions and multiplications per run

  /// Transforms shape().size() values to modes().size() modes in an array that does not overlap. `scratch` is aligned
  /// to 64 bytes; `stop` is as in BasicPlan::run(). Throws InvalidArgument for null or misaligned pointers, and
  /// Stopped.
  void forward(const Real* in, std::complex<Real>* out, void* scratch, const std::int32_t* stop = nullptr) const;
  /// Transforms modes to values, not divided by their number. `in` is left as it is. Along x, the imaginary parts of
  /// mode 0, and of mode nx / 2 where nx is even, are ignored.
  void backward(const std::complex<Real>* in, Real* out, void* scratch, const std::int32_t* stop = nullptr) const;

 private:
  struct Impl;
  explicit BasicRealPlan(std::unique_ptr<Impl> impl);
  [[nodiscard]] const Impl& of(Direction direction) const;
  std::unique_ptr<Impl> impl_, backward_;  ///< the second where the two directions were measured, else null
};

extern template class BasicRealPlan<double>;
extern template class BasicRealPlan<float>;

using Plan = BasicPlan<double>;
/// Half the memory and nearly twice the speed. Errors are a few 1e-7 of the results' root mean square.
using SinglePlan = BasicPlan<float>;
using RealPlan = BasicRealPlan<double>;
using SingleRealPlan = BasicRealPlan<float>;

}  // namespace rooftop::fft
