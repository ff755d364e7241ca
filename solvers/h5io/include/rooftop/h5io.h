/* Reads and writes of hyperslabs of HDF5 files: the C interface of rooftop/h5io.hpp, where the terms are explained.
 *
 * Every function that can fail returns a status, 0 on success. The calling thread gets the error message from
 * rooftop_h5io_last_error(). No function throws, prints or ends the process.
 *
 *     rooftop_h5io_file* file;
 *     rooftop_h5io_dataset* x;
 *     if (rooftop_h5io_open("run.h5", &file)) fail(rooftop_h5io_last_error());
 *     if (rooftop_h5io_dataset_open(file, "x", &x)) fail(rooftop_h5io_last_error());
 *     const rooftop_h5io_span fourth = {.start = 0, .count = 1000, .stride = 4, .block = 1};
 *     if (rooftop_h5io_read(x, 1, &fourth, values, sizeof values, NULL, NULL)) fail(rooftop_h5io_last_error());
 *     rooftop_h5io_dataset_close(x);
 *     rooftop_h5io_close(file);
 */
#ifndef ROOFTOP_H5IO_H
#define ROOFTOP_H5IO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_H5IO_API __attribute__((visibility("default")))
/* Incremented whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_H5IO_ABI_VERSION 1
/* Maximum number of dimensions of an HDF5 dataset. */
#define ROOFTOP_H5IO_DIMENSIONS 32

typedef enum {
  ROOFTOP_H5IO_OK = 0,
  ROOFTOP_H5IO_INVALID_ARGUMENT = 1,
  ROOFTOP_H5IO_OUT_OF_MEMORY = 2,
  ROOFTOP_H5IO_INTERNAL_ERROR = 3,
  ROOFTOP_H5IO_STOPPED = 4,
  ROOFTOP_H5IO_FILE_ERROR = 5, /* the file, or the dataset, cannot be read or written */
  ROOFTOP_H5IO_NOT_BRIEF = 6   /* of rooftop_h5io_read_brief and rooftop_h5io_read_at_once: nothing was read */
} rooftop_h5io_status;
typedef enum {
  ROOFTOP_H5IO_COMPACT = 0,
  ROOFTOP_H5IO_CONTIGUOUS = 1,
  ROOFTOP_H5IO_CHUNKED = 2,
  ROOFTOP_H5IO_OTHER = 3,
  ROOFTOP_H5IO_EXTERNAL = 4 /* contiguous, in other files that are not HDF5 */
} rooftop_h5io_layout;
typedef enum {
  ROOFTOP_H5IO_NOTHING = 0,
  ROOFTOP_H5IO_DIRECT = 1,
  ROOFTOP_H5IO_SIEVED = 2,
  ROOFTOP_H5IO_CHUNKS = 3,
  ROOFTOP_H5IO_LIBRARY = 4
} rooftop_h5io_way;

/* `count` blocks of `block` elements along one dimension; first elements are `stride` apart. */
typedef struct {
  uint64_t start, count, stride, block;
} rooftop_h5io_span;

typedef struct {
  int32_t dimensions;
  int32_t layout; /* rooftop_h5io_layout */
  int32_t filters;
  uint64_t shape[ROOFTOP_H5IO_DIMENSIONS];
  uint64_t chunk[ROOFTOP_H5IO_DIMENSIONS]; /* 0 unless the layout is chunked */
  uint64_t element_bytes, stored_bytes;
  char type[24]; /* as in NumPy's array interface, such as "<f8" */
} rooftop_h5io_description;

typedef struct {
  int32_t threads;     /* 0: OpenMP's default */
  int32_t library;     /* nonzero: always read with H5Dread */
  uint64_t gap_bytes;  /* largest gap between two pieces that is read rather than skipped */
  const int32_t* stop; /* optional flag: a nonzero value, from any thread or signal handler, ends the call */
} rooftop_h5io_options;

typedef struct {
  int32_t way; /* rooftop_h5io_way */
  uint64_t selected_bytes, read_bytes, reads;
} rooftop_h5io_report;

/* A filter applied to each chunk: HDF5's filter identifier and the filter's parameters. */
typedef struct {
  int32_t id, parameter_count;
  const uint32_t* parameters;
} rooftop_h5io_filter_step;

/* Properties of a new dataset. */
typedef struct {
  int32_t dimensions;
  int32_t filter_count;
  const uint64_t* shape;
  const char* type;
  const uint64_t* chunk; /* null: contiguous */
  const rooftop_h5io_filter_step* filters;
} rooftop_h5io_creation;

