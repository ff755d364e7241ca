/* What functions of Python's own share (solvers/cmake/add_python_functions.cmake): checks that raise nothing, new
 * arrays and objects of dataclasses. Only Python's stable interface is used, that of 3.11. */
#ifndef ROOFTOP_PYTHON_OBJECTS_H
#define ROOFTOP_PYTHON_OBJECTS_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

/* An entry for a function of (self, arguments, their count); without the cast between, compilers warn. */
#define FAST_METHOD(name, function, tells) \
  { name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, tells }

/* Sets *number to an integer, which is no bool, within bounds. Returns whether it is one. */
static inline int is_whole(PyObject* word, long long least, long long most, long long* number) {
  int overflow = 0;
  if (!PyLong_CheckExact(word)) return 0;
  *number = PyLong_AsLongLongAndOverflow(word, &overflow);
  return overflow == 0 && least <= *number && *number <= most;
}

/* Sets *number to a finite float, or an integer, that is not below 0. Returns whether it is one. */
static inline int is_real_from_0(PyObject* word, double* number) {
  if (PyFloat_CheckExact(word)) {
    *number = PyFloat_AsDouble(word);
  } else {
    long long whole = 0;
    if (!is_whole(word, 0, 1LL << 53, &whole)) return 0;
    *number = (double)whole;
  }
  return isfinite(*number) && *number >= 0;
}

/* Sets *values to a C-contiguous, aligned array of a type such as "d" (as struct names it) and of a shape; -1 is any
 * length. Returns whether it is one; then it must be released. `flags`: PyBUF_WRITABLE, or 0. */
static inline int is_array(PyObject* word, PyObject* array_type, int flags, const char* format, int dimensions,
                           const Py_ssize_t* shape, Py_buffer* values) {
  if ((PyObject*)Py_TYPE(word) != array_type) return 0; /* of another class: it may be masked */
  if (PyObject_GetBuffer(word, values, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | flags) != 0) {
    PyErr_Clear();
    return 0;
  }
  int fits = values->ndim == dimensions && strcmp(values->format, format) == 0;
  for (int d = 0; fits && d < dimensions; ++d) fits = shape[d] == -1 || values->shape[d] == shape[d];
  /* Reals and integers lie on boundaries of their own size, as in C; of a complex number its parts. */
  const Py_ssize_t boundary = format[0] == 'Z' ? values->itemsize / 2 : values->itemsize;
  if (fits && (uintptr_t)values->buf % (uintptr_t)boundary == 0) return 1;
  PyBuffer_Release(values);
  return 0;
}

/* Returns numpy.empty(shape, dtype), or NULL, and its memory, which must be released. */
static inline PyObject* new_array(PyObject* empty, PyObject* shape, PyObject* dtype, Py_buffer* memory) {
  PyObject* const array = PyObject_CallFunctionObjArgs(empty, shape, dtype, NULL);
  if (array == NULL || PyObject_GetBuffer(array, memory, PyBUF_WRITABLE) == 0) return array;
  Py_DECREF(array);
  return NULL;
}

/* Returns a new one-dimensional array of these values; NULL if that fails. */
static inline PyObject* array_of(PyObject* empty, PyObject* dtype, Py_ssize_t count, const void* values) {
  PyObject* const length = PyLong_FromSsize_t(count);
  Py_buffer memory;
  PyObject* const array = length == NULL ? NULL : new_array(empty, length, dtype, &memory);
  Py_XDECREF(length);
  if (array == NULL) return NULL;
  if (memory.len > 0) memcpy(memory.buf, values, (size_t)memory.len);
  PyBuffer_Release(&memory);
  return array;
}

/* Returns a new object of a dataclass, frozen or not, without calling it: `names` are its fields, in the order of
 * `values`, whose references are taken. NULL if that fails, or if one of the values is NULL. */
static inline PyObject* new_record(PyObject* type, PyObject* names, PyObject* const* values) {
  const Py_ssize_t count = PyTuple_Size(names);
  int sound = 1;
  for (Py_ssize_t i = 0; i < count; ++i) sound = sound && values[i] != NULL;
  PyObject* record = sound ? PyType_GenericNew((PyTypeObject*)type, NULL, NULL) : NULL;
  for (Py_ssize_t i = 0; record != NULL && i < count; ++i) {
    if (PyObject_GenericSetAttr(record, PyTuple_GetItem(names, i), values[i]) != 0) Py_CLEAR(record);
  }
  for (Py_ssize_t i = 0; i < count; ++i) Py_XDECREF(values[i]);
  return record;
}

/* The answer to a call: the result, or None, with nothing raised, where the way with all checks is to meet it. */
static inline PyObject* answer(PyObject* result) {
  if (result != NULL) return result;
  PyErr_Clear();
  Py_RETURN_NONE;
}

#endif
