/* Short transforms from Python without ctypes, which takes longer than the transform itself.
 *
 * fftn(), ifftn(), rfftn() and irfftn() ask this first. It knows the last calls that were found right by the way with
 * all checks: of which array's shape and type, with which arguments. The same call again is run here, in the calling
 * thread, with the interpreter's lock held: it takes some tens of microseconds at most. Anything else is answered with
 * None.
 */
#include "python_objects.h"
#include "widen.h"

enum { most_dimensions = 4, most_format = 8, most_calls = 16 };

typedef int (*Run)(const void* plan, int32_t direction, const void* in, void* out, void* scratch, const void* last);

/* A call that is known. `plan` keeps what lies at `address` and at `scratch`. */
typedef struct {
  int dimensions;
  Py_ssize_t shape[most_dimensions];
  char format[most_format]; /* as buffers of such arrays have it */
  PyObject *s, *axes, *norm, *plan, *out_shape, *out_dtype;
  long threads;
  int32_t direction;
  int of_reals; /* which are made complex first */
  const void* address;
  void* scratch;
  Run run;
} Call;

/* The calls of one function, the last one that was added at `next` - 1. */
typedef struct {
  Call calls[most_calls];
  int next;
  PyObject *array_type, *empty; /* numpy.ndarray and numpy.empty */
} Calls;

static const char* const name_of_capsule = "rooftop.fft.calls";

/* Whether two options are the same object, or tuples of equal integers. It raises nothing. */
static int is_same(PyObject* one, PyObject* other) {
  if (one == other) return 1;
  if (!PyTuple_CheckExact(one) || !PyTuple_CheckExact(other) || PyTuple_Size(one) != PyTuple_Size(other)) return 0;
  for (Py_ssize_t i = 0; i < PyTuple_Size(one); ++i) {
    PyObject *const a = PyTuple_GetItem(one, i), *const b = PyTuple_GetItem(other, i);
    int too_large = 0, other_too_large = 0;
    if (!PyLong_CheckExact(a) || !PyLong_CheckExact(b)) return 0;
    if (PyLong_AsLongLongAndOverflow(a, &too_large) != PyLong_AsLongLongAndOverflow(b, &other_too_large)) return 0;
    if (too_large != 0 || other_too_large != 0) return 0;
  }
  return 1;
}

static int is_of(const Call* call, const Py_buffer* values) {
  return call->dimensions == values->ndim && strcmp(call->format, values->format) == 0 &&
         memcmp(call->shape, values->shape, (size_t)values->ndim * sizeof(Py_ssize_t)) == 0;
}

static const Call* find(const Calls* calls, const Py_buffer* values, PyObject* s, PyObject* axes, PyObject* norm,
                        long threads) {
  for (int i = 0; i < most_calls; ++i) {
    const Call* const call = &calls->calls[i];
    if (call->plan != NULL && is_of(call, values) && call->norm == norm && call->threads == threads &&
        is_same(call->axes, axes) && is_same(call->s, s)) {
      return call;
    }
  }
  return NULL;
}

/* A new array with the result; NULL where there is none, and nothing is raised but what numpy.empty() raises. */
static PyObject* result_of(const Calls* calls, const Call* call, const Py_buffer* values) {
  /* numpy.empty() may run anything, and the call be forgotten meanwhile. */
  PyObject* const plan = Py_NewRef(call->plan);
  PyObject *const shape = Py_NewRef(call->out_shape), *const dtype = Py_NewRef(call->out_dtype);
  const Run run = call->run;
  const void* const address = call->address;
  void* const scratch = call->scratch;
  const int32_t direction = call->direction;
  const int of_reals = call->of_reals;
  Py_buffer out;
  PyObject* result = new_array(calls->empty, shape, dtype, &out);
  if (result != NULL) {
    if (of_reals) widen(values, out.buf);
    const int status = run(address, direction, of_reals ? out.buf : values->buf, out.buf, scratch, NULL);
    PyBuffer_Release(&out);
    if (status != 0) Py_CLEAR(result);
  }
  Py_DECREF(shape);
  Py_DECREF(dtype);
  Py_DECREF(plan);
  return result;
}

