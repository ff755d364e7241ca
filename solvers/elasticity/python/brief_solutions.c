/* Small boxes solved from Python without ctypes, which takes longer than some iterations.
 *
 * elasticity.solve() asks this first. It solves boxes of cubes of one material, from a displacement of zero, without a
 * callback, in the main thread. Anything else, and whatever fails, is answered with None, and left to the way with all
 * checks and messages.
 */
#include "python_objects.h"
#include "rooftop/elasticity.h"

enum { directions = 3, dimensions = 4 };

static __typeof__(&rooftop_elasticity_solve) iterate;
static unsigned long main_thread;
/* numpy.ndarray, numpy.empty and its float64; the class of solutions and the names of its fields; words of options. */
static PyObject *array_type, *empty, *float64, *solution_type, *solution_names, *preconditioners, *outcomes;
static long long most_unknowns, most_steps; /* unknowns times iterations */

typedef struct {
  rooftop_elasticity_body body;
  rooftop_elasticity_options options;
  double young, poisson;
  Py_buffer load, held;
} Call;

/* The shape of an array with three values for each node. */
static void shape_of(const rooftop_elasticity_body* body, Py_ssize_t* shape) {
  for (int d = 0; d < directions; ++d) shape[d] = (Py_ssize_t)body->nodes[directions - 1 - d];
  shape[directions] = directions;
}

static int are_nodes(PyObject* word, rooftop_elasticity_body* body) {
  if (!PyTuple_CheckExact(word) || PyTuple_Size(word) != directions) return 0;
  long long unknowns = directions;
  for (int d = 0; d < directions; ++d) {
    long long count = 0;
    if (!is_whole(PyTuple_GetItem(word, d), 2, most_unknowns, &count)) return 0;
    body->nodes[d] = count;
    unknowns *= count;
    if (unknowns > most_unknowns) return 0;
  }
  return 1;
}

/* Of words from the preconditioner on. */
static int are_options(PyObject* const* words, rooftop_elasticity_options* options) {
  while (options->preconditioner < PyTuple_Size(preconditioners) &&
         words[0] != PyTuple_GetItem(preconditioners, options->preconditioner)) {
    ++options->preconditioner;
  }
  long long iterations = 0, threads = 0;
  if (options->preconditioner == PyTuple_Size(preconditioners) || !is_real_from_0(words[1], &options->tolerance) ||
      options->tolerance == 0 || !is_whole(words[2], 0, most_steps, &iterations) ||
      (words[4] != Py_None && !is_whole(words[4], 0, INT32_MAX, &threads)) || !PyBool_Check(words[5])) {
    return 0;
  }
  options->seconds = INFINITY;
  if (words[3] != Py_None && (!is_real_from_0(words[3], &options->seconds) || options->seconds == 0)) return 0;
  options->iterations = iterations;
  options->threads = (int32_t)threads;
  options->single_values = words[5] == Py_True;
  return 1;
}

/* An array for the displacement, zero as yet. */
static PyObject* at_rest(const Py_ssize_t* shape, Py_buffer* memory) {
  PyObject* const lengths = Py_BuildValue("(nnnn)", shape[0], shape[1], shape[2], shape[3]);
  PyObject* const array = lengths == NULL ? NULL : new_array(empty, lengths, float64, memory);
  Py_XDECREF(lengths);
  if (array != NULL) memset(memory->buf, 0, (size_t)memory->len);
  return array;
}

/* Those of the residuals that are finite, in their place. */
static PyObject* finite_of(double* residuals, Py_ssize_t count) {
  Py_ssize_t kept = 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (isfinite(residuals[i])) residuals[kept++] = residuals[i];
  }
  return array_of(empty, float64, kept, residuals);
}

static PyObject* solution_of(const rooftop_elasticity_result* result, PyObject* displacement, double* residuals,
                             Py_ssize_t capacity) {
  PyObject* const outcome = PyTuple_GetItem(outcomes, result->outcome);
  const Py_ssize_t told = (Py_ssize_t)result->iterations + 1;
  PyObject* const values[] = {Py_NewRef(displacement),
                              finite_of(residuals, told < capacity ? told : capacity),
                              PyFloat_FromDouble(result->residual),
                              PyLong_FromLongLong(result->iterations),
                              Py_XNewRef(outcome),
                              PyFloat_FromDouble(result->setup_seconds),
                              PyFloat_FromDouble(result->seconds),
                              PyFloat_FromDouble(result->bytes),
                              PyFloat_FromDouble(result->rounding),
                              PyBool_FromLong(result->stretched),
                              PyBool_FromLong(result->replaced)};
  return new_record(solution_type, solution_names, values);
}