typedef struct rooftop_h5io_file rooftop_h5io_file;
typedef struct rooftop_h5io_dataset rooftop_h5io_dataset;
typedef struct rooftop_h5io_output rooftop_h5io_output;
typedef struct rooftop_h5io_output_dataset rooftop_h5io_output_dataset;
typedef struct rooftop_h5io_request rooftop_h5io_request;

/* ROOFTOP_H5IO_ABI_VERSION as compiled into the library. */
ROOFTOP_H5IO_API int rooftop_h5io_abi_version(void);
/* This thread's last error message: one line, valid until its next failed call; "" if no call has failed. */
ROOFTOP_H5IO_API const char* rooftop_h5io_last_error(void);

/* Adds a folder to search for filter plugins, after those in HDF5_PLUGIN_PATH. */
ROOFTOP_H5IO_API int rooftop_h5io_add_plugins(const char* folder);

/* Opens a file for reading. Sets *file to null on failure. */
ROOFTOP_H5IO_API int rooftop_h5io_open(const char* path, rooftop_h5io_file** file);
ROOFTOP_H5IO_API void rooftop_h5io_close(rooftop_h5io_file* file); /* null is fine; open datasets stay valid */
/* Writes the null-terminated paths of all datasets to names[room], one after the other, and the bytes that they need to
 * *bytes. If `room` is too small, names is left unchanged. */
ROOFTOP_H5IO_API int rooftop_h5io_datasets(const rooftop_h5io_file* file, char* names, size_t room, size_t* bytes);

/* Sets *dataset to null on failure. */
ROOFTOP_H5IO_API int rooftop_h5io_dataset_open(const rooftop_h5io_file* file, const char* name,
                                               rooftop_h5io_dataset** dataset);
ROOFTOP_H5IO_API void rooftop_h5io_dataset_close(rooftop_h5io_dataset* dataset); /* null is fine */
ROOFTOP_H5IO_API int rooftop_h5io_describe(const rooftop_h5io_dataset* dataset, rooftop_h5io_description* description);
/* Writes the structure of an element in JSON, as `structure` in rooftop/h5io.hpp, to text[room], without a terminating
 * null, and the bytes that it needs to *bytes. If `room` is too small, text is left unchanged. Sets *as_stored to 0 if
 * reads convert numbers or return pointers. */
ROOFTOP_H5IO_API int rooftop_h5io_structure(const rooftop_h5io_dataset* dataset, char* text, size_t room, size_t* bytes,
                                            int32_t* as_stored);
/* Frees the memory that read elements of a type such as "|O16" point to. */
ROOFTOP_H5IO_API int rooftop_h5io_reclaim(const rooftop_h5io_dataset* dataset, void* values, uint64_t elements);
/* Returns the identifier and the name of the i-th filter. The name is truncated to name[room]. */
ROOFTOP_H5IO_API int rooftop_h5io_filter(const rooftop_h5io_dataset* dataset, int32_t i, int32_t* id, char* name,
                                         size_t room);

/* Sets the defaults, which null `options` also mean: all threads, and the HDF5 library only for layouts that need it.
 */
ROOFTOP_H5IO_API void rooftop_h5io_default_options(rooftop_h5io_options* options);
/* Reads a selection row by row into to[to_bytes]. spans: one for each dimension, null if there are none. report: may be
 * null. */
ROOFTOP_H5IO_API int rooftop_h5io_read(const rooftop_h5io_dataset* dataset, int32_t dimensions,
                                       const rooftop_h5io_span* spans, void* to, size_t to_bytes,
                                       const rooftop_h5io_options* options, rooftop_h5io_report* report);
/* The same by the calling thread alone, if that takes less time than waking another one: see `read_brief` in
 * rooftop/h5io.hpp. Otherwise reads nothing and returns ROOFTOP_H5IO_NOT_BRIEF, which leaves no message. */
ROOFTOP_H5IO_API int rooftop_h5io_read_brief(const rooftop_h5io_dataset* dataset, int32_t dimensions,
                                             const rooftop_h5io_span* spans, void* to, size_t to_bytes,
                                             rooftop_h5io_report* report);
/* The same by the calling thread and its team, if that takes some 50 ms at most: see `read_at_once` in
 * rooftop/h5io.hpp. Otherwise reads nothing and returns ROOFTOP_H5IO_NOT_BRIEF, which leaves no message. */
