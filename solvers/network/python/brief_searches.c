/* Searches of few steps from Python without ctypes, which takes longer than the search itself.
 *
 * network.solve() asks this first. It searches with a number of ants, equal weights and no callback, in the main
 * thread. Anything else, and whatever fails, is answered with None, and left to the way with all checks and messages.
 *
 * The arrays of the last model are remembered: to look at ten arrays takes as long as all the rest. They are known by
 * identity and form, and their contents are read anew by each search.
 */
#include "array_form.h"
#include "python_objects.h"
#include "rooftop/network.h"

enum { objectives = 3, arrays = 9, attributes = 12 };
/* As the names of the model's attributes are given. */
enum { tail, head, capacity_kg, per_vehicle, per_kg, month, origin, destination, kg, nodes, payload_kg, months };

static __typeof__(&rooftop_network_solve) search;
static __typeof__(&rooftop_network_solution_result) result_of;
static __typeof__(&rooftop_network_solution_paths) paths_of;
static __typeof__(&rooftop_network_solution_destroy) destroy;
static unsigned long main_thread;
/* numpy.ndarray, numpy.empty and its float64; the classes and the names of their attributes; the kinds of trails. */
static PyObject *array_type, *empty, *float64, *model_type, *model_names, *front_type, *front_names, *trails;
static long long most_steps, ants_to_prepare, steps_of_an_ant; /* of a brief search */

typedef struct {
  PyObject* parts[attributes]; /* null where no model is remembered */
  PyObject* watched[arrays];   /* weak references: an array that has one is not resized */
  ArrayForm forms[arrays];
  Py_buffer views[arrays];
  rooftop_network_problem problem;
} Remembered;

static Remembered last;

static void forget(Remembered* model) {
  Remembered old = *model;
  memset(model, 0, sizeof *model);
  for (int i = 0; i < arrays; ++i) {
    if (old.watched[i] != NULL) PyBuffer_Release(&old.views[i]);
    Py_XDECREF(old.watched[i]);
    forget_form(&old.forms[i]);
  }
  for (int i = 0; i < attributes; ++i) Py_XDECREF(old.parts[i]);
}

/* Looks at one of the model's arrays, and returns whether it fits. */
static int view(Remembered* model, int number, const char* format, int dimensions, const Py_ssize_t* shape) {
  if (!is_array(model->parts[number], array_type, 0, format, dimensions, shape, &model->views[number])) return 0;
  set_form(model->parts[number], &model->views[number], &model->forms[number]);
  model->watched[number] = PyWeakref_NewRef(model->parts[number], NULL);
  if (model->watched[number] != NULL) return 1;
  PyErr_Clear();
  PyBuffer_Release(&model->views[number]);
  return 0;
}

/* Looks at a model whose parts are set, and returns whether it fits. */
static int check(Remembered* model) {
  long long node_count = 0, payload = 0;
  const Py_ssize_t any = -1;
  if (!is_whole(model->parts[nodes], 0, INT32_MAX, &node_count) ||
      !is_whole(model->parts[payload_kg], INT64_MIN, INT64_MAX, &payload) ||
      !PyTuple_CheckExact(model->parts[months]) || !view(model, tail, "i", 1, &any) || !view(model, kg, "l", 1, &any)) {
    return 0;
  }
  const Py_ssize_t arcs = model->views[tail].shape[0], shipments = model->views[kg].shape[0];
  const Py_ssize_t figures[] = {objectives, arcs};
  if (arcs > most_steps || shipments > most_steps || PyTuple_Size(model->parts[months]) > INT32_MAX ||
      !view(model, head, "i", 1, &arcs) || !view(model, capacity_kg, "l", 1, &arcs) ||
      !view(model, per_vehicle, "d", 2, figures) || !view(model, per_kg, "d", 2, figures) ||
      !view(model, month, "i", 1, &shipments) || !view(model, origin, "i", 1, &shipments) ||
      !view(model, destination, "i", 1, &shipments)) {
    return 0;
  }
  const Py_buffer* const at = model->views;
  model->problem = (rooftop_network_problem){
      .nodes = (int32_t)node_count,
      .arcs = (int32_t)arcs,
      .months = (int32_t)PyTuple_Size(model->parts[months]),
      .objectives = objectives,
      .shipments = (int32_t)shipments,
      .tail = (const int32_t*)at[tail].buf,
      .head = (const int32_t*)at[head].buf,
      .capacity_kg = (const int64_t*)at[capacity_kg].buf,
      .payload_kg = payload,
      .per_vehicle = (const double*)at[per_vehicle].buf,
      .per_kg = (const double*)at[per_kg].buf,
      .month = (const int32_t*)at[month].buf,
      .origin = (const int32_t*)at[origin].buf,
      .destination = (const int32_t*)at[destination].buf,
      .kg = (const int64_t*)at[kg].buf,
  };
  return 1;
}

