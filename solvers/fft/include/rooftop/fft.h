/* Fourier transforms of complex or real doubles or floats on CPUs: the C interface of rooftop/fft.hpp, where the terms
 * are explained.
 *
 * Every function that can fail returns a status, 0 on success. The calling thread gets the error message from
 * rooftop_fft_last_error(). No function throws, prints or ends the process.
 *
 *     rooftop_fft_shape shape = {.nx = 128, .ny = 128, .nz = 128};
 *     rooftop_fft_plan* plan;
 *     if (rooftop_fft_plan_create(&shape, NULL, &plan)) fail(rooftop_fft_last_error());
 *     … allocate scratch as rooftop_fft_plan_sizes() says, aligned to 64 bytes …
 *     rooftop_fft_run(plan, ROOFTOP_FFT_FORWARD, in, out, scratch, NULL);
 *     rooftop_fft_plan_destroy(plan);
 *
 * Names of single-precision functions end in _float; shapes, options, factors and sizes are the same.
 */
#ifndef ROOFTOP_FFT_H
#define ROOFTOP_FFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_FFT_API __attribute__((visibility("default")))
/* Incremented whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_FFT_ABI_VERSION 2
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
  int32_t threads;                      /* at most, and one for each 8192 values; 0: as many as OpenMP has */
  int32_t axes;                         /* axes to transform: 3: x, y and z; 2: x and y; 1: x */
  double forward_scale, backward_scale; /* factors of the results */
  int32_t measure;                      /* 1: choose threads and sweeps by timing runs; 0: by the size */
  int32_t first_axis;                   /* of complex values, the axis that `axes` begin with: 0: x; 1: y; 2: z */
} rooftop_fft_options;

/* Factors of the input of a backward transform: value (x, y, z) is multiplied by x[x] y[y] z[z]. Doubles in both
 * precisions. */
typedef struct {
  const double *x, *y, *z; /* nx, ny and nz values */
} rooftop_fft_factors;

/* Memory and floating-point operations of a run. */
typedef struct {
  uint64_t values;        /* nx ny nz complex numbers, 16 or 8 bytes each, in each of `in` and `out` */
  uint64_t scratch_bytes; /* at most four times the array, and 4 MiB for each thread */
  double multiply_add_flops, lone_flops;
} rooftop_fft_sizes;

/* Immutable. Several threads may run a plan at the same time, each with its own scratch memory. */
typedef struct rooftop_fft_plan rooftop_fft_plan;
typedef struct rooftop_fft_plan_float rooftop_fft_plan_float;
/* Of real values, and their modes 0 to nx / 2 along x; the others are conjugates of these. */
typedef struct rooftop_fft_real_plan rooftop_fft_real_plan;
typedef struct rooftop_fft_real_plan_float rooftop_fft_real_plan_float;

/* ROOFTOP_FFT_ABI_VERSION as compiled into the library. */
ROOFTOP_FFT_API int rooftop_fft_abi_version(void);
/* This thread's last error message: one line, valid until its next failed call; "" if no call has failed. */
ROOFTOP_FFT_API const char* rooftop_fft_last_error(void);

/* Sets the defaults, which null `options` also mean: all threads, all axes, scales 1. */
ROOFTOP_FFT_API void rooftop_fft_default_options(rooftop_fft_options* options);
/* Plans transforms of a shape: any lengths up to 2^23, and products of primes up to 31 up to 2^24. Sets *plan to null
 * on failure. */
ROOFTOP_FFT_API int rooftop_fft_plan_create(const rooftop_fft_shape* shape, const rooftop_fft_options* options,
                                            rooftop_fft_plan** plan);
ROOFTOP_FFT_API void rooftop_fft_plan_destroy(rooftop_fft_plan* plan); /* null is fine */
ROOFTOP_FFT_API int rooftop_fft_plan_sizes(const rooftop_fft_plan* plan, rooftop_fft_sizes* sizes);
/* The Highway SIMD target in use, such as "AVX3"; null for a null plan. Valid as long as the plan. */
ROOFTOP_FFT_API const char* rooftop_fft_plan_instruction_set(const rooftop_fft_plan* plan);

/* Transforms `in` to `out`.
 * direction: a rooftop_fft_direction.
 * in, out: interleaved real and imaginary parts, as in double _Complex; the same array, or two that do not overlap.
 * scratch: scratch_bytes bytes, aligned to 64 bytes.
 * factors: null, or the factors of a backward transform of all axes. */
ROOFTOP_FFT_API int rooftop_fft_run(const rooftop_fft_plan* plan, int32_t direction, const double* in, double* out,
                                    void* scratch, const rooftop_fft_factors* factors);

/* The same with a stop flag, or null. A value other than 0, which any thread or signal handler may write, soon ends the
 * transform with status STOPPED; the contents of `out` are then undefined. */
ROOFTOP_FFT_API int rooftop_fft_run_stoppable(const rooftop_fft_plan* plan, int32_t direction, const double* in,
                                              double* out, void* scratch, const rooftop_fft_factors* factors,
                                              const int32_t* stop);

/* The same in single precision. Scales must be finite as floats. */
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

/* Plans transforms of real values of a shape; limits are those of rooftop_fft_plan_create(). Sets *plan to null on
 * failure. */
ROOFTOP_FFT_API int rooftop_fft_real_plan_create(const rooftop_fft_shape* shape, const rooftop_fft_options* options,
                                                 rooftop_fft_real_plan** plan);
ROOFTOP_FFT_API void rooftop_fft_real_plan_destroy(rooftop_fft_real_plan* plan); /* null is fine */
/* `values` counts the real values, nx ny nz; there are (nx / 2 + 1) ny nz modes. */
ROOFTOP_FFT_API int rooftop_fft_real_plan_sizes(const rooftop_fft_real_plan* plan, rooftop_fft_sizes* sizes);
ROOFTOP_FFT_API const char* rooftop_fft_real_plan_instruction_set(const rooftop_fft_real_plan* plan);

/* Transforms values to modes (forward) or modes to values (backward, not divided by their number).
 * in, out: arrays that do not overlap, nx values or nx / 2 + 1 modes for each line; `in` is left as it is. The
 * imaginary parts of mode 0, and of mode nx / 2 where nx is even, are ignored. scratch, stop: as of
 * rooftop_fft_run_stoppable(). */
ROOFTOP_FFT_API int rooftop_fft_real_run_stoppable(const rooftop_fft_real_plan* plan, int32_t direction,
                                                   const double* in, double* out, void* scratch, const int32_t* stop);

/* The same in single precision. */
ROOFTOP_FFT_API int rooftop_fft_real_plan_create_float(const rooftop_fft_shape* shape,
                                                       const rooftop_fft_options* options,
                                                       rooftop_fft_real_plan_float** plan);
ROOFTOP_FFT_API void rooftop_fft_real_plan_destroy_float(rooftop_fft_real_plan_float* plan);
ROOFTOP_FFT_API int rooftop_fft_real_plan_sizes_float(const rooftop_fft_real_plan_float* plan,
                                                      rooftop_fft_sizes* sizes);
ROOFTOP_FFT_API const char* rooftop_fft_real_plan_instruction_set_float(const rooftop_fft_real_plan_float* plan);
ROOFTOP_FFT_API int rooftop_fft_real_run_stoppable_float(const rooftop_fft_real_plan_float* plan, int32_t direction,
                                                         const float* in, float* out, void* scratch,
                                                         const int32_t* stop);

#ifdef __cplusplus
}
#endif

#endif
