/* An image of ones through filters of ones: every output is 9 per channel. */
#include <rooftop/conv.h>
#include <stdio.h>
#include <stdlib.h>

static void* aligned(uint64_t bytes) { return aligned_alloc(ROOFTOP_CONV_ALIGNMENT, (bytes / 64 + 1) * 64); }

int main(void) {
  const rooftop_conv_shape shape = {.n = 1, .c = 2, .h = 8, .w = 8, .k = 3, .padding = 0};
  rooftop_conv_plan* plan;
  rooftop_conv_sizes sizes;
  if (rooftop_conv_plan_create(&shape, NULL, &plan) || rooftop_conv_plan_sizes(plan, &sizes)) {
    fprintf(stderr, "%s\n", rooftop_conv_last_error());
    return 1;
  }
  float* image = aligned(sizes.image_floats * sizeof(float));
  float* filter = aligned(3 * 2 * 9 * sizeof(float));
  float* transformed = aligned(sizes.filter_floats * sizeof(float));
  float* output = aligned(sizes.output_floats * sizeof(float));
  void* scratch = aligned(sizes.scratch_bytes);
  for (uint64_t i = 0; i < sizes.image_floats; ++i) image[i] = 1;
  for (int i = 0; i < 3 * 2 * 9; ++i) filter[i] = 1;
  int failed = rooftop_conv_transform_filter(plan, filter, transformed) ||
               rooftop_conv_run(plan, image, transformed, output, scratch) || output[0] < 17.99f || output[0] > 18.01f;
  printf("%s: %g\n", rooftop_conv_plan_instruction_set(plan), output[0]);
  rooftop_conv_plan_destroy(plan);
  free(image), free(filter), free(transformed), free(output), free(scratch);
  return failed;
}
