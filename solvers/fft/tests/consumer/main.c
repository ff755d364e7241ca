/* Ones become a single value: their number. */
#include <rooftop/fft.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const rooftop_fft_shape shape = {.nx = 8, .ny = 6, .nz = 4};
  rooftop_fft_plan* plan;
  rooftop_fft_sizes sizes;
  if (rooftop_fft_plan_create(&shape, NULL, &plan) || rooftop_fft_plan_sizes(plan, &sizes)) {
    fprintf(stderr, "%s\n", rooftop_fft_last_error());
    return 1;
  }
  double* grid = malloc(sizes.values * 2 * sizeof(double));
  void* scratch = aligned_alloc(ROOFTOP_FFT_ALIGNMENT, (sizes.scratch_bytes / 64 + 1) * 64);
  for (uint64_t i = 0; i < sizes.values; ++i) grid[2 * i] = 1, grid[2 * i + 1] = 0;
  int failed = rooftop_fft_run(plan, ROOFTOP_FFT_FORWARD, grid, grid, scratch, NULL) || grid[0] != 192 || grid[2] != 0;
  printf("%s: %g\n", rooftop_fft_plan_instruction_set(plan), grid[0]);
  rooftop_fft_plan_destroy(plan);
  free(grid), free(scratch);
  return failed;
}
