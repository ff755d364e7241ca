/* Functions of Python's own with an object of C behind them, such as those that run a plan each. */
#ifndef ROOFTOP_FUNCTION_OF_OBJECT_H
#define ROOFTOP_FUNCTION_OF_OBJECT_H

#include "python_objects.h"

/* What such objects, of PyMem_Calloc(), begin with. */
typedef struct {
  PyObject* kept; /* what keeps all that the object refers to */
} ObjectBehind;

static inline void free_object_behind(PyObject* capsule) {
  ObjectBehind* const object = (ObjectBehind*)PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
  Py_XDECREF(object->kept);
  PyMem_Free(object);
}

/* Returns a function whose `self` is a capsule of this name with the object, which ends with it. Takes the object and
 * the reference `kept`, which may be null; NULL if that fails, or if it is null. */
static inline PyObject* function_of_object(PyMethodDef* method, const char* name, void* object, PyObject* kept) {
  PyObject* const capsule = kept == NULL ? NULL : PyCapsule_New(object, name, free_object_behind);
  if (capsule == NULL) {
    Py_XDECREF(kept);
    PyMem_Free(object);
    return NULL;
  }
  ((ObjectBehind*)object)->kept = kept;
  PyObject* const function = PyCFunction_NewEx(method, capsule, NULL);
  Py_DECREF(capsule);
  return function;
}

/* Sets an array's lengths from a tuple, `most` at most. Returns whether that was possible. */
static inline int set_lengths(PyObject* tuple, int most, int* dimensions, Py_ssize_t* lengths) {
  const Py_ssize_t count = PyTuple_Size(tuple);
  if (count < 0 || count > most) return 0;
  for (Py_ssize_t d = 0; d < count; ++d) lengths[d] = PyLong_AsSsize_t(PyTuple_GetItem(tuple, d));
  *dimensions = (int)count;
  return PyErr_Occurred() == NULL;
}

#endif
