/* Reads and writes of hyperslabs of HDF5 files: the C interface of rooftop/h5io.hpp, where the terms are explained.
 *
 * Every function that can fail returns a status, 0 for success, and leaves a message that rooftop_h5io_last_error()
 * gives to the same thread. No function throws, prints or ends the process.
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
/* Changes whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_H5IO_ABI_VERSION 1
/* Dimensions that an HDF5 array can have. */
#define ROOFTOP_H5IO_DIMENSIONS 32

typedef enum {
  ROOFTOP_H5IO_OK = 0,
  ROOFTOP_H5IO_INVALID_ARGUMENT = 1,
  ROOFTOP_H5IO_OUT_OF_MEMORY = 2,
  ROOFTOP_H5IO_INTERNAL_ERROR = 3,
  ROOFTOP_H5IO_STOPPED = 4,
  ROOFTOP_H5IO_FILE_ERROR = 5 /* the file, or the dataset, cannot be read or written */
} rooftop_h5io_status;
typedef enum {
  ROOFTOP_H5IO_COMPACT = 0,
  ROOFTOP_H5IO_CONTIGUOUS = 1,
  ROOFTOP_H5IO_CHUNKED = 2,
  ROOFTOP_H5IO_OTHER = 3
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
  uint64_t chunk[ROOFTOP_H5IO_DIMENSIONS]; /* 0 where the layout is not chunked */
  uint64_t element_bytes, stored_bytes;
  char type[24]; /* as NumPy's array interface has it, such as "<f8" */
} rooftop_h5io_description;

typedef struct {
  int32_t threads; /* 0: as many as OpenMP would take */
  int32_t library; /* not 0: by H5Dread, whatever the layout */
  uint64_t gap_bytes;
  const int32_t* stop; /* null, or a flag that any thread or signal handler may set */
} rooftop_h5io_options;

typedef struct {
  int32_t way; /* rooftop_h5io_way */
  uint64_t selected_bytes, read_bytes, reads;
} rooftop_h5io_report;

/* A step that each chunk goes through: HDF5's number for it, and its parameters. */
typedef struct {
  int32_t id, parameter_count;
  const uint32_t* parameters;
} rooftop_h5io_filter_step;

/* What a new dataset is to be. */
typedef struct {
  int32_t dimensions;
  int32_t filter_count;
  const uint64_t* shape;
  const char* type;
  const uint64_t* chunk; /* null: the array lies in one piece */
  const rooftop_h5io_filter_step* filters;
} rooftop_h5io_creation;

typedef struct rooftop_h5io_file rooftop_h5io_file;
typedef struct rooftop_h5io_dataset rooftop_h5io_dataset;
typedef struct rooftop_h5io_output rooftop_h5io_output;
typedef struct rooftop_h5io_output_dataset rooftop_h5io_output_dataset;
typedef struct rooftop_h5io_request rooftop_h5io_request;

/* ROOFTOP_H5IO_ABI_VERSION as compiled into the library. */
ROOFTOP_H5IO_API int rooftop_h5io_abi_version(void);
/* Why the last call of this thread that failed did so: one line, valid until its next failing call; "" before any. */
ROOFTOP_H5IO_API const char* rooftop_h5io_last_error(void);

/* Looks for the plugins of filters in this folder, too, after those that HDF5_PLUGIN_PATH names. */
ROOFTOP_H5IO_API int rooftop_h5io_add_plugins(const char* folder);

/* For reading. On failure *file is null. */
ROOFTOP_H5IO_API int rooftop_h5io_open(const char* path, rooftop_h5io_file** file);
ROOFTOP_H5IO_API void rooftop_h5io_close(rooftop_h5io_file* file); /* null is fine; datasets may live on */
/* Paths of all datasets, each with a null behind it; *bytes becomes what they take. Nothing is written where `room` is
 * less. */
ROOFTOP_H5IO_API int rooftop_h5io_datasets(const rooftop_h5io_file* file, char* names, size_t room, size_t* bytes);

/* On failure *dataset is null. */
ROOFTOP_H5IO_API int rooftop_h5io_dataset_open(const rooftop_h5io_file* file, const char* name,
                                               rooftop_h5io_dataset** dataset);
ROOFTOP_H5IO_API void rooftop_h5io_dataset_close(rooftop_h5io_dataset* dataset); /* null is fine */
ROOFTOP_H5IO_API int rooftop_h5io_describe(const rooftop_h5io_dataset* dataset, rooftop_h5io_description* description);
/* What an element is, in JSON: `structure` in rooftop/h5io.hpp. *bytes becomes what it takes, and there is no null
 * behind it; nothing is written where `room` is less. *as_stored becomes 0 where numbers are converted, or there are
 * pointers. */
ROOFTOP_H5IO_API int rooftop_h5io_structure(const rooftop_h5io_dataset* dataset, char* text, size_t room, size_t* bytes,
                                            int32_t* as_stored);
