/* fp32 3x3 stride-1 convolution on CPUs: the C interface of rooftop/conv.hpp, where the terms are explained.
 *
 * Every function that can fail returns a status, 0 on success. The calling thread gets the error message from
 * rooftop_conv_last_error(). No function throws, prints or ends the process.
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
/* Incremented whenever a function or structure below changes its meaning or layout. */
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
  int32_t filter;        /* rooftop_conv_filter_form of the filter passed to rooftop_conv_run */
  int32_t measure;       /* nonzero: time the candidates while planning */
  int32_t threads;       /* 0: OpenMP's default */
  const int32_t* stop;   /* optional flag: a nonzero value ends planning with `measure`, with status STOPPED */
} rooftop_conv_options;

/* Memory and floating-point operations of a run. */
typedef struct {
  uint64_t image_floats, output_floats, filter_floats, scratch_bytes;
  double multiply_add_flops, transform_flops;
  int32_t algorithm; /* the one chosen */
  int32_t reserved;  /* 0 */
} rooftop_conv_sizes;

/* Immutable. Several threads may run a plan at the same time, each with its own scratch memory. */
typedef struct rooftop_conv_plan rooftop_conv_plan;

/* ROOFTOP_CONV_ABI_VERSION as compiled into the library. */
ROOFTOP_CONV_API int rooftop_conv_abi_version(void);
/* This thread's last error message: one line, valid until its next failed call; "" if no call has failed. */
ROOFTOP_CONV_API const char* rooftop_conv_last_error(void);

/* Sets the defaults, which null `options` also mean: NCHW, balanced, automatic, transformed filter, no measuring, all
 * threads. */
ROOFTOP_CONV_API void rooftop_conv_default_options(rooftop_conv_options* options);
/* Sets *plan to null on failure. */
ROOFTOP_CONV_API int rooftop_conv_plan_create(const rooftop_conv_shape* shape, const rooftop_conv_options* options,
                                              rooftop_conv_plan** plan);
ROOFTOP_CONV_API void rooftop_conv_plan_destroy(rooftop_conv_plan* plan); /* null is fine */
ROOFTOP_CONV_API int rooftop_conv_plan_sizes(const rooftop_conv_plan* plan, rooftop_conv_sizes* sizes);
/* The Highway SIMD target in use, such as "AVX3"; null for a null plan. Valid as long as the plan. */
ROOFTOP_CONV_API const char* rooftop_conv_plan_instruction_set(const rooftop_conv_plan* plan);

/* Transforms a filter for rooftop_conv_run. filter: k*c*3*3 floats of any alignment. transformed: filter_floats floats,
 * aligned to 64 bytes. Fails with INVALID_ARGUMENT if the plan takes a plain filter. */
ROOFTOP_CONV_API int rooftop_conv_transform_filter(const rooftop_conv_plan* plan, const float* filter,
                                                   float* transformed);
/* Convolves. filter: the result of rooftop_conv_transform_filter, or the filter itself if the plan takes a plain one.
 * Arrays are aligned to 64 bytes, except NCHW images and outputs and plain filters. scratch may be null if
 * scratch_bytes is 0. */
ROOFTOP_CONV_API int rooftop_conv_run(const rooftop_conv_plan* plan, const float* image, const float* filter,
                                      float* output, void* scratch);
/* The same with a stop flag, or null. A value other than 0, which any thread or signal handler may write, soon ends the
 * call with status STOPPED; the contents of the output are then undefined. */
ROOFTOP_CONV_API int rooftop_conv_run_stoppable(const rooftop_conv_plan* plan, const float* image, const float* filter,
                                                float* output, void* scratch, const int32_t* stop);
/* The same with a bias, or null: bias[k] is added to the outputs of each filter. */
ROOFTOP_CONV_API int rooftop_conv_run_with_bias(const rooftop_conv_plan* plan, const float* image, const float* filter,
                                                const float* bias, float* output, void* scratch, const int32_t* stop);

/* Convert between [n][channel][y][x] and [n][channel / 16][y][x][channel % 16]. Padding channels are set to zero. */
ROOFTOP_CONV_API int rooftop_conv_to_blocked(const float* nchw, float* blocked, int64_t n, int64_t channels, int64_t h,
                                             int64_t w, int threads);
ROOFTOP_CONV_API int rooftop_conv_from_blocked(const float* blocked, float* nchw, int64_t n, int64_t channels,
                                               int64_t h, int64_t w, int threads);

#ifdef __cplusplus
}
#endif

#endif
