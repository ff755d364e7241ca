/* Reads of small selections from Python without ctypes, which takes longer than the read itself.
 *
 * Dataset.__getitem__ asks this first. It reads what rooftop_h5io_read_brief() reads, of indices that are integers,
 * slices with steps above 0 and an ellipsis, in the main thread. Anything else is answered with None, and left to the
 * way through ctypes, which has all checks and messages.
 */
#include "function_of_object.h"
#include "python_objects.h"
#include "rooftop/h5io.h"

typedef int (*ReadBrief)(const rooftop_h5io_dataset*, int32_t, const rooftop_h5io_span*, void*, size_t,
                         rooftop_h5io_report*);

typedef struct {
  ObjectBehind behind; /* the owner of `dataset`, and the objects below */
  const rooftop_h5io_dataset* dataset;
  PyObject *dtype, *empty; /* `empty`: numpy.empty */
  int32_t dimensions;
  uint64_t shape[ROOFTOP_H5IO_DIMENSIONS];
} Reader;

/* A selection as it is completed, dimension by dimension. */
typedef struct {
  int32_t dimensions, kept; /* `kept`: those that the result has */
  rooftop_h5io_span spans[ROOFTOP_H5IO_DIMENSIONS];
  Py_ssize_t shape[ROOFTOP_H5IO_DIMENSIONS]; /* of the result */
} Selection;

static const char* const name_of_capsule = "rooftop.h5io.reader";
static ReadBrief read_brief;
static unsigned long main_thread;
static PyObject *start_name, *stop_name, *step_name;

static void add_all(const Reader* reader, Selection* selection) {
  const uint64_t extent = reader->shape[selection->dimensions];
  selection->spans[selection->dimensions++] = (rooftop_h5io_span){0, 1, extent > 0 ? extent : 1, extent};
  selection->shape[selection->kept++] = (Py_ssize_t)extent;
}

/* The following return whether they have understood the word. They raise nothing. */
static int add_number(const Reader* reader, PyObject* word, Selection* selection) {
  const long long extent = (long long)reader->shape[selection->dimensions];
  int overflow = 0;
  long long at = PyLong_AsLongLongAndOverflow(word, &overflow);
  if (at < 0) at += extent;
  if (overflow != 0 || at < 0 || at >= extent) return 0;
  selection->spans[selection->dimensions++] = (rooftop_h5io_span){(uint64_t)at, 1, 1, 1};
  return 1;
}

/* Sets *number to a part of a slice if it is given. */
static int part_of_slice(PyObject* slice, PyObject* name, Py_ssize_t* number) {
  PyObject* const part = PyObject_GetAttr(slice, name);
  if (part == NULL) {
    PyErr_Clear();
    return 0;
  }
  int understood = 1;
  if (part != Py_None) {
    int overflow = 0;
    understood = PyLong_CheckExact(part);
    if (understood) *number = (Py_ssize_t)PyLong_AsLongLongAndOverflow(part, &overflow);
    if (overflow != 0) understood = 0;
  }
  Py_DECREF(part);
  return understood;
}

static int add_slice(const Reader* reader, PyObject* slice, Selection* selection) {
  const Py_ssize_t extent = (Py_ssize_t)reader->shape[selection->dimensions];
  Py_ssize_t start = 0, stop = extent, step = 1;
  if (!part_of_slice(slice, start_name, &start) || !part_of_slice(slice, stop_name, &stop) ||
      !part_of_slice(slice, step_name, &step) || step < 1) {
    return 0;
  }
  const uint64_t count = (uint64_t)PySlice_AdjustIndices(extent, &start, &stop, step);
  rooftop_h5io_span span = {(uint64_t)start, count, (uint64_t)step, count > 0 ? 1 : 0};
  if (step == 1 && count > 0) span = (rooftop_h5io_span){(uint64_t)start, 1, count, count};
  selection->spans[selection->dimensions++] = span;
  selection->shape[selection->kept++] = (Py_ssize_t)count;
  return 1;
}

/* `words`: how many the index has. */
static int add_word(const Reader* reader, PyObject* word, Py_ssize_t words, Selection* selection) {
  if (word == Py_Ellipsis) {
    for (Py_ssize_t missing = reader->dimensions - words + 1; missing > 0; --missing) add_all(reader, selection);
    return 1;
  }
  if (selection->dimensions == reader->dimensions) return 0;
  if (PyLong_CheckExact(word)) return add_number(reader, word, selection);
  return PySlice_Check(word) && add_slice(reader, word, selection);
}