/* Sets `last` to a model, and returns whether it fits. */
static int remember(PyObject* model) {
  if ((PyObject*)Py_TYPE(model) != model_type) return 0;
  PyObject* parts[attributes];
  int known = 1;
  for (int i = 0; i < attributes; ++i) {
    parts[i] = PyObject_GetAttr(model, PyTuple_GetItem(model_names, i));
    if (parts[i] == NULL) {
      PyErr_Clear();
      while (i > 0) Py_DECREF(parts[--i]);
      return 0;
    }
    known = known && parts[i] == last.parts[i] && (i >= arrays || has_form(parts[i], &last.forms[i]));
  }
  if (known) {
    for (int i = 0; i < attributes; ++i) Py_DECREF(parts[i]);
    return 1;
  }
  forget(&last);
  Remembered other;
  memset(&other, 0, sizeof other);
  memcpy(other.parts, parts, sizeof parts);
  if (!check(&other)) {
    forget(&other);
    return 0;
  }
  last = other;
  return 1;
}

static PyObject* points_of(const rooftop_network_result* result) {
  PyObject* const shape = Py_BuildValue("(ii)", result->plans, objectives);
  Py_buffer memory;
  PyObject* const points = shape == NULL ? NULL : new_array(empty, shape, float64, &memory);
  Py_XDECREF(shape);
  if (points == NULL) return NULL;
  if (memory.len > 0) memcpy(memory.buf, result->points, (size_t)memory.len);
  PyBuffer_Release(&memory);
  return points;
}

/* The arcs from `begin` to `end` - 1. */
static PyObject* path_of(const int32_t* begin, const int32_t* end) {
  PyObject* const path = PyTuple_New(end - begin);
  for (Py_ssize_t i = 0; path != NULL && i < end - begin; ++i) {
    PyObject* const arc = PyLong_FromLong(begin[i]);
    if (arc == NULL) {
      Py_DECREF(path);
      return NULL;
    }
    PyTuple_SetItem(path, i, arc);
  }
  return path;
}

static PyObject* plan_of(const rooftop_network_solution* solution, int32_t number, int32_t shipments) {
  const int64_t* first = NULL;
  const int32_t* arcs = NULL;
  if (paths_of(solution, number, &first, &arcs) != ROOFTOP_NETWORK_OK) return NULL;
  PyObject* const plan = PyTuple_New(shipments);
  for (int32_t i = 0; plan != NULL && i < shipments; ++i) {
    PyObject* const path = path_of(arcs + first[i], arcs + first[i + 1]);
    if (path == NULL) {
      Py_DECREF(plan);
      return NULL;
    }
    PyTuple_SetItem(plan, i, path);
  }
  return plan;
}

