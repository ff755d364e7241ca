#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "bias.hpp"
#include "exact_outputs.hpp"
#include "kernels.hpp"
#include "measure.hpp"
#include "rooftop/conv.hpp"
#include "schedule.hpp"
#include "team.hpp"

namespace rooftop::conv {

using internal::Arrays;
using internal::Geometry;
using internal::Index;
using internal::Job;
using internal::Kernels;

namespace {

int team_size(int asked) {
  if (asked < 0 || asked > 4096) {
    throw InvalidArgument("threads is " + std::to_string(asked) + ", expected 0 (all) to 4096");
  }
  return asked == 0 ? omp_get_max_threads() : asked;
}

void require_aligned(const char* name, const void* pointer) {
  if (pointer == nullptr) throw InvalidArgument(std::string(name) + " is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(pointer) % 64 != 0) {
    throw InvalidArgument(std::string(name) + " is not aligned to 64 bytes");
  }
}

}  // namespace

struct Plan::Impl {
  Shape shape;
  Options options;
  int threads;
  const Kernels* kernels;
  Job job;
  bool exact;  ///< outputs that are not finite are summed anew

  /// The filter itself lies behind its transform where outputs are summed anew.
  [[nodiscard]] std::size_t filter_floats_kept() const {
    const bool kept = exact && options.filter == FilterForm::transformed;
    return kept ? 9 * static_cast<std::size_t>(shape.k * shape.c) : 0;
  }
};

Plan::Plan(const Shape& shape, const Options& options) : impl_(std::make_unique<Impl>()) {
  const Kernels& kernels = internal::kernels();
  const Geometry geometry = internal::make_geometry(shape, options);
  const int threads = team_size(options.threads);
  const internal::Schedule schedule = options.measure ? internal::measure(geometry, options, threads, kernels)
                                                      : internal::choose(geometry, options, threads, kernels);
  *impl_ = {shape,
            options,
            schedule.threads,
            &kernels,
            internal::make_job(geometry, schedule, kernels.panel),
            options.accuracy == Accuracy::strict && options.algorithm == Algorithm::automatic};
}

Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

const Shape& Plan::shape() const { return impl_->shape; }

Algorithm Plan::algorithm() const {
  switch (impl_->job.tiling.m) {
    case 2:
      return Algorithm::f2;
    case 4:
      return Algorithm::f4;
    case 6:
      return Algorithm::f6;
    default:
      return Algorithm::direct;
  }
}

const char* Plan::instruction_set() const { return impl_->kernels->target; }
std::size_t Plan::image_floats() const { return internal::image_floats(impl_->job.geometry); }
std::size_t Plan::output_floats() const { return internal::output_floats(impl_->job.geometry); }
std::size_t Plan::filter_floats() const { return internal::filter_floats(impl_->job) + impl_->filter_floats_kept(); }
std::size_t Plan::scratch_bytes() const { return sizeof(float) * internal::scratch_floats(impl_->job, impl_->threads); }
double Plan::multiply_add_flops() const { return internal::multiply_add_flops(impl_->job); }
double Plan::transform_flops() const { return internal::transform_flops(impl_->job); }

void Plan::transform_filter(const float* filter, float* transformed) const {
  if (impl_->options.filter == FilterForm::plain) {
    throw InvalidArgument("the plan takes a plain filter, expected one that takes a transformed filter");
  }
  if (filter == nullptr) throw InvalidArgument("filter is a null pointer");
  require_aligned("transformed filter", transformed);
  internal::on_team(impl_->threads, [&](int thread, int threads) {
    impl_->kernels->transform_filter(impl_->job, filter, transformed, thread, threads);
  });
  std::copy(filter, filter + impl_->filter_floats_kept(), transformed + internal::filter_floats(impl_->job));
}

void Plan::run(const float* image, const float* filter, float* output, void* scratch, const std::int32_t* stop,
               const float* bias) const {
  if (image == nullptr) throw InvalidArgument("image is a null pointer");
  if (output == nullptr) throw InvalidArgument("output is a null pointer");
  if (impl_->options.input == Layout::blocked) require_aligned("blocked image", image);
  if (impl_->options.output == Layout::blocked) require_aligned("blocked output", output);
  if (impl_->options.filter == FilterForm::transformed) {
    require_aligned("transformed filter", filter);
  } else if (filter == nullptr) {
    throw InvalidArgument("filter is a null pointer");
  }
  require_aligned("scratch", scratch);
  running::Limit limit(running::Limit::no_limit, stop);
  const Arrays arrays{image, filter, output, static_cast<float*>(scratch), stop == nullptr ? nullptr : &limit};
  internal::on_team(impl_->threads,
                    [&](int thread, int threads) { impl_->kernels->run(impl_->job, arrays, thread, threads); });
  const auto require_whole = [&] {
    if (arrays.stopped()) throw Stopped("the convolution was stopped before its output was whole");
  };
  require_whole();
  const Geometry& geometry = impl_->job.geometry;
  const bool filled = geometry.blocked_output && geometry.k % channel_block != 0;
  if (!filled && !impl_->exact && bias == nullptr) return;
  const bool behind = impl_->options.filter == FilterForm::transformed;
  const float* const taps = filter + (behind ? internal::filter_floats(impl_->job) : 0);
  const Arrays with_taps{image, taps, output, nullptr, arrays.limit};
  internal::on_team(impl_->threads, [&](int thread, int threads) {
    if (filled) internal::clear_filling_channels(geometry, output, thread, threads);
    if (impl_->exact) internal::sum_anew_where_not_finite(geometry, with_taps, thread, threads);
    if (bias != nullptr) internal::add_bias(geometry, bias, output, thread, threads);
  });
  require_whole();
}

void to_blocked(const float* nchw, float* blocked, std::int64_t n, std::int64_t channels, std::int64_t h,
                std::int64_t w, int threads) {
  internal::check_sizes(n, channels, h, w);
  if (n == 0 || channels == 0 || h == 0 || w == 0) return;  // the others may be vast
  const Kernels& kernels = internal::kernels();
  internal::on_team(team_size(threads),
                    [&](int thread, int team) { kernels.to_blocked(nchw, blocked, n, channels, h * w, thread, team); });
}

void from_blocked(const float* blocked, float* nchw, std::int64_t n, std::int64_t channels, std::int64_t h,
                  std::int64_t w, int threads) {
  internal::check_sizes(n, channels, h, w);
  if (n == 0 || channels == 0 || h == 0 || w == 0) return;  // the others may be vast
  const Kernels& kernels = internal::kernels();
  internal::on_team(team_size(threads), [&](int thread, int team) {
    kernels.from_blocked(blocked, nchw, n, channels, h * w, thread, team);
  });
}

std::string to_string(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::automatic:
      return "automatic";
    case Algorithm::direct:
      return "direct";
    case Algorithm::f2:
      return "F(2)";
    case Algorithm::f4:
      return "F(4)";
    case Algorithm::f6:
      return "F(6)";
  }
  return "unknown";
}

}  // namespace rooftop::conv
