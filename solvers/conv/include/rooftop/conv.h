/* fp32 3x3 stride-1 convolution on CPUs: the C interface of rooftop/conv.hpp, where the terms are explained.
 *
 * Every function that can fail returns a status, 0 for success, and leaves a message that
 * rooftop_conv_last_error() gives to the same thread. No function throws, prints or ends the process.
 *
 *     rooftop_conv_shape shape = {.n = 1, .c = 64, .h = 56, .w = 56, .k = 64, .padding = 1};
 *     rooftop_conv_plan* plan;
 *     if (rooftop_conv_plan_create(&shape, NULL, &plan)) fail(rooftop_conv_last_error());
 *     … allocate what rooftop_conv_plan_sizes() says, aligned to 64 bytes …
 *     rooftop_conv_transform_filter(plan, filter, transformed);
 *     rooftop_conv_run(plan, image, transformed, output, scratch);
 *     rooftop_conv_plan_destroy(plan);
 */
#ifndef ROOFTOP_CONV_H
#define ROOFTOP_CONV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_CONV_API __attribute__((visibility("default")))
/* Changes whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_CONV_ABI_VERSION 3
#define ROOFTOP_CONV_ALIGNMENT 64
#define ROOFTOP_CONV_CHANNEL_BLOCK 16

typedef enum {
  ROOFTOP_CONV_OK = 0,
  ROOFTOP_CONV_INVALID_ARGUMENT = 1,
  ROOFTOP_CONV_OUT_OF_MEMORY = 2,
  ROOFTOP_CONV_INTERNAL_ERROR = 3,
  ROOFTOP_CONV_STOPPED = 4
} rooftop_conv_status;
typedef enum { ROOFTOP_CONV_NCHW = 0, ROOFTOP_CONV_BLOCKED = 1 } rooftop_conv_layout;
typedef enum { ROOFTOP_CONV_STRICT = 0, ROOFTOP_CONV_BALANCED = 1, ROOFTOP_CONV_RELAXED = 2 } rooftop_conv_accuracy;
typedef enum {
  ROOFTOP_CONV_AUTOMATIC = 0,
  ROOFTOP_CONV_DIRECT = 1,
  ROOFTOP_CONV_F2 = 2,
  ROOFTOP_CONV_F4 = 3,
  ROOFTOP_CONV_F6 = 4
} rooftop_conv_algorithm;
typedef enum { ROOFTOP_CONV_TRANSFORMED = 0, ROOFTOP_CONV_PLAIN = 1 } rooftop_conv_filter_form;

typedef struct {
  int64_t n, c, h, w, k; /* images, input channels, image height and width, filters */
  int64_t padding;       /* 0 or 1 */
} rooftop_conv_shape;

typedef struct {
  int32_t input, output; /* rooftop_conv_layout */
  int32_t accuracy;      /* rooftop_conv_accuracy */
  int32_t algorithm;     /* rooftop_conv_algorithm; anything but automatic overrides accuracy */
  int32_t filter;        /* rooftop_conv_filter_form: what rooftop_conv_run takes */
  int32_t measure;       /* not 0: time the candidates while planning */
  int32_t threads;       /* 0: as many as OpenMP would take */
  const int32_t* stop;   /* null, or a flag: once it is not 0, planning that measures ends with the status STOPPED */
} rooftop_conv_options;

/* What a plan needs and does. Sizes in floats and bytes; flops per run. */
typedef struct {
  uint64_t image_floats, output_floats, filter_floats, scratch_bytes;
  double multiply_add_flops, transform_flops;
  int32_t algorithm; /* the one chosen */
  int32_t reserved;  /* 0 */
} rooftop_conv_sizes;

/* Immutable once made: run it from several threads at once, each with its own scratch. */
typedef struct rooftop_conv_plan rooftop_conv_plan;

/* ROOFTOP_CONV_ABI_VERSION as compiled into the library. */
ROOFTOP_CONV_API int rooftop_conv_abi_version(void);
/* Why the last call of this thread that failed did so: one line, valid until its next failing call; "" before any. */
ROOFTOP_CONV_API const char* rooftop_conv_last_error(void);

/* NCHW, balanced, automatic, transformed filter, not measured, all threads: what a null `options` stands for. */
ROOFTOP_CONV_API void rooftop_conv_default_options(rooftop_conv_options* options);
/* On failure *plan is null. */
ROOFTOP_CONV_API int rooftop_conv_plan_create(const rooftop_conv_shape* shape, const rooftop_conv_options* options,
                                              rooftop_conv_plan** plan);
ROOFTOP_CONV_API void rooftop_conv_plan_destroy(rooftop_conv_plan* plan); /* null is fine */
ROOFTOP_CONV_API int rooftop_conv_plan_sizes(const rooftop_conv_plan* plan, rooftop_conv_sizes* sizes);
/* The SIMD target that runs here, such as "AVX3"; null for a null plan. Lives as long as the plan. */
ROOFTOP_CONV_API const char* rooftop_conv_plan_instruction_set(const rooftop_conv_plan* plan);

/* filter: k*c*3*3 floats in any alignment. transformed: filter_floats, 64-byte aligned. An invalid argument for a plan
 * that takes a plain filter. */
ROOFTOP_CONV_API int rooftop_conv_transform_filter(const rooftop_conv_plan* plan, const float* filter,
                                                   float* transformed);
/* filter: what rooftop_conv_transform_filter gave, or the taps themselves if the plan takes a plain filter. Pointers
 * aligned to 64 bytes, except NCHW images and outputs and plain filters. scratch may be null where scratch_bytes is 0.
 */
ROOFTOP_CONV_API int rooftop_conv_run(const rooftop_conv_plan* plan, const float* image, const float* filter,
                                      float* output, void* scratch);
/* The same with a flag that any thread or signal handler may set: soon after it is not 0, the status is STOPPED, and
 * the output is neither what it was nor what it was to become. stop: null for none. */
ROOFTOP_CONV_API int rooftop_conv_run_stoppable(const rooftop_conv_plan* plan, const float* image, const float* filter,
                                                float* output, void* scratch, const int32_t* stop);

/* Between [n][channel][y][x] and [n][channel / 16][y][x][channel % 16]; padding channels become zero. */
ROOFTOP_CONV_API int rooftop_conv_to_blocked(const float* nchw, float* blocked, int64_t n, int64_t channels, int64_t h,
                                             int64_t w, int threads);
ROOFTOP_CONV_API int rooftop_conv_from_blocked(const float* blocked, float* nchw, int64_t n, int64_t channels,
                                               int64_t h, int64_t w, int threads);

#ifdef __cplusplus
}
#endif

#endif
