/* A tone of three swings in sixteen values, and what the transform finds of it. */
#include <math.h>
#include <rooftop/fft.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const rooftop_fft_shape shape = {.nx = 16, .ny = 1, .nz = 1};
  rooftop_fft_plan* plan;
  rooftop_fft_sizes sizes;
  if (rooftop_fft_plan_create(&shape, NULL, &plan) || rooftop_fft_plan_sizes(plan, &sizes)) {
    fprintf(stderr, "%s\n", rooftop_fft_last_error());
    return 1;
  }
  double line[32] = {0}; /* real and imaginary parts in turn */
  for (int i = 0; i < 16; ++i) line[2 * i] = cos(3 * 2 * acos(-1.0) * i / 16);
  void* scratch = aligned_alloc(ROOFTOP_FFT_ALIGNMENT, (sizes.scratch_bytes / 64 + 1) * 64);
  const int failed = rooftop_fft_run(plan, ROOFTOP_FFT_FORWARD, line, line, scratch, NULL);
  if (failed) {
    fprintf(stderr, "%s\n", rooftop_fft_last_error());
  } else {
    printf("amplitude: %.2f\n", line[2 * 3] / 8);
  }
  rooftop_fft_plan_destroy(plan);
  free(scratch);
  return failed;
}
