/// The C interface: checks what a C++ caller cannot get wrong (nulls, enumerators) and turns exceptions into statuses.
#include "rooftop/conv.h"
#include "rooftop/conv.hpp"
#include "status.hpp"

struct rooftop_conv_plan {
  rooftop::conv::Plan plan;
};

namespace {

namespace conv = rooftop::conv;
namespace c_interface = rooftop::c_interface;

static_assert(ROOFTOP_CONV_BLOCKED == static_cast<int>(conv::Layout::blocked));
static_assert(ROOFTOP_CONV_RELAXED == static_cast<int>(conv::Accuracy::relaxed));
static_assert(ROOFTOP_CONV_F6 == static_cast<int>(conv::Algorithm::f6));
static_assert(ROOFTOP_CONV_PLAIN == static_cast<int>(conv::FilterForm::plain));
static_assert(ROOFTOP_CONV_CHANNEL_BLOCK == conv::channel_block);
static_assert(ROOFTOP_CONV_INVALID_ARGUMENT == c_interface::invalid_argument);
static_assert(ROOFTOP_CONV_OUT_OF_MEMORY == c_interface::out_of_memory);
static_assert(ROOFTOP_CONV_INTERNAL_ERROR == c_interface::internal_error);
static_assert(ROOFTOP_CONV_STOPPED == c_interface::stopped);

template <typename Body>
int guarded(const Body& body) noexcept {
  return c_interface::guarded_team<conv::InvalidArgument, conv::Stopped>(body);
}

void require_pointer(const void* pointer, const char* name) {
  c_interface::require_pointer<conv::InvalidArgument>(pointer, name);
}

template <typename Enum>
Enum enumerator(std::int32_t value, Enum last, const char* name) {
  return c_interface::enumerator<conv::InvalidArgument>(value, last, name);
}

conv::Options to_cpp(const rooftop_conv_options& options) {
  conv::Options result;
  result.input = enumerator(options.input, conv::Layout::blocked, "input layout");
  result.output = enumerator(options.output, conv::Layout::blocked, "output layout");
  result.accuracy = enumerator(options.accuracy, conv::Accuracy::relaxed, "accuracy");
  result.algorithm = enumerator(options.algorithm, conv::Algorithm::f6, "algorithm");
  result.filter = enumerator(options.filter, conv::FilterForm::plain, "filter form");
  result.measure = options.measure != 0;
  result.threads = options.threads;
  result.stop = options.stop;
  return result;
}

rooftop_conv_options to_c(const conv::Options& options) {
  return {static_cast<std::int32_t>(options.input),
          static_cast<std::int32_t>(options.output),
          static_cast<std::int32_t>(options.accuracy),
          static_cast<std::int32_t>(options.algorithm),
          static_cast<std::int32_t>(options.filter),
          options.measure ? 1 : 0,
          options.threads,
          options.stop};
}

}  // namespace

int rooftop_conv_abi_version(void) { return ROOFTOP_CONV_ABI_VERSION; }

const char* rooftop_conv_last_error(void) { return c_interface::last_error; }

void rooftop_conv_default_options(rooftop_conv_options* options) {
  if (options != nullptr) *options = to_c(conv::Options{});
}

int rooftop_conv_plan_create(const rooftop_conv_shape* shape, const rooftop_conv_options* options,
                             rooftop_conv_plan** plan) {
  if (plan != nullptr) *plan = nullptr;
  return guarded([&] {
    require_pointer(plan, "plan");
    require_pointer(shape, "shape");
    const conv::Shape size{shape->n, shape->c, shape->h, shape->w, shape->k, shape->padding};
    *plan = new rooftop_conv_plan{conv::Plan(size, options == nullptr ? conv::Options{} : to_cpp(*options))};
  });
}

void rooftop_conv_plan_destroy(rooftop_conv_plan* plan) { delete plan; }

int rooftop_conv_plan_sizes(const rooftop_conv_plan* plan, rooftop_conv_sizes* sizes) {
  return guarded([&] {
    require_pointer(plan, "plan");
    require_pointer(sizes, "sizes");
    const conv::Plan& p = plan->plan;
    *sizes = {p.image_floats(),
              p.output_floats(),
              p.filter_floats(),
              p.scratch_bytes(),
              p.multiply_add_flops(),
              p.transform_flops(),
              static_cast<std::int32_t>(p.algorithm()),
              0};
  });
}

const char* rooftop_conv_plan_instruction_set(const rooftop_conv_plan* plan) {
  return plan == nullptr ? nullptr : plan->plan.instruction_set();
}

int rooftop_conv_transform_filter(const rooftop_conv_plan* plan, const float* filter, float* transformed) {
  return guarded([&] {
    require_pointer(plan, "plan");
    require_pointer(filter, "filter");
    require_pointer(transformed, "transformed");
    plan->plan.transform_filter(filter, transformed);
  });
}

int rooftop_conv_run(const rooftop_conv_plan* plan, const float* image, const float* filter, float* output,
                     void* scratch) {
  return rooftop_conv_run_stoppable(plan, image, filter, output, scratch, nullptr);
}

int rooftop_conv_run_stoppable(const rooftop_conv_plan* plan, const float* image, const float* filter, float* output,
                               void* scratch, const int32_t* stop) {
  return rooftop_conv_run_with_bias(plan, image, filter, nullptr, output, scratch, stop);
}

int rooftop_conv_run_with_bias(const rooftop_conv_plan* plan, const float* image, const float* filter,
                               const float* bias, float* output, void* scratch, const int32_t* stop) {
  return guarded([&] {
    require_pointer(plan, "plan");
    require_pointer(image, "image");
    require_pointer(filter, "filter");
    require_pointer(output, "output");
    if (plan->plan.scratch_bytes() != 0) require_pointer(scratch, "scratch");
    plan->plan.run(image, filter, output, scratch, stop, bias);
  });
}

int rooftop_conv_to_blocked(const float* nchw, float* blocked, int64_t n, int64_t channels, int64_t h, int64_t w,
                            int threads) {
  return guarded([&] {
    require_pointer(nchw, "nchw");
    require_pointer(blocked, "blocked");
    conv::to_blocked(nchw, blocked, n, channels, h, w, threads);
  });
}

int rooftop_conv_from_blocked(const float* blocked, float* nchw, int64_t n, int64_t channels, int64_t h, int64_t w,
                              int threads) {
  return guarded([&] {
    require_pointer(blocked, "blocked");
    require_pointer(nchw, "nchw");
    conv::from_blocked(blocked, nchw, n, channels, h, w, threads);
  });
}