/* Solves a call that is sound; NULL where that fails. */
static PyObject* solution(const Call* call, const Py_ssize_t* shape) {
  Py_buffer moved;
  PyObject* const displacement = at_rest(shape, &moved);
  if (displacement == NULL) return NULL;
  const Py_ssize_t capacity = (Py_ssize_t)call->options.iterations + 1;
  double* const residuals = (double*)PyMem_Malloc((size_t)capacity * sizeof(double));
  PyObject* found = NULL;
  if (residuals != NULL) {
    residuals[0] = NAN; /* stays where the solver was stopped before it had one */
    rooftop_elasticity_result result;
    int status = ROOFTOP_ELASTICITY_OK;
    Py_BEGIN_ALLOW_THREADS;
    status = iterate(&call->body, &call->options, (double*)moved.buf, residuals, capacity, &result);
    Py_END_ALLOW_THREADS;
    if (status == ROOFTOP_ELASTICITY_OK) found = solution_of(&result, displacement, residuals, capacity);
    PyMem_Free(residuals);
  }
  PyBuffer_Release(&moved);
  Py_DECREF(displacement);
  return found;
}

/* Of (nodes, young, poisson, load, held, preconditioner, tolerance, iterations, seconds, threads, single_values). */
static PyObject* solve(PyObject* self, PyObject* const* words, Py_ssize_t count) {
  (void)self;
  Call call;
  memset(&call, 0, sizeof call);
  if (count != 11 || PyThread_get_thread_ident() != main_thread || !are_nodes(words[0], &call.body) ||
      !is_real_from_0(words[1], &call.young) || !is_real_from_0(words[2], &call.poisson) ||
      !are_options(words + 5, &call.options)) {
    Py_RETURN_NONE;
  }
  Py_ssize_t shape[dimensions];
  shape_of(&call.body, shape);
  const long long unknowns = directions * call.body.nodes[0] * call.body.nodes[1] * call.body.nodes[2];
  if (unknowns * call.options.iterations > most_steps ||
      !is_array(words[3], array_type, 0, "d", dimensions, shape, &call.load)) {
    Py_RETURN_NONE;
  }
  PyObject* found = NULL;
  if (is_array(words[4], array_type, 0, "?", dimensions, shape, &call.held)) {
    call.body.young_values = call.body.poisson_values = 1;
    call.body.young = &call.young, call.body.poisson = &call.poisson;
    call.body.load = (const double*)call.load.buf, call.body.held = (const uint8_t*)call.held.buf;
    found = solution(&call, shape);
    PyBuffer_Release(&call.held);
  }
  PyBuffer_Release(&call.load);
  return answer(found);
}

static PyMethodDef method =
    FAST_METHOD("solve", solve, "Return the solution of a small box, or None where it is left to others.");

/* Sets the thread whose calls need not be registered. Called in the child after a fork, too. */
EXPORTED void rooftop_elasticity_python_main_thread(unsigned long thread) { main_thread = thread; }

/* Returns the function. functions: rooftop_elasticity_solve; known: (numpy.ndarray, numpy.empty, NumPy's float64, the
 * class of solutions, the names of its fields, the preconditioners, the outcomes, the most unknowns of a small box, the
 * most unknowns times iterations). */
EXPORTED PyObject* rooftop_elasticity_python_brief(PyObject* known, void* const* functions) {
  if (!PyArg_ParseTuple(known, "OOOOOOOLL", &array_type, &empty, &float64, &solution_type, &solution_names,
                        &preconditioners, &outcomes, &most_unknowns, &most_steps)) {
    return NULL;
  }
  Py_INCREF(known); /* for as long as the process lives */
  memcpy(&iterate, &functions[0], sizeof iterate);
  return PyCFunction_NewEx(&method, NULL, NULL);
}
