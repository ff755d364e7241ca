/* That conv.h is C, and that the sequence it shows works: ones through ones are 9 per channel. */
#include <stdlib.h>

#include "rooftop/conv.h"

static float* aligned_floats(uint64_t count) { return aligned_alloc(ROOFTOP_CONV_ALIGNMENT, (count / 16 + 1) * 64); }

int rooftop_conv_c_caller(void) {
  const rooftop_conv_shape shape = {.n = 2, .c = 5, .h = 9, .w = 11, .k = 4, .padding = 0};
  rooftop_conv_options options;
  rooftop_conv_default_options(&options);
  options.algorithm = ROOFTOP_CONV_DIRECT;
  rooftop_conv_plan* plan;
  rooftop_conv_sizes sizes;
  if (rooftop_conv_plan_create(&shape, &options, &plan) || rooftop_conv_plan_sizes(plan, &sizes)) return 1;
  if (sizes.algorithm != ROOFTOP_CONV_DIRECT || sizes.image_floats != 2 * 5 * 9 * 11) return 2;
  if (sizes.output_floats != 2 * 4 * 7 * 9 || sizes.multiply_add_flops < 18.0 * 2 * 4 * 5 * 7 * 9) return 3;

  float* image = aligned_floats(sizes.image_floats);
  float* filter = aligned_floats(4 * 5 * 9);
  float* transformed = aligned_floats(sizes.filter_floats);
  float* output = aligned_floats(sizes.output_floats);
  void* scratch = aligned_floats(sizes.scratch_bytes / 4);
  for (uint64_t i = 0; i < sizes.image_floats; ++i) image[i] = 1;
  for (int i = 0; i < 4 * 5 * 9; ++i) filter[i] = 1;
  int failed = rooftop_conv_transform_filter(plan, filter, transformed) ||
               rooftop_conv_run(plan, image, transformed, output, scratch);
  for (uint64_t i = 0; i < sizes.output_floats; ++i) failed |= output[i] != 45;
  rooftop_conv_plan_destroy(plan);
  free(image), free(filter), free(transformed), free(output), free(scratch);
  return failed ? 4 : 0;
}
