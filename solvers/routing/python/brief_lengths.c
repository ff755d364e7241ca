/* Lengths of short tours from Python without ctypes.
 *
 * Problem.length() asks this first. Anything but an array that visits each of few cities once, and whatever fails, is
 * answered with None, and left to the way with all checks and messages.
 */
#include "python_objects.h"
#include "rooftop/routing.h"

enum { most_cities = 200 };

static __typeof__(&rooftop_routing_problem_length) length_of;
static PyObject* array_type; /* numpy.ndarray */

static int visits_each_once(const int32_t* order, Py_ssize_t cities) {
  unsigned char visited[most_cities] = {0};
  for (Py_ssize_t i = 0; i < cities; ++i) {
    if (order[i] < 0 || order[i] >= cities || visited[order[i]]++ != 0) return 0;
  }
  return 1;
}

/* Of (the problem's address, its cities, order). */
static PyObject* length(PyObject* self, PyObject* const* words, Py_ssize_t count) {
  (void)self;
  long long address = 0, cities = 0;
  if (count != 3 || !is_whole(words[0], 1, INT64_MAX, &address) || !is_whole(words[1], 1, most_cities, &cities)) {
    Py_RETURN_NONE;
  }
  const Py_ssize_t shape = (Py_ssize_t)cities;
  Py_buffer order;
  if (!is_array(words[2], array_type, 0, "i", 1, &shape, &order)) Py_RETURN_NONE;
  int64_t found = 0;
  const int sound = visits_each_once((const int32_t*)order.buf, shape) &&
                    length_of((const rooftop_routing_problem*)(intptr_t)address, (const int32_t*)order.buf, &found) ==
                        ROOFTOP_ROUTING_OK;
  PyBuffer_Release(&order);
  return answer(sound ? PyLong_FromLongLong(found) : NULL);
}

static PyMethodDef method =
    FAST_METHOD("length", length, "Return the length of a short tour, or None where it is left to others.");

/* Returns the function. functions: rooftop_routing_problem_length; known: (numpy.ndarray,). */
EXPORTED PyObject* rooftop_routing_python_length(PyObject* known, void* const* functions) {
  if (!PyArg_ParseTuple(known, "O", &array_type)) return NULL;
  Py_INCREF(known); /* for as long as the process lives */
  memcpy(&length_of, &functions[0], sizeof length_of);
  return PyCFunction_NewEx(&method, NULL, NULL);
}
