/// The C interface: checks what a C++ caller cannot get wrong (nulls, enumerators) and turns exceptions into statuses.
#include <complex>

#include "rooftop/fft.h"
#include "rooftop/fft.hpp"
#include "status.hpp"

struct rooftop_fft_plan {
  rooftop::fft::Plan plan;
};
struct rooftop_fft_plan_float {
  rooftop::fft::SinglePlan plan;
};
struct rooftop_fft_real_plan {
  rooftop::fft::RealPlan plan;
};
struct rooftop_fft_real_plan_float {
  rooftop::fft::SingleRealPlan plan;
};

namespace {

namespace fft = rooftop::fft;
namespace c_interface = rooftop::c_interface;

static_assert(ROOFTOP_FFT_BACKWARD == static_cast<int>(fft::Direction::backward));
static_assert(ROOFTOP_FFT_INVALID_ARGUMENT == c_interface::invalid_argument);
static_assert(ROOFTOP_FFT_OUT_OF_MEMORY == c_interface::out_of_memory);
static_assert(ROOFTOP_FFT_INTERNAL_ERROR == c_interface::internal_error);

template <typename Body>
int guarded(const Body& body) noexcept {
  return c_interface::guarded_team<fft::InvalidArgument, fft::Stopped>(body);
}

void require_pointer(const void* pointer, const char* name) {
  c_interface::require_pointer<fft::InvalidArgument>(pointer, name);
}

fft::Options to_cpp(const rooftop_fft_options& options) {
  return {.threads = options.threads,
          .axes = options.axes,
          .first_axis = options.first_axis,
          .forward_scale = options.forward_scale,
          .backward_scale = options.backward_scale,
          .measure = options.measure != 0};
}

/// Handle: one of the four kinds of plans
template <class Handle>
int create(const rooftop_fft_shape* shape, const rooftop_fft_options* options, Handle** plan) noexcept {
  if (plan != nullptr) *plan = nullptr;
  return guarded([&] {
    require_pointer(plan, "plan");
    require_pointer(shape, "shape");
    const fft::Shape size{shape->nx, shape->ny, shape->nz};
    *plan = new Handle{decltype(Handle::plan)(size, options == nullptr ? fft::Options{} : to_cpp(*options))};
  });
}

template <class Handle>
int sizes_of(const Handle* plan, rooftop_fft_sizes* sizes) noexcept {
  return guarded([&] {
    require_pointer(plan, "plan");
    require_pointer(sizes, "sizes");
    const auto& p = plan->plan;
    *sizes = {static_cast<uint64_t>(p.shape().size()), p.scratch_bytes(), p.multiply_add_flops(), p.lone_flops()};
  });
}

template <class Handle, class Real>
int run(const Handle* plan, int32_t direction, const Real* in, Real* out, void* scratch,
        const rooftop_fft_factors* factors, const int32_t* stop) noexcept {
  return guarded([&] {
    require_pointer(plan, "plan");
    require_pointer(in, "in");
    require_pointer(out, "out");
    require_pointer(scratch, "scratch");
    const auto which = c_interface::enumerator<fft::InvalidArgument>(direction, fft::Direction::backward, "direction");
    fft::Factors all{};
    if (factors != nullptr) {
      require_pointer(factors->x, "factors.x");
      require_pointer(factors->y, "factors.y");
      require_pointer(factors->z, "factors.z");
      all = {factors->x, factors->y, factors->z};
    }
    plan->plan.run(which, reinterpret_cast<const std::complex<Real>*>(in), reinterpret_cast<std::complex<Real>*>(out),
                   scratch, factors == nullptr ? nullptr : &all, stop);
  });
}

template <class Handle, class Real>
int run_real(const Handle* plan, int32_t direction, const Real* in, Real* out, void* scratch,
             const int32_t* stop) noexcept {
  return guarded([&] {
    require_pointer(plan, "plan");
    require_pointer(in, "in");
    require_pointer(out, "out");
    require_pointer(scratch, "scratch");
    const auto which = c_interface::enumerator<fft::InvalidArgument>(direction, fft::Direction::backward, "direction");
    if (which == fft::Direction::forward) {
      plan->plan.forward(in, reinterpret_cast<std::complex<Real>*>(out), scratch, stop);
    } else {
      plan->plan.backward(reinterpret_cast<const std::complex<Real>*>(in), out, scratch, stop);
    }
  });
}

template <class Handle>
const char* instruction_set_of(const Handle* plan) noexcept {
  return plan == nullptr ? nullptr : plan->plan.instruction_set();
}

}  // namespace

