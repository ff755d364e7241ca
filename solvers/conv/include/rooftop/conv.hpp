/// fp32 3x3 stride-1 convolution on CPUs: direct and Winograd F(2), F(4), F(6), chosen per layer; plan once, run many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace rooftop::conv {

/// Every error that this library throws for a caller's mistake: what was wrong, the value seen, what is expected.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// What is thrown where the caller asked a call to stop before it had anything to give.
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
/// F(m) takes sums and differences of the (m + 2) x (m + 2) pixels that a tile of m x m outputs reads. An output's
/// error is therefore in proportion to the largest pixel of its tile, of any channel, not to those that it is a sum of:
/// beside a pixel of 1e6, F(4) leaves errors of about 1 in outputs that do not depend on it. And of pixels or filters
/// that are not finite, every output of their tiles may become NaN. `strict` sums outputs that are not finite anew, by
/// the definition: they are infinite where that is right, and NaN where that is. The direct algorithm has neither
/// fault.
enum class Accuracy : std::uint8_t {
  strict,    ///< direct or F(2), and exact where values are not finite
  balanced,  ///< up to F(4)
  relaxed,   ///< up to F(6)
};

/// What run() takes as its filter.
enum class FilterForm : std::uint8_t {
  transformed,  ///< what transform_filter() gave: for a filter that many runs share
  plain,        ///< filter[k][c][3][3] itself, transformed within the run: for one that is new in each
};

struct Options {
  Layout input = Layout::nchw;
  Layout output = Layout::nchw;
  Accuracy accuracy = Accuracy::balanced;
  Algorithm algorithm = Algorithm::automatic;  ///< anything else overrides `accuracy`
  FilterForm filter = FilterForm::transformed;
  bool measure = false;  ///< time the candidates while planning instead of estimating
  int threads = 0;       ///< OpenMP threads; 0: omp_get_max_threads()
  /// Null, or a flag that planning looks at while it measures: once it is not 0, Stopped is thrown. Any thread or
  /// signal handler may set it.
  const std::int32_t* stop = nullptr;
};

/// A convolution of one shape. Immutable once made: run() may be called by several callers, each with its own scratch.
class Plan {
 public:
  /// Throws InvalidArgument for sizes that are out of range or whose arrays would overflow memory.
  explicit Plan(const Shape& shape, const Options& options = {});
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] Algorithm algorithm() const;          ///< the one chosen, never `automatic`
  [[nodiscard]] const char* instruction_set() const;  ///< the Highway target that runs here, such as "AVX3"
  [[nodiscard]] std::size_t image_floats() const;     ///< floats in the image, in its layout
  [[nodiscard]] std::size_t output_floats() const;
  [[nodiscard]] std::size_t filter_floats() const;  ///< floats of the filter that run() takes
  [[nodiscard]] std::size_t scratch_bytes() const;  ///< the only memory that run() needs beyond its arguments
  [[nodiscard]] double multiply_add_flops() const;  ///< flops in multiply-adds that run() does, 2 for each
  [[nodiscard]] double transform_flops() const;     ///< lone additions and multiplications that run() does

  /// filter[k][c][3][3] to the form that run() takes. `transformed`: filter_floats(), 64-byte aligned. Throws
  /// InvalidArgument for a plan whose filter is plain.
  void transform_filter(const float* filter, float* transformed) const;
  /// All pointers 64-byte aligned, except that NCHW images and outputs and plain filters may have any alignment.
  /// `filter`: filter_floats(). `scratch`: scratch_bytes(). `stop`: null, or a flag as in Options: once it is not 0,
  /// Stopped is thrown, and the output is neither what it was nor what it was to become.
  void run(const float* image, const float* filter, float* output, void* scratch,
           const std::int32_t* stop = nullptr) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// NCHW to blocked and back; `channels`, `h` and `w` as in the NCHW array. The padding channels are set to zero.
void to_blocked(const float* nchw, float* blocked, std::int64_t n, std::int64_t channels, std::int64_t h,
                std::int64_t w, int threads = 0);
void from_blocked(const float* blocked, float* nchw, std::int64_t n, std::int64_t channels, std::int64_t h,
                  std::int64_t w, int threads = 0);

[[nodiscard]] std::string to_string(Algorithm algorithm);

}  // namespace rooftop::conv