/* Of (a, s, axes, norm, threads). */
static PyObject* transform(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  const Calls* const calls = (const Calls*)PyCapsule_GetPointer(self, name_of_capsule);
  if (calls == NULL) return NULL;
  if (count != 5 || (PyObject*)Py_TYPE(arguments[0]) != calls->array_type || !PyLong_CheckExact(arguments[4])) {
    Py_RETURN_NONE;
  }
  const long threads = PyLong_AsLong(arguments[4]);
  Py_buffer values;
  if (threads < 0 || PyObject_GetBuffer(arguments[0], &values, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  PyObject* result = NULL;
  /* Reals on a boundary of their own size, as C has them. */
  if ((uintptr_t)values.buf % 8 == 0 && values.ndim <= most_dimensions) {
    const Call* const call = find(calls, &values, arguments[1], arguments[2], arguments[3], threads);
    if (call != NULL) result = result_of(calls, call, &values);
  }
  PyBuffer_Release(&values);
  return answer(result);
}

static void forget(Call* call) {
  Call old = *call;
  memset(call, 0, sizeof *call);
  Py_XDECREF(old.s);
  Py_XDECREF(old.axes);
  Py_XDECREF(old.norm);
  Py_XDECREF(old.plan);
  Py_XDECREF(old.out_shape);
  Py_XDECREF(old.out_dtype);
}

static void destroy(PyObject* capsule) {
  Calls* const calls = (Calls*)PyCapsule_GetPointer(capsule, name_of_capsule);
  for (int i = 0; i < most_calls; ++i) forget(&calls->calls[i]);
  Py_XDECREF(calls->array_type);
  Py_XDECREF(calls->empty);
  PyMem_Free(calls);
}

static PyMethodDef method =
    FAST_METHOD("transform", transform, "Return the transform of a call that is known, or None.");

/* Returns a capsule of calls, none as yet. Raises MemoryError. */
EXPORTED PyObject* rooftop_fft_python_calls(PyObject* array_type, PyObject* empty) {
  Calls* const calls = (Calls*)PyMem_Calloc(1, sizeof(Calls));
  if (calls == NULL) return PyErr_NoMemory();
  PyObject* const capsule = PyCapsule_New(calls, name_of_capsule, destroy);
  if (capsule == NULL) {
    PyMem_Free(calls);
    return NULL;
  }
  calls->array_type = Py_NewRef(array_type);
  calls->empty = Py_NewRef(empty);
  return capsule;
}

/* Returns the function of (a, s, axes, norm, threads) that runs calls of a capsule. */
EXPORTED PyObject* rooftop_fft_python_transform(PyObject* capsule) { return PyCFunction_NewEx(&method, capsule, NULL); }

/* Adds a call, in the place of the oldest: `words` are (a, s, axes, norm, threads, result, whether `a` is real and its
 * transform that of complex numbers), and `plan`, which keeps the plan at `address` and the scratch memory, is run in a
 * direction. Returns None. */
EXPORTED PyObject* rooftop_fft_python_add(PyObject* capsule, PyObject* words, PyObject* plan, const void* address,
                                          const void* run, int direction, void* scratch) {
  Calls* const calls = (Calls*)PyCapsule_GetPointer(capsule, name_of_capsule);
  PyObject *a = NULL, *s = NULL, *axes = NULL, *norm = NULL, *result = NULL;
  long threads = 0;
  int of_reals = 0;
  if (calls == NULL || !PyArg_ParseTuple(words, "OOOOlOp", &a, &s, &axes, &norm, &threads, &result, &of_reals)) {
    return NULL;
  }
  Py_buffer values;
  if (PyObject_GetBuffer(a, &values, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  Call call = {.dimensions = values.ndim, .threads = threads, .direction = direction, .address = address};
  call.of_reals = of_reals;
  /* widen() takes anything else for reals. */
  const int real = strcmp(values.format, "f") == 0 || strcmp(values.format, "d") == 0;
  const int fits = values.ndim <= most_dimensions && strlen(values.format) < most_format && (real || !of_reals);
  if (fits) {
    memcpy(call.shape, values.shape, (size_t)values.ndim * sizeof(Py_ssize_t));
    memcpy(call.format, values.format, strlen(values.format));
  }
  PyBuffer_Release(&values);
  if (!fits) Py_RETURN_NONE;
  call.out_shape = PyObject_GetAttrString(result, "shape");
  call.out_dtype = PyObject_GetAttrString(result, "dtype");
  call.s = Py_NewRef(s), call.axes = Py_NewRef(axes), call.norm = Py_NewRef(norm), call.plan = Py_NewRef(plan);
  memcpy(&call.run, &run, sizeof run);
  call.scratch = scratch;
  if (call.out_shape == NULL || call.out_dtype == NULL) {
    forget(&call);
    return NULL;
  }
  Call* const place = &calls->calls[calls->next];
  calls->next = (calls->next + 1) % most_calls;
  Call old = *place;
  *place = call;
  forget(&old);
  Py_RETURN_NONE;
}

/* Forgets all calls. Returns None. */
EXPORTED PyObject* rooftop_fft_python_forget(PyObject* capsule) {
  Calls* const calls = (Calls*)PyCapsule_GetPointer(capsule, name_of_capsule);
  if (calls == NULL) return NULL;
  for (int i = 0; i < most_calls; ++i) forget(&calls->calls[i]);
  Py_RETURN_NONE;
}
