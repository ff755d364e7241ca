/// fp32 3x3 stride-1 convolution on CPUs: direct and Winograd F(2), F(4), F(6), chosen per layer; plan once, run many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace rooftop::conv {

/// Invalid argument. what() is one line: what is wrong, the value seen, and what is expected.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The caller's stop flag ended the call.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// out[n][k][y][x] = sum over c, r, s of image[n][c][y+r-p][x+s-p] * filter[k][c][r][s].
struct Shape {
  std::int64_t n = 1;        ///< images
  std::int64_t c = 1;        ///< input channels
  std::int64_t h = 3;        ///< image height, at least 3 - 2 * padding
  std::int64_t w = 3;        ///< image width
  std::int64_t k = 1;        ///< filters
  std::int64_t padding = 0;  ///< 0 or 1, zeros on every side

  [[nodiscard]] std::int64_t out_h() const { return h + 2 * padding - 2; }
  [[nodiscard]] std::int64_t out_w() const { return w + 2 * padding - 2; }
};

/// Order of an image or an output in memory.
enum class Layout : std::uint8_t {
  nchw,     ///< [n][channel][y][x]
  blocked,  ///< [n][channel / 16][y][x][channel % 16], channels padded with zeros to a multiple of 16
};
inline constexpr std::int64_t channel_block = 16;

enum class Algorithm : std::uint8_t { automatic, direct, f2, f4, f6 };

/// How much rounding error the automatic choice may trade for speed. Errors are max |difference| / max |reference|
/// on random data with 512 channels.
///
/// F(m) computes sums and differences of the (m + 2) x (m + 2) pixels that a tile of m x m outputs reads. The error of
/// an output is therefore proportional to the largest pixel of its tile in any channel, even if the output does not
/// depend on it: next to a pixel of 1e6, errors of F(4) are about 1. A non-finite pixel or filter may make all outputs
/// of its tiles NaN. `strict` recomputes non-finite outputs by the definition, so that exactly the right ones are
/// infinite or NaN. The direct algorithm has neither problem.
enum class Accuracy : std::uint8_t {
  strict,    ///< direct or F(2), and correct for non-finite values
  balanced,  ///< up to F(4)
  relaxed,   ///< up to F(6)
};

/// Form of the filter that run() takes.
enum class FilterForm : std::uint8_t {
  transformed,  ///< result of transform_filter(), for a filter used in many runs
  plain,        ///< filter[k][c][3][3], transformed in run(), for a filter used once
};

struct Options {
  Layout input = Layout::nchw;
  Layout output = Layout::nchw;
  Accuracy accuracy = Accuracy::balanced;
  Algorithm algorithm = Algorithm::automatic;  ///< anything else overrides `accuracy`
  FilterForm filter = FilterForm::transformed;
  bool measure = false;  ///< time the candidates while planning instead of estimating
  int threads = 0;       ///< OpenMP threads; 0: omp_get_max_threads()
  /// Optional flag. A value other than 0, which any thread or signal handler may write, makes planning with `measure`
  /// throw Stopped.
  const std::int32_t* stop = nullptr;
};

/// A plan for convolutions of one shape. Immutable: several threads may call run() at the same time, each with its own
/// scratch memory.
class Plan {
 public:
  /// Throws InvalidArgument for sizes that are out of range or whose arrays cannot be addressed.
  explicit Plan(const Shape& shape, const Options& options = {});
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] Algorithm algorithm() const;          ///< the one chosen, never `automatic`
  [[nodiscard]] const char* instruction_set() const;  ///< the Highway SIMD target in use, such as "AVX3"
  [[nodiscard]] std::size_t image_floats() const;     ///< floats in the image, in its layout
  [[nodiscard]] std::size_t output_floats() const;
  [[nodiscard]] std::size_t filter_floats() const;  ///< floats of the filter that run() takes
  [[nodiscard]] std::size_t scratch_bytes() const;  ///< the only memory that run() needs beyond its arguments
  [[nodiscard]] double multiply_add_flops() const;  ///< flops in multiply-adds per run, 2 for each
  [[nodiscard]] double transform_flops() const;     ///< separate additions and multiplications per run

  /// Transforms filter[k][c][3][3] for run(). `transformed` has filter_floats() floats, aligned to 64 bytes. Throws
  /// InvalidArgument if the plan takes a plain filter.
  void transform_filter(const float* filter, float* transformed) const;
  /// Convolves. All arrays are aligned to 64 bytes, except NCHW images and outputs and plain filters. `filter` has
  /// filter_floats() floats, `scratch` scratch_bytes() bytes. `stop` is null or a flag as in Options: a value other
  /// than 0 makes run() throw Stopped; the contents of the output are then undefined. `bias` is null or bias[k], which
  /// is added to the outputs of each filter.
  void run(const float* image, const float* filter, float* output, void* scratch, const std::int32_t* stop = nullptr,
           const float* bias = nullptr) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Convert between NCHW and blocked. `channels`, `h` and `w` are those of the NCHW array. Padding channels are set to
/// zero.
void to_blocked(const float* nchw, float* blocked, std::int64_t n, std::int64_t channels, std::int64_t h,
                std::int64_t w, int threads = 0);
void from_blocked(const float* blocked, float* nchw, std::int64_t n, std::int64_t channels, std::int64_t h,
                  std::int64_t w, int threads = 0);

[[nodiscard]] std::string to_string(Algorithm algorithm);

}  // namespace rooftop::conv
