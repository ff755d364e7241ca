/* Fourier transforms of complex doubles or floats on CPUs: the C interface of rooftop/fft.hpp, where the terms are
 * explained.
 *
 * Every function that can fail returns a status, 0 for success, and leaves a message that rooftop_fft_last_error()
 * gives to the same thread. No function throws, prints or ends the process.
 *
 *     rooftop_fft_shape shape = {.nx = 128, .ny = 128, .nz = 128};
 *     rooftop_fft_plan* plan;
 *     if (rooftop_fft_plan_create(&shape, NULL, &plan)) fail(rooftop_fft_last_error());
 *     … allocate scratch as rooftop_fft_plan_sizes() says, aligned to 64 bytes …
 *     rooftop_fft_run(plan, ROOFTOP_FFT_FORWARD, in, out, scratch, NULL);
 *     rooftop_fft_plan_destroy(plan);
 *
 * Functions for floats end in _float; shapes, options, factors and sizes are the same.
 */
#ifndef ROOFTOP_FFT_H
#define ROOFTOP_FFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_FFT_API __attribute__((visibility("default")))
/* Changes whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_FFT_ABI_VERSION 1
#define ROOFTOP_FFT_ALIGNMENT 64

typedef enum {
  ROOFTOP_FFT_OK = 0,
  ROOFTOP_FFT_INVALID_ARGUMENT = 1,
  ROOFTOP_FFT_OUT_OF_MEMORY = 2,
  ROOFTOP_FFT_INTERNAL_ERROR = 3,
  ROOFTOP_FFT_STOPPED = 4
} rooftop_fft_status;
typedef enum { ROOFTOP_FFT_FORWARD = 0, ROOFTOP_FFT_BACKWARD = 1 } rooftop_fft_direction;

/* Value (x, y, z) lies at (z ny + y) nx + x. Two dimensions: nz = 1; one: ny = nz = 1. */
typedef struct {
  int64_t nx, ny, nz;
} rooftop_fft_shape;

typedef struct {
  int32_t threads;                      /* 0: as many as OpenMP would take */
  int32_t axes;                         /* transformed: 3 all, 2 x and y, 1 x */
  double forward_scale, backward_scale; /* what results are multiplied by */
} rooftop_fft_options;

/* Value (x, y, z) is multiplied by x[x] y[y] z[z] on its way into a backward transform. Doubles in either precision. */
typedef struct {
  const double *x, *y, *z; /* nx, ny and nz values */
} rooftop_fft_factors;

/* What a plan needs and does. Flops per run. */
typedef struct {
  uint64_t values;        /* nx ny nz complex numbers, 16 or 8 bytes each, in each of `in` and `out` */
  uint64_t scratch_bytes; /* at most four times the array, and 4 MiB for each thread */
  double multiply_add_flops, lone_flops;
} rooftop_fft_sizes;

/* Immutable once made: run it from several threads at once, each with its own scratch. */
typedef struct rooftop_fft_plan rooftop_fft_plan;
typedef struct rooftop_fft_plan_float rooftop_fft_plan_float;

/* ROOFTOP_FFT_ABI_VERSION as compiled into the library. */
ROOFTOP_FFT_API int rooftop_fft_abi_version(void);
/* Why the last call of this thread that failed did so: one line, valid until its next failing call; "" before any. */
ROOFTOP_FFT_API const char* rooftop_fft_last_error(void);

/* All threads, all axes, scales 1: what a null `options` stands for. */
ROOFTOP_FFT_API void rooftop_fft_default_options(rooftop_fft_options* options);
/* Any lengths up to 2^23, products of 2, 3, 5 and 7 up to 2^24. On failure *plan is null. */
ROOFTOP_FFT_API int rooftop_fft_plan_create(const rooftop_fft_shape* shape, const rooftop_fft_options* options,
                                            rooftop_fft_plan** plan);
ROOFTOP_FFT_API void rooftop_fft_plan_destroy(rooftop_fft_plan* plan); /* null is fine */
ROOFTOP_FFT_API int rooftop_fft_plan_sizes(const rooftop_fft_plan* plan, rooftop_fft_sizes* sizes);
/* The SIMD target that runs here, such as "AVX3"; null for a null plan. Lives as long as the plan. */
ROOFTOP_FFT_API const char* rooftop_fft_plan_instruction_set(const rooftop_fft_plan* plan);

/* direction: rooftop_fft_direction. in, out: real and imaginary part of each value in turn, as in double _Complex; the
 * same array, or two that do not overlap. scratch: scratch_bytes on a 64-byte boundary. factors: null, or those of a
 * backward transform of all axes. */
ROOFTOP_FFT_API int rooftop_fft_run(const rooftop_fft_plan* plan, int32_t direction, const double* in, double* out,
                                    void* scratch, const rooftop_fft_factors* factors);

/* The same with a flag that any thread or signal handler may set: soon after it is not 0, the status is STOPPED, and
 * out is neither what it was nor what it was to become. stop: null for none. */
ROOFTOP_FFT_API int rooftop_fft_run_stoppable(const rooftop_fft_plan* plan, int32_t direction, const double* in,
                                              double* out, void* scratch, const rooftop_fft_factors* factors,
                                              const int32_t* stop);

/* The same of complex floats. A scale is one that a float can hold. */
ROOFTOP_FFT_API int rooftop_fft_plan_create_float(const rooftop_fft_shape* shape, const rooftop_fft_options* options,
                                                  rooftop_fft_plan_float** plan);
ROOFTOP_FFT_API void rooftop_fft_plan_destroy_float(rooftop_fft_plan_float* plan);
ROOFTOP_FFT_API int rooftop_fft_plan_sizes_float(const rooftop_fft_plan_float* plan, rooftop_fft_sizes* sizes);
ROOFTOP_FFT_API const char* rooftop_fft_plan_instruction_set_float(const rooftop_fft_plan_float* plan);
ROOFTOP_FFT_API int rooftop_fft_run_float(const rooftop_fft_plan_float* plan, int32_t direction, const float* in,
                                          float* out, void* scratch, const rooftop_fft_factors* factors);
ROOFTOP_FFT_API int rooftop_fft_run_stoppable_float(const rooftop_fft_plan_float* plan, int32_t direction,
                                                    const float* in, float* out, void* scratch,
                                                    const rooftop_fft_factors* factors, const int32_t* stop);

#ifdef __cplusplus
}
#endif

#endif