static int select_elements(const Reader* reader, PyObject* index, Selection* selection) {
  if (!PyTuple_CheckExact(index)) {
    if (!add_word(reader, index, 1, selection)) return 0;
  } else {
    const Py_ssize_t words = PyTuple_Size(index);
    int ellipses = 0;
    for (Py_ssize_t i = 0; i < words; ++i) {
      PyObject* const word = PyTuple_GetItem(index, i);
      if ((word == Py_Ellipsis && ++ellipses > 1) || !add_word(reader, word, words, selection)) return 0;
    }
  }
  while (selection->dimensions < reader->dimensions) add_all(reader, selection);
  return 1;
}

/* A new array for the selection. */
static PyObject* empty_array(const Reader* reader, const Selection* selection) {
  PyObject* const shape = PyTuple_New(selection->kept);
  for (int32_t d = 0; shape != NULL && d < selection->kept; ++d) {
    PyObject* const length = PyLong_FromSsize_t(selection->shape[d]);
    if (length == NULL || PyTuple_SetItem(shape, d, length) < 0) {
      Py_DECREF(shape);
      return NULL;
    }
  }
  if (shape == NULL) return NULL;
  PyObject* const values = PyObject_CallFunctionObjArgs(reader->empty, shape, reader->dtype, NULL);
  Py_DECREF(shape);
  return values;
}

static PyObject* read_selection(PyObject* self, PyObject* index) {
  const Reader* const reader = (const Reader*)PyCapsule_GetPointer(self, name_of_capsule);
  if (reader == NULL) return NULL;
  Selection selection;
  selection.dimensions = selection.kept = 0;
  if (PyThread_get_thread_ident() != main_thread || !select_elements(reader, index, &selection)) Py_RETURN_NONE;
  PyObject* const values = empty_array(reader, &selection);
  if (values == NULL) return NULL;
  Py_buffer memory;
  int status = ROOFTOP_H5IO_NOT_BRIEF;
  if (PyObject_GetBuffer(values, &memory, PyBUF_WRITABLE) == 0) {
    Py_BEGIN_ALLOW_THREADS;
    status = read_brief(reader->dataset, reader->dimensions, selection.spans, memory.buf, (size_t)memory.len, NULL);
    Py_END_ALLOW_THREADS;
    PyBuffer_Release(&memory);
  } else {
    PyErr_Clear(); /* of a type that buffers do not have */
  }
  if (status == ROOFTOP_H5IO_OK) return values;
  Py_DECREF(values);
  Py_RETURN_NONE;
}

static PyMethodDef method = {"read_selection", read_selection, METH_O,
                             "Return what an index selects, or None where it is left to others."};

/* Sets `rooftop_h5io_read_brief`, and the thread whose calls need not be registered. Called once, and in the child
 * after a fork. */
EXPORTED void rooftop_h5io_python_prepare(void* function, unsigned long thread) {
  read_brief = (ReadBrief)function;
  main_thread = thread;
}

/* Returns a function of an index. handle: keeps the dataset at `address` open; shape: a tuple. Raises MemoryError. */
EXPORTED PyObject* rooftop_h5io_python_reader(PyObject* handle, PyObject* address, PyObject* shape, PyObject* dtype,
                                              PyObject* empty) {
  if (start_name == NULL) start_name = PyUnicode_InternFromString("start");
  if (stop_name == NULL) stop_name = PyUnicode_InternFromString("stop");
  if (step_name == NULL) step_name = PyUnicode_InternFromString("step");
  Reader* const reader = (Reader*)PyMem_Calloc(1, sizeof(Reader));
  if (reader == NULL || start_name == NULL || stop_name == NULL || step_name == NULL) {
    PyMem_Free(reader);
    return PyErr_NoMemory();
  }
  reader->dataset = (const rooftop_h5io_dataset*)PyLong_AsVoidPtr(address);
  reader->dimensions = (int32_t)PyTuple_Size(shape);
  for (int32_t d = 0; d < reader->dimensions && d < ROOFTOP_H5IO_DIMENSIONS; ++d) {
    reader->shape[d] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(shape, d));
  }
  if (PyErr_Occurred() != NULL) {
    PyMem_Free(reader);
    return NULL;
  }
  reader->dtype = dtype;
  reader->empty = empty;
  return function_of_object(&method, name_of_capsule, reader, PyTuple_Pack(3, handle, dtype, empty));
}
