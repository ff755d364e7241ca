/* Brief convolutions from Python without ctypes, which takes longer than the convolution itself.
 *
 * A plan has a function of (image, filters, bias, out), which runs it with the interpreter's lock held: it takes some
 * tens of microseconds at most. Arrays that do not fit as they are, and whatever fails, are answered with None, and
 * left to the way with all checks and messages.
 */
#include "function_of_object.h"
#include "python_objects.h"
#include "rooftop/conv.h"

enum { most_dimensions = 5 };

typedef struct {
  int dimensions;
  Py_ssize_t shape[most_dimensions];
  Py_ssize_t boundary; /* of its first value, in bytes */
} Array;

typedef struct {
  ObjectBehind behind; /* what keeps the plan and the scratch memory, and all objects below */
  __typeof__(&rooftop_conv_run_with_bias) run;
  const rooftop_conv_plan* plan;
  void* scratch;
  PyObject *array_type, *empty, *float32, *out_shape;
  Array image, filters, bias, out;
} Plan;

static const char* const name_of_capsule = "rooftop.conv.plan";

static int fits(const Plan* plan, PyObject* word, const Array* array, int flags, Py_buffer* values) {
  if (!is_array(word, plan->array_type, flags, "f", array->dimensions, array->shape, values)) return 0;
  if ((uintptr_t)values->buf % (uintptr_t)array->boundary == 0) return 1;
  PyBuffer_Release(values);
  return 0;
}

static int overlap(const Py_buffer* one, const Py_buffer* other) {
  const uintptr_t first = (uintptr_t)one->buf, second = (uintptr_t)other->buf;
  return first < second + (uintptr_t)other->len && second < first + (uintptr_t)one->len;
}

/* Returns `given`, or a new array if it is None, and its memory, which must be released; NULL where it does not fit. */
static PyObject* output_of(const Plan* plan, PyObject* given, Py_buffer* memory) {
  if (given == Py_None) {
    PyObject* const made = new_array(plan->empty, plan->out_shape, plan->float32, memory);
    if (made == NULL || (uintptr_t)memory->buf % (uintptr_t)plan->out.boundary == 0) return made;
    PyBuffer_Release(memory);
    Py_DECREF(made);
    return NULL;
  }
  return fits(plan, given, &plan->out, PyBUF_WRITABLE, memory) ? Py_NewRef(given) : NULL;
}

/* `read`: the image, the filters and the bias, whose memory may be null. */
static PyObject* run_into(const Plan* plan, PyObject* given, const Py_buffer* read) {
  Py_buffer memory;
  PyObject* out = output_of(plan, given, &memory);
  if (out == NULL) return NULL;
  int apart = 1;
  for (int i = 0; i < 3; ++i) apart = apart && (read[i].buf == NULL || !overlap(&memory, &read[i]));
  const int status = apart ? plan->run(plan->plan, (const float*)read[0].buf, (const float*)read[1].buf,
                                       (const float*)read[2].buf, (float*)memory.buf, plan->scratch, NULL)
                           : ROOFTOP_CONV_INVALID_ARGUMENT;
  PyBuffer_Release(&memory);
  if (status != ROOFTOP_CONV_OK) Py_CLEAR(out);
  return out;
}

/* Of (image, filters, bias, out); the last two may be None. */
static PyObject* run(PyObject* self, PyObject* const* words, Py_ssize_t count) {
  const Plan* const plan = (const Plan*)PyCapsule_GetPointer(self, name_of_capsule);
  if (plan == NULL) return NULL;
  Py_buffer read[3];
  if (count != 4 || !fits(plan, words[0], &plan->image, 0, &read[0])) Py_RETURN_NONE;
  PyObject* out = NULL;
  if (fits(plan, words[1], &plan->filters, 0, &read[1])) {
    read[2].buf = NULL;
    const int without = words[2] == Py_None;
    if (without || fits(plan, words[2], &plan->bias, 0, &read[2])) {
      out = run_into(plan, words[3], read);
      if (!without) PyBuffer_Release(&read[2]);
    }
    PyBuffer_Release(&read[1]);
  }
  PyBuffer_Release(&read[0]);
  return answer(out);
}

static PyMethodDef method =
    FAST_METHOD("run", run, "Return what a plan makes of arrays that fit, or None where it is left to others.");

/* Sets an array's shape from a tuple. Returns whether that has been possible. */
static int set_array(Array* array, PyObject* shape, Py_ssize_t boundary) {
  array->boundary = boundary;
  return set_lengths(shape, most_dimensions, &array->dimensions, array->shape);
}

/* Returns a function that runs the plan at `address`. run: rooftop_conv_run_with_bias; known: (numpy.ndarray,
 * numpy.empty, NumPy's float32, and the shape and boundary of the image, of the filters, of the bias and of the output,
 * and what keeps the plan and the scratch memory). Raises MemoryError. */
EXPORTED PyObject* rooftop_conv_python_plan(PyObject* known, void* const* run_of_plan, const void* address,
                                            void* scratch) {
  Plan* const plan = (Plan*)PyMem_Calloc(1, sizeof(Plan));
  if (plan == NULL) return PyErr_NoMemory();
  PyObject *shapes[3], *kept = NULL;
  Py_ssize_t boundaries[4];
  if (!PyArg_ParseTuple(known, "OOOOnOnOnOnO", &plan->array_type, &plan->empty, &plan->float32, &shapes[0],
                        &boundaries[0], &shapes[1], &boundaries[1], &shapes[2], &boundaries[2], &plan->out_shape,
                        &boundaries[3], &kept) ||
      !set_array(&plan->image, shapes[0], boundaries[0]) || !set_array(&plan->filters, shapes[1], boundaries[1]) ||
      !set_array(&plan->bias, shapes[2], boundaries[2]) || !set_array(&plan->out, plan->out_shape, boundaries[3])) {
    PyMem_Free(plan);
    return PyErr_Occurred() != NULL ? NULL : Py_NewRef(Py_None);
  }
  memcpy(&plan->run, run_of_plan, sizeof plan->run);
  plan->plan = (const rooftop_conv_plan*)address;
  plan->scratch = scratch;
  return function_of_object(&method, name_of_capsule, plan, Py_NewRef(known));
}
