/* That fft.h is C, and that the sequence it shows works: a single 1 becomes ones, and ones a single 1. */
#include <complex.h>
#include <stdlib.h>

#include "rooftop/fft.h"

enum { nx = 6, ny = 11, nz = 5, values = nx * ny * nz };

static int in_float(const rooftop_fft_shape* shape, const rooftop_fft_options* options) {
  rooftop_fft_plan_float* plan;
  rooftop_fft_sizes sizes;
  if (rooftop_fft_plan_create_float(shape, options, &plan) || rooftop_fft_plan_sizes_float(plan, &sizes)) return 1;
  float complex* grid = calloc(values, sizeof *grid);
  void* scratch = aligned_alloc(ROOFTOP_FFT_ALIGNMENT, (sizes.scratch_bytes / 64 + 1) * 64);
  grid[0] = 1;
  int failed = sizes.values != values || rooftop_fft_plan_instruction_set_float(plan) == NULL;
  failed |= rooftop_fft_run_float(plan, ROOFTOP_FFT_FORWARD, (float*)grid, (float*)grid, scratch, NULL);
  for (int i = 0; i < values; ++i) failed |= cabsf(grid[i] - 1) > 1e-6F;
  failed |= rooftop_fft_run_float(plan, ROOFTOP_FFT_BACKWARD, (float*)grid, (float*)grid, scratch, NULL);
  for (int i = 0; i < values; ++i) failed |= cabsf(grid[i] - (i == 0)) > 1e-6F;
  rooftop_fft_plan_destroy_float(plan);
  free(grid), free(scratch);
  return failed;
}

int rooftop_fft_c_caller(void) {
  const rooftop_fft_shape shape = {.nx = nx, .ny = ny, .nz = nz};
  rooftop_fft_options options;
  rooftop_fft_default_options(&options);
  options.backward_scale = 1.0 / values;
  rooftop_fft_plan* plan;
  rooftop_fft_sizes sizes;
  if (rooftop_fft_plan_create(&shape, &options, &plan) || rooftop_fft_plan_sizes(plan, &sizes)) return 1;
  if (sizes.values != values || sizes.lone_flops < values || sizes.multiply_add_flops < values) return 2;

  double complex* grid = calloc(values, sizeof *grid);
  void* scratch = aligned_alloc(ROOFTOP_FFT_ALIGNMENT, (sizes.scratch_bytes / 64 + 1) * 64);
  grid[0] = 1;
  int failed = rooftop_fft_run(plan, ROOFTOP_FFT_FORWARD, (double*)grid, (double*)grid, scratch, NULL);
  for (int i = 0; i < values; ++i) failed |= cabs(grid[i] - 1) > 1e-15;
  failed |= rooftop_fft_run(plan, ROOFTOP_FFT_BACKWARD, (double*)grid, (double*)grid, scratch, NULL);
  for (int i = 0; i < values; ++i) failed |= cabs(grid[i] - (i == 0)) > 1e-15;
  rooftop_fft_plan_destroy(plan);
  free(grid), free(scratch);
  return failed ? 3 : in_float(&shape, &options) ? 4 : 0;
}
