/* Short transforms by a plan from Python without ctypes, which takes longer than the transform itself.
 *
 * A plan has a function of (direction, a, out), which runs it with the interpreter's lock held: it takes some tens of
 * microseconds at most. Arrays that do not fit as they are, and whatever fails, are answered with None, and left to the
 * way with all checks and messages.
 */
#include "function_of_object.h"
#include "python_objects.h"
#include "widen.h"

enum { most_dimensions = 8 };

typedef int (*Run)(const void* plan, int32_t direction, const void* in, void* out, void* scratch, const void* last);

/* What goes in forwards and comes out backwards, or the other way round. */
typedef struct {
  int dimensions;
  Py_ssize_t shape[most_dimensions];
  const char* format; /* "f", "d", "Zf" or "Zd" */
  PyObject *lengths, *dtype;
} End;

typedef struct {
  ObjectBehind behind; /* what keeps the plan and the scratch memory, and all objects below */
  Run run;
  const void* plan;
  void* scratch;
  PyObject *array_type, *empty;
  End ends[2];
  int of_reals;
} Plan;

static const char* const name_of_capsule = "rooftop.fft.plan";

static int fits(const Plan* plan, PyObject* word, const End* end, const char* format, int flags, Py_buffer* values) {
  return is_array(word, plan->array_type, flags, format, end->dimensions, end->shape, values);
}

/* Whether the result may go there: apart from the values, or, if they are complex, in their place. */
static int may_go(const Plan* plan, const Py_buffer* values, const Py_buffer* memory) {
  const uintptr_t first = (uintptr_t)values->buf, second = (uintptr_t)memory->buf;
  if (first == second && !plan->of_reals) return 1;
  return first + (uintptr_t)values->len <= second || second + (uintptr_t)memory->len <= first;
}

/* Transforms values into `given`, or into a new array if it is None. `wide`: they are reals, to be complex first. */
static PyObject* transformed(const Plan* plan, int direction, const Py_buffer* values, int wide, PyObject* given) {
  const End* const end = &plan->ends[1 - direction];
  Py_buffer memory;
  PyObject* out = NULL;
  if (given == Py_None) {
    out = new_array(plan->empty, end->lengths, end->dtype, &memory);
  } else if (!wide && fits(plan, given, end, end->format, PyBUF_WRITABLE, &memory)) {
    out = Py_NewRef(given);
  }
  if (out == NULL) return NULL;
  int status = 1;
  if (wide) {
    widen(values, memory.buf);
    status = plan->run(plan->plan, direction, memory.buf, memory.buf, plan->scratch, NULL);
  } else if (may_go(plan, values, &memory)) {
    status = plan->run(plan->plan, direction, values->buf, memory.buf, plan->scratch, NULL);
  }
  PyBuffer_Release(&memory);
  if (status != 0) Py_CLEAR(out);
  return out;
}

/* Of (direction, a, out), which may be None. */
static PyObject* run(PyObject* self, PyObject* const* words, Py_ssize_t count) {
  const Plan* const plan = (const Plan*)PyCapsule_GetPointer(self, name_of_capsule);
  if (plan == NULL) return NULL;
  long long direction = 0;
  if (count != 3 || !is_whole(words[0], 0, 1, &direction)) Py_RETURN_NONE;
  const End* const end = &plan->ends[direction];
  Py_buffer values;
  int wide = 0;
  if (!fits(plan, words[1], end, end->format, 0, &values)) {
    wide = !plan->of_reals && fits(plan, words[1], end, end->format + 1, 0, &values); /* without the Z */
    if (!wide) Py_RETURN_NONE;
  }
  PyObject* const out = transformed(plan, (int)direction, &values, wide, words[2]);
  PyBuffer_Release(&values);
  return answer(out);
}

static PyMethodDef method =
    FAST_METHOD("run", run, "Return a plan's transform of an array that fits, or None where it is left to others.");

static int set_shape(End* end) { return set_lengths(end->lengths, most_dimensions, &end->dimensions, end->shape); }

/* Returns a function that runs the plan at `address` by `run_of_plan`, or None. known: (numpy.ndarray, numpy.empty, the
 * shape, dtype and format of the values, the same of the modes, what keeps the plan and the scratch memory). Raises
 * MemoryError. */
EXPORTED PyObject* rooftop_fft_python_plan(PyObject* known, const void* run_of_plan, const void* address,
                                           void* scratch) {
  Plan* const plan = (Plan*)PyMem_Calloc(1, sizeof(Plan));
  if (plan == NULL) return PyErr_NoMemory();
  End* const ends = plan->ends;
  PyObject* kept = NULL;
  if (!PyArg_ParseTuple(known, "OOOOsOOsO", &plan->array_type, &plan->empty, &ends[0].lengths, &ends[0].dtype,
                        &ends[0].format, &ends[1].lengths, &ends[1].dtype, &ends[1].format, &kept) ||
      !set_shape(&ends[0]) || !set_shape(&ends[1])) {
    PyMem_Free(plan);
    return PyErr_Occurred() != NULL ? NULL : Py_NewRef(Py_None);
  }
  plan->of_reals = ends[0].format[0] != 'Z';
  memcpy(&plan->run, &run_of_plan, sizeof plan->run);
  plan->plan = address;
  plan->scratch = scratch;
  return function_of_object(&method, name_of_capsule, plan, Py_NewRef(known));
}
