/* Whether an array of NumPy is still what it was: `a.shape = …` and `a.dtype = …` change it in place.
 *
 * A buffer tells that, too, in 0.15 µs. This takes some nanoseconds: it reads the first fields of NumPy's
 * PyArrayObject_fields, which have been part of its binary interface since NumPy 1.7, and only where they are found to
 * say what a buffer says. */
#ifndef ROOFTOP_ARRAY_FORM_H
#define ROOFTOP_ARRAY_FORM_H

#include "python_objects.h"

enum { most_form_dimensions = 2 };

typedef struct {
  PyObject head;
  void* data;
  int dimensions;
  Py_ssize_t *shape, *strides;
  PyObject *base, *dtype;
} NumpyArray;

typedef struct {
  PyObject* dtype; /* a reference, so that no other dtype lies where it does; null where the form is not known */
  void* data;
  int dimensions;
  Py_ssize_t shape[most_form_dimensions], strides[most_form_dimensions];
} ArrayForm;

/* Sets *form to that of an array whose buffer is `values`. It stays null where NumPy's fields are others. */
static inline void set_form(PyObject* array, const Py_buffer* values, ArrayForm* form) {
  const NumpyArray* const now = (const NumpyArray*)array;
  PyObject* const dtype = PyObject_GetAttrString(array, "dtype");
  memset(form, 0, sizeof *form);
  if (dtype == NULL) PyErr_Clear();
  if (dtype == NULL || now->dtype != dtype || now->data != values->buf || now->dimensions != values->ndim ||
      values->ndim > most_form_dimensions ||
      memcmp(now->shape, values->shape, (size_t)values->ndim * sizeof *now->shape) != 0) {
    Py_XDECREF(dtype);
    return;
  }
  *form = (ArrayForm){.dtype = dtype, .data = now->data, .dimensions = now->dimensions};
  for (int d = 0; d < form->dimensions; ++d) {
    form->shape[d] = now->shape[d];
    form->strides[d] = now->strides[d];
  }
}

/* Whether the array that a form was set to is known to have it still. */
static inline int has_form(PyObject* array, const ArrayForm* form) {
  const NumpyArray* const now = (const NumpyArray*)array;
  if (form->dtype == NULL || now->dtype != form->dtype || now->data != form->data ||
      now->dimensions != form->dimensions) {
    return 0;
  }
  for (int d = 0; d < form->dimensions; ++d) {
    if (now->shape[d] != form->shape[d] || now->strides[d] != form->strides[d]) return 0;
  }
  return 1;
}

static inline void forget_form(ArrayForm* form) { Py_CLEAR(form->dtype); }

#endif
