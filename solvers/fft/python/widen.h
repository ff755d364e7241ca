/* Real numbers as complex ones. */
#ifndef ROOFTOP_FFT_WIDEN_H
#define ROOFTOP_FFT_WIDEN_H

#include "python_objects.h"

/* Writes floats or doubles as complex numbers of the same precision. */
static inline void widen(const Py_buffer* reals, void* complex) {
  const Py_ssize_t count = reals->len / reals->itemsize;
  if (reals->itemsize == sizeof(float)) {
    const float* const from = (const float*)reals->buf;
    float* const to = (float*)complex;
    for (Py_ssize_t i = 0; i < count; ++i) to[2 * i] = from[i], to[2 * i + 1] = 0;
  } else {
    const double* const from = (const double*)reals->buf;
    double* const to = (double*)complex;
    for (Py_ssize_t i = 0; i < count; ++i) to[2 * i] = from[i], to[2 * i + 1] = 0;
  }
}

#endif
