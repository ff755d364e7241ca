/* The dot product of two vectors: the C interface of rooftop/template.hpp.
 *
 * A function that can fail returns a status, 0 for success, and leaves a message that rooftop_template_last_error()
 * returns to the same thread.
 */
#ifndef ROOFTOP_TEMPLATE_H
#define ROOFTOP_TEMPLATE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_TEMPLATE_API __attribute__((visibility("default")))
/* Changes whenever a function below changes its meaning. */
#define ROOFTOP_TEMPLATE_ABI_VERSION 1

ROOFTOP_TEMPLATE_API int rooftop_template_abi_version(void);
ROOFTOP_TEMPLATE_API const char* rooftop_template_last_error(void);

/* *result becomes the sum of x[i] y[i] over n elements. 1: n is negative or a pointer is null. */
ROOFTOP_TEMPLATE_API int rooftop_template_dot(int64_t n, const double* x, const double* y, double* result);

#ifdef __cplusplus
}
#endif

#endif