/* Takes back what elements that were read point to, where the type is such as "|O16". */
ROOFTOP_H5IO_API int rooftop_h5io_reclaim(const rooftop_h5io_dataset* dataset, void* values, uint64_t elements);
/* The number and the name of the i-th filter; `name` has room for `room` bytes, and is cut to it. */
ROOFTOP_H5IO_API int rooftop_h5io_filter(const rooftop_h5io_dataset* dataset, int32_t i, int32_t* id, char* name,
                                         size_t room);

/* All threads, HDF5's library only where nothing else can: what a null `options` stands for. */
ROOFTOP_H5IO_API void rooftop_h5io_default_options(rooftop_h5io_options* options);
/* spans: one for each dimension, null where there is none. to: row by row, `to_bytes` are there. report: may be null.
 */
ROOFTOP_H5IO_API int rooftop_h5io_read(const rooftop_h5io_dataset* dataset, int32_t dimensions,
                                       const rooftop_h5io_span* spans, void* to, size_t to_bytes,
                                       const rooftop_h5io_options* options, rooftop_h5io_report* report);

/* A new file. replace: not 0 to replace one that is there. On failure *output is null. */
ROOFTOP_H5IO_API int rooftop_h5io_create(const char* path, int32_t replace, rooftop_h5io_output** output);
/* One that is there, whose datasets are changed. On failure *output is null. */
ROOFTOP_H5IO_API int rooftop_h5io_change(const char* path, rooftop_h5io_output** output);
/* Brings everything into the file; `output` must still be destroyed. Its datasets are written no more. */
ROOFTOP_H5IO_API int rooftop_h5io_finish(rooftop_h5io_output* output);
/* Finishes it, too, and says nothing if that fails. Null is fine. */
ROOFTOP_H5IO_API void rooftop_h5io_output_destroy(rooftop_h5io_output* output);

/* On failure *dataset is null. */
ROOFTOP_H5IO_API int rooftop_h5io_dataset_create(rooftop_h5io_output* output, const char* name,
                                                 const rooftop_h5io_creation* creation,
                                                 rooftop_h5io_output_dataset** dataset);
/* One that is there. On failure *dataset is null. */
ROOFTOP_H5IO_API int rooftop_h5io_dataset_change(const rooftop_h5io_output* output, const char* name,
                                                 rooftop_h5io_output_dataset** dataset);
ROOFTOP_H5IO_API int rooftop_h5io_output_describe(const rooftop_h5io_output_dataset* dataset,
                                                  rooftop_h5io_description* description);
ROOFTOP_H5IO_API void rooftop_h5io_output_dataset_destroy(rooftop_h5io_output_dataset* dataset); /* null is fine */
/* from: the selection row by row, all of `from_bytes`. In the report, read_bytes and reads are what was written. */
ROOFTOP_H5IO_API int rooftop_h5io_write(const rooftop_h5io_output_dataset* dataset, int32_t dimensions,
                                        const rooftop_h5io_span* spans, const void* from, size_t from_bytes,
                                        const rooftop_h5io_options* options, rooftop_h5io_report* report);

/* The same two, by the file's I/O thread, which does what it was asked for in this order: rooftop/h5io_later.hpp. The
 * memory and the stop flag must stay until the request is done, and `threads` 0 is the I/O thread alone. On failure
 * *request is null. */
ROOFTOP_H5IO_API int rooftop_h5io_read_later(const rooftop_h5io_dataset* dataset, int32_t dimensions,
                                             const rooftop_h5io_span* spans, void* to, size_t to_bytes,
                                             const rooftop_h5io_options* options, rooftop_h5io_request** request);
ROOFTOP_H5IO_API int rooftop_h5io_write_later(const rooftop_h5io_output_dataset* dataset, int32_t dimensions,
                                              const rooftop_h5io_span* spans, const void* from, size_t from_bytes,
                                              const rooftop_h5io_options* options, rooftop_h5io_request** request);
/* Has the system bring what is selected from the device into its cache, as a hint. */
ROOFTOP_H5IO_API int rooftop_h5io_prefetch(const rooftop_h5io_dataset* dataset, int32_t dimensions,
                                           const rooftop_h5io_span* spans, const rooftop_h5io_options* options,
                                           rooftop_h5io_request** request);
/* Waits, and returns the status of the read or write, each time that it is called. report: may be null. */
ROOFTOP_H5IO_API int rooftop_h5io_wait(rooftop_h5io_request* request, rooftop_h5io_report* report);
/* Waits for so many seconds at most; *done becomes whether the request is done, or has failed. */
ROOFTOP_H5IO_API int rooftop_h5io_wait_for(const rooftop_h5io_request* request, double seconds, int32_t* done);
/* Waits. Null is fine. The error of a write that was never waited for is what rooftop_h5io_finish returns. */
ROOFTOP_H5IO_API void rooftop_h5io_request_destroy(rooftop_h5io_request* request);

#ifdef __cplusplus
}
#endif

#endif