static PyObject* front_of(const rooftop_network_solution* solution, int32_t shipments) {
  rooftop_network_result result;
  if (result_of(solution, &result) != ROOFTOP_NETWORK_OK) return NULL;
  PyObject* paths = PyTuple_New(result.plans);
  for (int32_t i = 0; paths != NULL && i < result.plans; ++i) {
    PyObject* const plan = plan_of(solution, i, shipments);
    if (plan == NULL) {
      Py_CLEAR(paths);
    } else {
      PyTuple_SetItem(paths, i, plan);
    }
  }
  PyObject* const values[] = {points_of(&result), paths, PyLong_FromLongLong(result.overload_kg),
                              PyFloat_FromDouble(result.seconds), PyLong_FromLongLong(result.iterations)};
  return new_record(front_type, front_names, values);
}

/* Of (model, time_s, seed, threads, iterations, plans, trails). */
static PyObject* solve(PyObject* self, PyObject* const* words, Py_ssize_t count) {
  (void)self;
  rooftop_network_options options = {.seconds = 0};
  long long seed = 0, threads = 0, ants = 0, plans = 0;
  if (count != 7 || PyThread_get_thread_ident() != main_thread || !is_real_from_0(words[1], &options.seconds) ||
      options.seconds == 0 || !is_whole(words[2], INT64_MIN, INT64_MAX, &seed) ||
      !is_whole(words[3], 0, INT32_MAX, &threads) || !is_whole(words[4], 1, most_steps, &ants) ||
      !is_whole(words[5], 0, INT32_MAX, &plans)) {
    Py_RETURN_NONE;
  }
  while (options.trails < PyTuple_Size(trails) && words[6] != PyTuple_GetItem(trails, options.trails)) ++options.trails;
  if (options.trails == PyTuple_Size(trails) || !remember(words[0])) Py_RETURN_NONE;
  const long long pairs = (long long)last.problem.arcs * last.problem.shipments;
  if ((ants + ants_to_prepare) * (pairs + steps_of_an_ant) > most_steps) Py_RETURN_NONE;
  options.iterations = ants;
  options.seed = (uint64_t)seed;
  options.threads = (int32_t)threads;
  options.plans = (int32_t)plans;
  /* Another thread is not brief here, and so does not forget the model meanwhile. */
  const int32_t shipments = last.problem.shipments;
  rooftop_network_solution* solution = NULL;
  int status = ROOFTOP_NETWORK_OK;
  Py_BEGIN_ALLOW_THREADS;
  status = search(&last.problem, &options, &solution);
  Py_END_ALLOW_THREADS;
  PyObject* const front = status == ROOFTOP_NETWORK_OK ? front_of(solution, shipments) : NULL;
  destroy(solution);
  return answer(front);
}

static PyMethodDef method =
    FAST_METHOD("solve", solve, "Return the front of a brief search, or None where it is left to others.");

/* Sets the thread whose calls need not be registered. Called in the child after a fork, too. */
EXPORTED void rooftop_network_python_main_thread(unsigned long thread) { main_thread = thread; }

/* Returns the function. functions: rooftop_network_solve, _solution_result, _solution_paths and _solution_destroy;
 * known: (numpy.ndarray, numpy.empty, NumPy's float64, the class of models, the names of its attributes in the order
 * above, the class of fronts, the names of its fields, the kinds of trails, the most steps of a brief search, the ants
 * that take as long as its preparation, the steps of an ant besides one for each arc and shipment). */
EXPORTED PyObject* rooftop_network_python_brief(PyObject* known, void* const* functions) {
  if (!PyArg_ParseTuple(known, "OOOOOOOOLLL", &array_type, &empty, &float64, &model_type, &model_names, &front_type,
                        &front_names, &trails, &most_steps, &ants_to_prepare, &steps_of_an_ant)) {
    return NULL;
  }
  Py_INCREF(known); /* for as long as the process lives */
  memcpy(&search, &functions[0], sizeof search);
  memcpy(&result_of, &functions[1], sizeof result_of);
  memcpy(&paths_of, &functions[2], sizeof paths_of);
  memcpy(&destroy, &functions[3], sizeof destroy);
  return PyCFunction_NewEx(&method, NULL, NULL);
}