int rooftop_fft_abi_version(void) { return ROOFTOP_FFT_ABI_VERSION; }

const char* rooftop_fft_last_error(void) { return c_interface::last_error; }

void rooftop_fft_default_options(rooftop_fft_options* options) {
  const fft::Options all;
  if (options != nullptr)
    *options = {all.threads, all.axes, all.forward_scale, all.backward_scale, all.measure ? 1 : 0, all.first_axis};
}

int rooftop_fft_plan_create(const rooftop_fft_shape* shape, const rooftop_fft_options* options,
                            rooftop_fft_plan** plan) {
  return create(shape, options, plan);
}

void rooftop_fft_plan_destroy(rooftop_fft_plan* plan) { delete plan; }

int rooftop_fft_plan_sizes(const rooftop_fft_plan* plan, rooftop_fft_sizes* sizes) { return sizes_of(plan, sizes); }

const char* rooftop_fft_plan_instruction_set(const rooftop_fft_plan* plan) { return instruction_set_of(plan); }

int rooftop_fft_run(const rooftop_fft_plan* plan, int32_t direction, const double* in, double* out, void* scratch,
                    const rooftop_fft_factors* factors) {
  return run(plan, direction, in, out, scratch, factors, nullptr);
}

int rooftop_fft_run_stoppable(const rooftop_fft_plan* plan, int32_t direction, const double* in, double* out,
                              void* scratch, const rooftop_fft_factors* factors, const int32_t* stop) {
  return run(plan, direction, in, out, scratch, factors, stop);
}

int rooftop_fft_plan_create_float(const rooftop_fft_shape* shape, const rooftop_fft_options* options,
                                  rooftop_fft_plan_float** plan) {
  return create(shape, options, plan);
}

void rooftop_fft_plan_destroy_float(rooftop_fft_plan_float* plan) { delete plan; }

int rooftop_fft_plan_sizes_float(const rooftop_fft_plan_float* plan, rooftop_fft_sizes* sizes) {
  return sizes_of(plan, sizes);
}

const char* rooftop_fft_plan_instruction_set_float(const rooftop_fft_plan_float* plan) {
  return instruction_set_of(plan);
}

int rooftop_fft_run_float(const rooftop_fft_plan_float* plan, int32_t direction, const float* in, float* out,
                          void* scratch, const rooftop_fft_factors* factors) {
  return run(plan, direction, in, out, scratch, factors, nullptr);
}

int rooftop_fft_run_stoppable_float(const rooftop_fft_plan_float* plan, int32_t direction, const float* in, float* out,
                                    void* scratch, const rooftop_fft_factors* factors, const int32_t* stop) {
  return run(plan, direction, in, out, scratch, factors, stop);
}

int rooftop_fft_real_plan_create(const rooftop_fft_shape* shape, const rooftop_fft_options* options,
                                 rooftop_fft_real_plan** plan) {
  return create(shape, options, plan);
}

void rooftop_fft_real_plan_destroy(rooftop_fft_real_plan* plan) { delete plan; }

int rooftop_fft_real_plan_sizes(const rooftop_fft_real_plan* plan, rooftop_fft_sizes* sizes) {
  return sizes_of(plan, sizes);
}

const char* rooftop_fft_real_plan_instruction_set(const rooftop_fft_real_plan* plan) {
  return instruction_set_of(plan);
}

int rooftop_fft_real_run_stoppable(const rooftop_fft_real_plan* plan, int32_t direction, const double* in, double* out,
                                   void* scratch, const int32_t* stop) {
  return run_real(plan, direction, in, out, scratch, stop);
}

int rooftop_fft_real_plan_create_float(const rooftop_fft_shape* shape, const rooftop_fft_options* options,
                                       rooftop_fft_real_plan_float** plan) {
  return create(shape, options, plan);
}

void rooftop_fft_real_plan_destroy_float(rooftop_fft_real_plan_float* plan) { delete plan; }

int rooftop_fft_real_plan_sizes_float(const rooftop_fft_real_plan_float* plan, rooftop_fft_sizes* sizes) {
  return sizes_of(plan, sizes);
}

const char* rooftop_fft_real_plan_instruction_set_float(const rooftop_fft_real_plan_float* plan) {
  return instruction_set_of(plan);
}

int rooftop_fft_real_run_stoppable_float(const rooftop_fft_real_plan_float* plan, int32_t direction, const float* in,
                                         float* out, void* scratch, const int32_t* stop) {
  return run_real(plan, direction, in, out, scratch, stop);
}