ROOFTOP_H5IO_API int rooftop_h5io_read_at_once(const rooftop_h5io_dataset* dataset, int32_t dimensions,
                                               const rooftop_h5io_span* spans, void* to, size_t to_bytes,
                                               const rooftop_h5io_options* options, rooftop_h5io_report* report);

/* Creates a file. replace: nonzero to replace an existing file. Sets *output to null on failure. */
ROOFTOP_H5IO_API int rooftop_h5io_create(const char* path, int32_t replace, rooftop_h5io_output** output);
/* Opens an existing file to change its datasets. Sets *output to null on failure. */
ROOFTOP_H5IO_API int rooftop_h5io_change(const char* path, rooftop_h5io_output** output);
/* Writes all pending data to the file and closes it. Its datasets can no longer be written; `output` must still be
 * destroyed. */
ROOFTOP_H5IO_API int rooftop_h5io_finish(rooftop_h5io_output* output);
/* Finishes the file if necessary, ignoring errors, and frees `output`. Null is fine. */
ROOFTOP_H5IO_API void rooftop_h5io_output_destroy(rooftop_h5io_output* output);

/* Sets *dataset to null on failure. */
ROOFTOP_H5IO_API int rooftop_h5io_dataset_create(rooftop_h5io_output* output, const char* name,
                                                 const rooftop_h5io_creation* creation,
                                                 rooftop_h5io_output_dataset** dataset);
/* Opens an existing dataset for writing. Sets *dataset to null on failure. */
ROOFTOP_H5IO_API int rooftop_h5io_dataset_change(const rooftop_h5io_output* output, const char* name,
                                                 rooftop_h5io_output_dataset** dataset);
ROOFTOP_H5IO_API int rooftop_h5io_output_describe(const rooftop_h5io_output_dataset* dataset,
                                                  rooftop_h5io_description* description);
ROOFTOP_H5IO_API void rooftop_h5io_output_dataset_destroy(rooftop_h5io_output_dataset* dataset); /* null is fine */
/* Writes from[from_bytes] row by row to a selection. In the report, read_bytes and reads count what was written. */
ROOFTOP_H5IO_API int rooftop_h5io_write(const rooftop_h5io_output_dataset* dataset, int32_t dimensions,
                                        const rooftop_h5io_span* spans, const void* from, size_t from_bytes,
                                        const rooftop_h5io_options* options, rooftop_h5io_report* report);

/* Asynchronous reads and writes by the file's I/O thread, which processes requests in order: see
 * rooftop/h5io_later.hpp. The memory and the stop flag must stay valid until the request is done. `threads` 0 means the
 * I/O thread alone. *request is set to null on failure. */
ROOFTOP_H5IO_API int rooftop_h5io_read_later(const rooftop_h5io_dataset* dataset, int32_t dimensions,
                                             const rooftop_h5io_span* spans, void* to, size_t to_bytes,
                                             const rooftop_h5io_options* options, rooftop_h5io_request** request);
ROOFTOP_H5IO_API int rooftop_h5io_write_later(const rooftop_h5io_output_dataset* dataset, int32_t dimensions,
                                              const rooftop_h5io_span* spans, const void* from, size_t from_bytes,
                                              const rooftop_h5io_options* options, rooftop_h5io_request** request);
/* Asks the operating system to load a selection from the device into the page cache. */
ROOFTOP_H5IO_API int rooftop_h5io_prefetch(const rooftop_h5io_dataset* dataset, int32_t dimensions,
                                           const rooftop_h5io_span* spans, const rooftop_h5io_options* options,
                                           rooftop_h5io_request** request);
/* Waits until the request is done and returns its status. May be called repeatedly. report: may be null. */
ROOFTOP_H5IO_API int rooftop_h5io_wait(rooftop_h5io_request* request, rooftop_h5io_report* report);
/* Waits for at most `seconds`, and sets *done to whether the request is done or has failed. */
ROOFTOP_H5IO_API int rooftop_h5io_wait_for(const rooftop_h5io_request* request, double seconds, int32_t* done);
/* Waits until the request is done, and frees it. Null is fine. If nobody waited for a write that failed,
 * rooftop_h5io_finish returns its error. */
ROOFTOP_H5IO_API void rooftop_h5io_request_destroy(rooftop_h5io_request* request);

#ifdef __cplusplus
}
#endif

#endif
