/* Searches of few steps from Python without ctypes, which takes longer than the search itself.
 *
 * Problem.solve() asks this first. It searches from nothing, with a number of ants, without callbacks, in the main
 * thread. Anything else, and whatever fails, is answered with None, and left to the way with all checks and messages.
 */
#include "python_objects.h"
#include "rooftop/routing.h"

static __typeof__(&rooftop_routing_solve) search;
static __typeof__(&rooftop_routing_solution_result) result_of;
static __typeof__(&rooftop_routing_solution_destroy) destroy;
static unsigned long main_thread;
/* numpy.empty and its int32; the dataclasses and the names of their fields. */
static PyObject *empty, *int32, *tour_type, *tour_names, *progress_type, *progress_names;
static long long most_steps, least_ants; /* of a brief search; an ant makes a step for each city */

static PyObject* history_of(const rooftop_routing_result* result) {
  PyObject* const history = PyTuple_New((Py_ssize_t)result->history_count);
  for (Py_ssize_t i = 0; history != NULL && i < (Py_ssize_t)result->history_count; ++i) {
    const rooftop_routing_progress* const one = &result->history[i];
    PyObject* const values[] = {PyFloat_FromDouble(one->seconds), PyLong_FromLongLong(one->iterations),
                                PyLong_FromLongLong(one->length)};
    PyObject* const progress = new_record(progress_type, progress_names, values);
    if (progress == NULL) {
      Py_DECREF(history);
      return NULL;
    }
    PyTuple_SetItem(history, i, progress);
  }
  return history;
}

static PyObject* tour_of(const rooftop_routing_solution* solution) {
  rooftop_routing_result result;
  if (result_of(solution, &result) != ROOFTOP_ROUTING_OK) return NULL;
  PyObject* const values[] = {array_of(empty, int32, result.cities, result.order), PyLong_FromLongLong(result.length),
                              PyFloat_FromDouble(result.seconds), PyLong_FromLongLong(result.iterations),
                              history_of(&result)};
  return new_record(tour_type, tour_names, values);
}

/* Of (the problem's address, its cities, time_s, seed, threads, iterations, show_every_s). */
static PyObject* solve(PyObject* self, PyObject* const* words, Py_ssize_t count) {
  (void)self;
  rooftop_routing_options options = {.seconds = 0};
  long long address = 0, cities = 0, seed = 0, threads = 0, ants = 0;
  if (count != 7 || PyThread_get_thread_ident() != main_thread || !is_whole(words[0], 1, INT64_MAX, &address) ||
      !is_whole(words[1], 1, INT32_MAX, &cities) || !is_real_from_0(words[2], &options.seconds) ||
      options.seconds == 0 || !is_whole(words[3], INT64_MIN, INT64_MAX, &seed) ||
      !is_whole(words[4], 0, INT32_MAX, &threads) || !is_whole(words[5], 1, most_steps, &ants) ||
      !is_real_from_0(words[6], &options.show_every) || cities * (ants > least_ants ? ants : least_ants) > most_steps) {
    Py_RETURN_NONE;
  }
  options.iterations = ants;
  options.seed = (uint64_t)seed;
  options.threads = (int32_t)threads;
  rooftop_routing_solution* solution = NULL;
  int status = ROOFTOP_ROUTING_OK;
  Py_BEGIN_ALLOW_THREADS;
  status = search((const rooftop_routing_problem*)(intptr_t)address, &options, &solution);
  Py_END_ALLOW_THREADS;
  PyObject* const tour = status == ROOFTOP_ROUTING_OK ? tour_of(solution) : NULL;
  destroy(solution);
  return answer(tour);
}

static PyMethodDef method =
    FAST_METHOD("solve", solve, "Return the tour of a brief search, or None where it is left to others.");

/* Sets the thread whose calls need not be registered. Called in the child after a fork, too. */
EXPORTED void rooftop_routing_python_main_thread(unsigned long thread) { main_thread = thread; }

/* Returns the function. functions: rooftop_routing_solve, _solution_result and _solution_destroy; known: (numpy.empty,
 * NumPy's int32, the class of tours, the names of its fields, the class of progress, the names of its fields, the most
 * steps of a brief search, the number of ants that are sent out at least). */
EXPORTED PyObject* rooftop_routing_python_brief(PyObject* known, void* const* functions) {
  if (!PyArg_ParseTuple(known, "OOOOOOLL", &empty, &int32, &tour_type, &tour_names, &progress_type, &progress_names,
                        &most_steps, &least_ants)) {
    return NULL;
  }
  Py_INCREF(known); /* for as long as the process lives */
  memcpy(&search, &functions[0], sizeof search);
  memcpy(&result_of, &functions[1], sizeof result_of);
  memcpy(&destroy, &functions[2], sizeof destroy);
  return PyCFunction_NewEx(&method, NULL, NULL);
}
